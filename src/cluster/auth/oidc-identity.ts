import { isObject, parseJsonOrUndefined, SetpointError, type JsonObject } from '../../model/index.ts';
import { createHeldIdentity } from './held-identity.ts';
import type { Identity, Source } from './identity.ts';
import { OidcRefusal, refreshOidc, type OidcClient } from './oidc-refresh.ts';

interface OidcOptions {
  /** For people: the name of the user in the kubeconfig. */
  readonly user: string;
  /** The `config` of the auth provider. */
  readonly config: JsonObject;
  readonly now?: () => number;
}

/**
 * The ID token of the kubeconfig, renewed with its refresh token. Not by @kubernetes/client-node: 2.0.1 takes the seconds that
 * are left for a time, so it renews for each request, loses a refresh token that was not replaced, and never sends the
 * client's secret.
 */
export function createOidcIdentity({ user, config, now = Date.now }: OidcOptions): Source<Identity> {
  const given = (key: string): string => (typeof config[key] === 'string' ? config[key] : '');
  const client: OidcClient = {
    issuer: given('idp-issuer-url').replace(/\/$/, ''),
    clientId: given('client-id'),
    clientSecret: given('client-secret'),
    authorityFile: given('idp-certificate-authority'),
    authorityData: given('idp-certificate-authority-data'),
  };
  let idToken = given('id-token');
  let refreshToken = given('refresh-token');
  let isUnused = true;

  const renew = async (): Promise<void> => {
    const failed = (problem: string, cause?: unknown): SetpointError =>
      new SetpointError('ClusterUnauthorized', `the OIDC login of user ${user} at ${client.issuer || '(no idp-issuer-url)'}: ${problem}`, { cause });
    if (refreshToken === '') throw failed('the ID token is not accepted any more and there is no refresh token: log in again');
    try {
      const answer = await refreshOidc(client, refreshToken);
      idToken = answer.idToken;
      // Kept in memory only: the kubeconfig is the user's.
      refreshToken = answer.refreshToken ?? refreshToken;
    } catch (error) {
      throw failed(error instanceof OidcRefusal ? error.message : `it cannot be reached: ${(error as Error).message}`, error);
    }
  };

  return createHeldIdentity<Identity>(async () => {
    const isGood = isUnused && idToken !== '' && (expiryOf(idToken) ?? Infinity) > now();
    isUnused = false;
    if (!isGood) await renew();
    return { value: { authorization: `Bearer ${idToken}` }, expiresAt: expiryOf(idToken) };
  }, now);
}

/** When a JSON Web Token ends, in milliseconds since 1970. Only read, never trusted: the API server checks the signature. */
function expiryOf(token: string): number | undefined {
  const payload = parseJsonOrUndefined(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString('utf8'));
  const end = isObject(payload) ? payload['exp'] : undefined;
  return typeof end === 'number' ? end * 1000 : undefined;
}
