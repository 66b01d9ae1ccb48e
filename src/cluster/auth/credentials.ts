import { X509Certificate } from 'node:crypto';
import { createSecureContext } from 'node:tls';
import { isObject, SetpointError, type JsonObject } from '../../model/index.ts';
import { createClientCertificate, createMaterial } from './client-certificate.ts';
import { createExecIdentity } from './exec-credential.ts';
import { readExecPlugin } from './exec-plugin.ts';
import { fixed, type Identity, type Source } from './identity.ts';
import { impersonationHeaders } from './impersonation.ts';
import { createOidcIdentity } from './oidc-identity.ts';
import type { ClusterEntry, Kubeconfig, UserEntry } from './read-kubeconfig.ts';
import { createWatchedFile } from './watched-file.ts';

export interface Credentials {
  readonly headers: Readonly<Record<string, string | string[]>>;
  /** The same object until something in it changes: connections are kept by it. */
  readonly tls: TlsOptions;
}

export interface TlsOptions {
  readonly ca?: Buffer;
  readonly cert?: string | Buffer;
  readonly key?: string | Buffer;
  readonly servername?: string;
  readonly rejectUnauthorized?: boolean;
}

export function createCredentials({ cluster, user, context }: Kubeconfig): Source<Credentials> {
  const identity: Source<Identity> = user === undefined ? fixed({}) : createIdentity(user, cluster);
  const certificate = user === undefined ? fixed(undefined) : createClientCertificate(user);
  const authority: () => Promise<Buffer | undefined> = createMaterial(cluster.caFile, cluster.caData) ?? fixed(undefined);
  const impersonation = impersonationHeaders(user?.raw ?? {});
  const identities = new WeakMap<Credentials, Identity>();
  let last: Credentials | undefined;
  // Set as soon as it is known, and not with `last`: of several that ask at once each would have connections of its own.
  let tls: TlsOptions | undefined;

  const readable = async (refused: Credentials | undefined): Promise<readonly [Identity, TlsOptions]> => {
    try {
      const who = await identity(refused && identities.get(refused));
      const { cert, key } = who.certificate ?? (await certificate()) ?? {};
      const ca = await authority();
      if (tls === undefined || tls.ca !== ca || tls.cert !== cert || tls.key !== key) {
        tls = checked({ ...trustOf(cluster), ...(ca && { ca }), ...(cert && key && { cert, key }) });
      }
      return [who, tls];
    } catch (cause) {
      if (cause instanceof SetpointError) throw cause;
      throw new SetpointError('KubeconfigInvalid', `the credentials of context ${context} cannot be had: ${(cause as Error).message}`, { cause });
    }
  };

  return async (refused) => {
    const [who, secured] = await readable(refused);
    if (last !== undefined && identities.get(last) === who && last.tls === secured) return last;
    const authorization = who.authorization === undefined ? {} : { authorization: who.authorization };
    last = { headers: { ...impersonation, ...authorization }, tls: secured };
    identities.set(last, who);
    return last;
  };
}

/** Found out here, where the kubeconfig can be named, and not as a failed connection. */
function checked(tls: TlsOptions): TlsOptions {
  // The context takes an authority that is none without a word.
  if (tls.ca !== undefined) parseCertificate(tls.ca);
  createSecureContext(tls);
  return tls;
}

function parseCertificate(pem: Buffer): X509Certificate {
  return new X509Certificate(pem);
}

function trustOf({ tlsServerName, skipTLSVerify }: ClusterEntry): TlsOptions {
  return { ...(tlsServerName !== undefined && tlsServerName !== '' && { servername: tlsServerName }), ...(skipTLSVerify && { rejectUnauthorized: false }) };
}

/** In the order of client-go: what is written down outweighs what has to be asked for. */
function createIdentity(user: UserEntry, cluster: ClusterEntry): Source<Identity> {
  const { tokenFile, token, username, password } = user;
  const { exec, 'auth-provider': provider } = user.raw;
  if (tokenFile !== undefined) return createTokenFileIdentity(tokenFile);
  if (token) return fixed({ authorization: `Bearer ${token.trim()}` });
  if (username) return fixed({ authorization: `Basic ${Buffer.from(`${username}:${password ?? ''}`).toString('base64')}` });
  if (isObject(exec)) return createExecIdentity(readExecPlugin(user.name, exec, cluster));
  if (isObject(provider)) return createProviderIdentity(user.name, provider);
  return fixed({});
}

function createTokenFileIdentity(file: string): Source<Identity> {
  const content = createWatchedFile(file);
  let held: { readonly content: Buffer; readonly identity: Identity } | undefined;
  return async (refused) => {
    const found = await content(refused !== undefined && refused === held?.identity ? held.content : undefined);
    if (held?.content !== found) held = { content: found, identity: { authorization: `Bearer ${found.toString('utf8').trim()}` } };
    return held.identity;
  };
}

/** What was removed from kubectl 1.26, and what took its place. */
const successors: Readonly<Record<string, string>> = { gcp: 'gke-gcloud-auth-plugin', azure: 'kubelogin' };

function createProviderIdentity(user: string, provider: JsonObject): Source<Identity> {
  const { config } = provider;
  const name = typeof provider['name'] === 'string' ? provider['name'] : '(without a name)';
  if (name === 'oidc') return createOidcIdentity({ user, config: isObject(config) ? config : {} });
  const successor = successors[name];
  const advice = successor === undefined ? 'use exec instead' : `use the exec plugin ${successor} instead`;
  throw new SetpointError('KubeconfigInvalid', `user ${user} of the kubeconfig: the auth-provider ${name} is not supported: ${advice}`);
}
