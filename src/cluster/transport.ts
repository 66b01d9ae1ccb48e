import { Agent, ProxyAgent, request, Socks5ProxyAgent, type Dispatcher } from 'undici';
import { SetpointError } from '../model/index.ts';
import type { Connection, Credentials } from './kubeconfig.ts';

export interface ApiRequest {
  readonly method: 'GET' | 'PATCH';
  readonly path: string;
  readonly query?: Readonly<Record<string, string>>;
  readonly accept?: string;
  readonly contentType?: string;
  readonly body?: string;
  readonly signal: AbortSignal;
}

export interface ApiAnswer {
  readonly status: number;
  readonly text: string;
}

export interface Transport {
  /** Every answer of the server is a value; only what kept us from an answer is thrown. */
  send(request: ApiRequest): Promise<ApiAnswer>;
  close(): Promise<void>;
}

const timeoutMs = 30_000;
const connections = 8;

export function createTransport(connection: Connection): Transport {
  let current: { readonly tls: string; readonly dispatcher: Dispatcher } | undefined;
  const dispatcherFor = ({ tls }: Credentials): Dispatcher => {
    const fingerprint = JSON.stringify(tls);
    if (current?.tls !== fingerprint) {
      void current?.dispatcher.close().catch(() => undefined);
      current = { tls: fingerprint, dispatcher: createDispatcher(connection, tls) };
    }
    return current.dispatcher;
  };
  return {
    async send({ method, path, query = {}, accept = 'application/json', contentType, body, signal }) {
      const credentials = await connection.credentials();
      const url = new URL(connection.server.replace(/\/$/, '') + path);
      for (const [name, value] of Object.entries(query)) url.searchParams.set(name, value);
      try {
        const response = await request(url, {
          method,
          dispatcher: dispatcherFor(credentials),
          headers: {
            ...credentials.headers,
            accept,
            'user-agent': 'setpoint',
            ...(contentType === undefined ? {} : { 'content-type': contentType }),
          },
          body: body ?? null,
          signal: AbortSignal.any([signal, AbortSignal.timeout(timeoutMs)]),
        });
        return { status: response.statusCode, text: await response.body.text() };
      } catch (error) {
        signal.throwIfAborted();
        throw unreachable(connection, error);
      }
    },
    async close() {
      await current?.dispatcher.close();
    },
  };
}

function createDispatcher({ proxyUrl }: Connection, tls: Credentials['tls']): Dispatcher {
  const connect = tls as Agent.Options['connect'];
  if (proxyUrl === undefined) return new Agent({ connections, ...(connect === undefined ? {} : { connect }) });
  const requestTls = tls as NonNullable<ProxyAgent.Options['requestTls']>;
  if (proxyUrl.startsWith('socks')) return new Socks5ProxyAgent(proxyUrl, { connections, requestTls });
  return new ProxyAgent({ uri: proxyUrl, requestTls, connections });
}

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

function unreachable({ server, context }: Connection, cause: unknown): SetpointError {
  const { code, name, message } = cause as NodeJS.ErrnoException;
  const reason = name === 'TimeoutError' ? `no answer within ${timeoutMs / 1000} s` : (reasons[code ?? ''] ?? message);
  return new SetpointError(
    'ClusterUnreachable',
    `the cluster at ${server} (context ${context}) cannot be reached: ${reason}. Is it running, and is this the right context?`,
    { cause },
  );
}
