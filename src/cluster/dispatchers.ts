import { rootCertificates } from 'node:tls';
import { Agent, ProxyAgent, Socks5ProxyAgent, type Dispatcher } from 'undici';
import type { TlsOptions } from './auth/credentials.ts';

export interface Dispatchers {
  for(tls: TlsOptions): Dispatcher;
  /** Lets what is under way end. */
  close(): Promise<void>;
  /** Cuts what is under way. */
  destroy(): Promise<void>;
}

export interface DispatcherOptions {
  readonly proxyUrl: string | undefined;
  readonly connections?: number;
}

/** Another dispatcher when certificates have been rotated; the old one ends with its last request. */
export function createDispatchers(options: DispatcherOptions): Dispatchers {
  let current: { readonly tls: TlsOptions; readonly dispatcher: Dispatcher } | undefined;
  return {
    for(tls) {
      if (current?.tls !== tls) {
        void current?.dispatcher.close().catch(() => undefined);
        current = { tls, dispatcher: createDispatcher(tls, options) };
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

// A load balancer forgets a quiet connection after a minute; a half-open one should be noticed before.
const keepAlive = { keepAlive: true, keepAliveInitialDelay: 30_000 };

function createDispatcher(tls: TlsOptions, { proxyUrl, connections }: DispatcherOptions): Dispatcher {
  const pool = { ...(connections !== undefined && { connections }), allowH2 };
  const connect = { ...tls, ...keepAlive };
  if (proxyUrl === undefined) return new Agent({ ...pool, connect });
  if (proxyUrl.startsWith('socks5:')) return new Socks5ProxyAgent(proxyUrl, { ...pool, requestTls: connect });
  return new ProxyAgent({ ...pool, uri: proxyUrl, requestTls: connect, proxyTls: proxyTlsOf(tls) });
}

// Left to itself undici takes HTTP/2, which the API server prefers: a third more CPU for each request, and one lost connection
// loses all that is under way.
const allowH2 = false;

/** As in kubectl the cluster's authority may also vouch for its proxy. Our own certificate is not for the proxy to see. */
function proxyTlsOf({ ca, rejectUnauthorized }: TlsOptions): NonNullable<ProxyAgent.Options['proxyTls']> {
  return { ...keepAlive, ...(ca && { ca: [...rootCertificates, ca] }), ...(rejectUnauthorized !== undefined && { rejectUnauthorized }) };
}
