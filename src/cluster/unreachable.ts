import { SetpointError } from '../model/index.ts';
import type { Connection } from './kubeconfig.ts';

/** For one answer. Getting credentials and waiting for a busy server are not in it. */
export const answerMs = 30_000;

const reasons: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'the connection was refused',
  ECONNRESET: 'the connection was cut',
  ENOTFOUND: 'its host name is not known',
  EAI_AGAIN: 'its host name could not be looked up',
  EHOSTUNREACH: 'there is no route to it',
  UND_ERR_CONNECT_TIMEOUT: 'it did not answer in time',
  UND_ERR_SOCKET: 'the connection was cut',
  CERT_HAS_EXPIRED: 'its certificate has expired',
  DEPTH_ZERO_SELF_SIGNED_CERT: 'its certificate is not signed by the authority in the kubeconfig',
  SELF_SIGNED_CERT_IN_CHAIN: 'its certificate is not signed by the authority in the kubeconfig',
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: 'its certificate is not signed by the authority in the kubeconfig',
  ERR_TLS_CERT_ALTNAME_INVALID: 'its certificate is for another host name',
};

/** What kept us from an answer, as one sentence. */
export function unreachable({ server, context, proxyUrl }: Connection, cause: unknown): SetpointError {
  const { code, name, message } = cause as NodeJS.ErrnoException;
  const reason = name === 'TimeoutError' ? `no answer within ${answerMs / 1000} s` : (reasons[code ?? ''] ?? message);
  // Without its user and password.
  const through = proxyUrl === undefined ? '' : ` through the proxy ${new URL(proxyUrl).host}`;
  return new SetpointError(
    'ClusterUnreachable',
    `the cluster at ${server} (context ${context}) cannot be reached${through}: ${reason}. Is it running, and is this the right context?`,
    { cause },
  );
}
