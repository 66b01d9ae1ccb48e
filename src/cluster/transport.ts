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
  /** How long the server asks us to wait before we ask again; undefined where it does not say. */
  readonly retryAfterMs?: number;
}

/** An answer whose body comes piece by piece, for as long as the server likes. */
export interface ApiStream {
  readonly status: number;
  readonly retryAfterMs?: number;
  readonly body: AsyncIterable<Uint8Array>;
}

export interface Transport {
  /** Every answer of the server is a value; only what kept us from an answer is thrown. */
  send(request: ApiRequest): Promise<ApiAnswer>;
  /** Like `send`, on a connection of its own and without a limit of time: only `signal` ends it. */
  stream(request: ApiRequest): Promise<ApiStream>;
  close(): Promise<void>;
}

const timeoutMs = 30_000;
const connections = 8;

export function createTransport(connection: Connection): Transport {
  const requests = createDispatchers((tls) => createDispatcher(connection, tls, { connections }));
  // A watch holds its connection: among the requests' few it would starve them.
  const streams = createDispatchers((tls) => createDispatcher(connection, tls, { bodyTimeout: 0 }));

  const open = async (dispatchers: Dispatchers, wanted: ApiRequest, signal: AbortSignal): Promise<Dispatcher.ResponseData> => {
    const { method, path, query = {}, accept = 'application/json', contentType, body } = wanted;
    const credentials = await connection.credentials();
    const url = new URL(connection.server.replace(/\/$/, '') + path);
    for (const [name, value] of Object.entries(query)) url.searchParams.set(name, value);
    return request(url, {
      method,
      dispatcher: dispatchers.for(credentials.tls),
      headers: {
        ...credentials.headers,
        accept,
        'user-agent': 'setpoint',
        ...(contentType === undefined ? {} : { 'content-type': contentType }),
      },
      body: body ?? null,
      signal,
    });
  };
  const explained = async <T>(signal: AbortSignal, work: Promise<T>): Promise<T> => {
    try {
      return await work;
    } catch (error) {
      signal.throwIfAborted();
      throw error instanceof SetpointError ? error : unreachable(connection, error);
    }
  };

  return {
    send(wanted) {
      const signal = AbortSignal.any([wanted.signal, AbortSignal.timeout(timeoutMs)]);
      const answer = open(requests, wanted, signal).then(async (response) => ({
        status: response.statusCode,
        ...retryAfter(response),
        text: await response.body.text(),
      }));
      return explained(wanted.signal, answer);
    },
    async stream(wanted) {
      const response = await explained(wanted.signal, open(streams, wanted, wanted.signal));
      return { status: response.statusCode, ...retryAfter(response), body: response.body };
    },
    async close() {
      await Promise.all([requests.close(), streams.destroy()]);
    },
  };
}

interface Dispatchers {
  for(tls: Credentials['tls']): Dispatcher;
  /** Lets what is under way end. */
  close(): Promise<void>;
  /** Cuts what is under way. */
  destroy(): Promise<void>;
}

/** Another dispatcher when certificates have been rotated; the old one ends with its last request. */
function createDispatchers(create: (tls: Credentials['tls']) => Dispatcher): Dispatchers {
  let current: { readonly tls: string; readonly dispatcher: Dispatcher } | undefined;
  return {
    for(tls) {
      const fingerprint = JSON.stringify(tls);
      if (current?.tls !== fingerprint) {
        void current?.dispatcher.close().catch(() => undefined);
        current = { tls: fingerprint, dispatcher: create(tls) };
      }
      return current.dispatcher;
    },
    async close() {
      await current?.dispatcher.close();
    },
    async destroy() {
      await current?.dispatcher.destroy();
    },
  };
}

function retryAfter({ headers }: Dispatcher.ResponseData): { readonly retryAfterMs?: number } {
  const seconds = Number(headers['retry-after']);
  return headers['retry-after'] !== undefined && Number.isFinite(seconds) && seconds >= 0 ? { retryAfterMs: seconds * 1000 } : {};
}

interface PoolOptions {
  readonly connections?: number;
  readonly bodyTimeout?: number;
}

function createDispatcher({ proxyUrl }: Connection, tls: Credentials['tls'], pool: PoolOptions): Dispatcher {
  const connect = tls as Agent.Options['connect'];
  if (proxyUrl === undefined) return new Agent({ ...pool, ...(connect === undefined ? {} : { connect }) });
  const requestTls = tls as NonNullable<ProxyAgent.Options['requestTls']>;
  if (proxyUrl.startsWith('socks')) return new Socks5ProxyAgent(proxyUrl, { ...pool, requestTls });
  return new ProxyAgent({ uri: proxyUrl, requestTls, ...pool });
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
