import type { GitHttpRequest, GitHttpResponse } from 'isomorphic-git';
import { Agent, ProxyAgent, request, type Dispatcher } from 'undici';
import { SetpointError } from '../../model/index.ts';
import { networkError, statusError } from '../git-error.ts';
import type { HttpAuth, HttpRepository } from '../repository-url.ts';
import { redirectTarget } from './redirect.ts';
import { createSessionRecord, type SessionRecord } from './session-record.ts';
import type { Session, Transport, TransportLimits } from './transport.ts';

/** Connections stay open between sessions: a poll then costs no handshake. */
export function createHttpTransport(repository: HttpRepository, limits: TransportLimits): Transport {
  const dispatcher = createDispatcher(repository, limits);
  let [open, isClosing] = [0, false];
  const end = async (): Promise<void> => {
    if (isClosing && open === 0) await dispatcher.destroy();
  };
  return {
    session(signal) {
      open += 1;
      const onClose = (): Promise<void> => {
        open -= 1;
        return end();
      };
      return createHttpSession({ repository, limits, dispatcher, signal }, onClose);
    },
    close() {
      isClosing = true;
      return end();
    },
  };
}

interface Way {
  readonly repository: HttpRepository;
  readonly limits: TransportLimits;
  readonly dispatcher: Dispatcher;
  readonly signal: AbortSignal;
}

function createHttpSession(way: Way, onClose: () => Promise<void>): Session {
  const { repository, limits, signal } = way;
  const { url, proxy } = repository;
  const record = createSessionRecord({
    url,
    maxBytes: limits.maxBytes,
    signal,
    translate: (cause) => networkError({ url, cause, ...(proxy && { proxy: proxy.url }) }),
  });
  const ask = createAsk(way, record);
  let closed: Promise<void> | undefined;
  const close = (): Promise<void> => (closed ??= onClose());
  return {
    url,
    http: {
      request: async (asked) => {
        try {
          return await ask(asked);
        } catch (error) {
          throw record.failed(error);
        }
      },
    },
    bytes: record.bytes,
    explain: record.explain,
    close,
    [Symbol.asyncDispose]: close,
  };
}

function createAsk({ repository, limits, dispatcher, signal }: Way, record: SessionRecord): (asked: GitHttpRequest) => Promise<GitHttpResponse> {
  const { url: base, auth } = repository;
  // Where a redirect has led: what follows goes there too.
  let movedTo: string | undefined;

  const send = async (url: string, { method = 'GET', headers = {} }: GitHttpRequest, body: Buffer | null): Promise<Dispatcher.ResponseData> =>
    request(url, {
      method: method as 'GET' | 'POST',
      headers: { ...headers, ...authorization(auth), 'user-agent': 'git/setpoint' },
      body,
      dispatcher,
      headersTimeout: limits.idleMs,
      bodyTimeout: limits.idleMs,
      signal,
    });

  return async (asked) => {
    const { url, method = 'GET' } = asked;
    const rest = url.slice(base.length);
    const body = asked.body === undefined ? null : Buffer.concat(await Array.fromAsync(asked.body));
    let response = await send((movedTo ?? base) + rest, asked, body);
    if (isRedirect(response.statusCode) && movedTo === undefined) {
      await response.body.dump();
      movedTo = redirectTarget({ base, rest, status: response.statusCode, location: headerOf(response, 'location') });
      response = await send(movedTo + rest, asked, body);
    }
    if (response.statusCode !== 200) {
      await response.body.dump();
      const retryAfter = headerOf(response, 'retry-after');
      throw statusError({ url: base, status: response.statusCode, isAnonymous: auth.type === 'none', ...(retryAfter !== undefined && { retryAfter }) });
    }
    const type = headerOf(response, 'content-type') ?? '';
    // Where it is a page, isomorphic-git would read all of it to say so less clearly.
    if (type.split(';')[0] !== `application/x-git-upload-pack-${method === 'GET' ? 'advertisement' : 'result'}`) {
      await response.body.dump();
      throw new SetpointError('RepositoryInvalid', `${base} does not answer as a Git repository: check the URL`);
    }
    return {
      url,
      method,
      statusCode: 200,
      statusMessage: '',
      headers: { 'content-type': type },
      body: record.counted(response.body),
    };
  };
}

function isRedirect(status: number): boolean {
  return [301, 302, 303, 307, 308].includes(status);
}

function headerOf({ headers }: Dispatcher.ResponseData, name: string): string | undefined {
  const value = headers[name];
  return Array.isArray(value) ? value[0] : value;
}

function authorization(auth: HttpAuth): Readonly<Record<string, string>> {
  if (auth.type === 'none') return {};
  return { authorization: auth.type === 'bearer' ? `Bearer ${auth.token}` : basic(auth.username, auth.password) };
}

function basic(username: string, password: string): string {
  return `Basic ${Buffer.from(`${username}:${password}`).toString('base64')}`;
}

function createDispatcher({ tls, proxy }: HttpRepository, { connectMs }: TransportLimits): Dispatcher {
  const { ca, cert, key, insecure } = tls;
  const connect = {
    ...(ca !== undefined && { ca }),
    ...(cert !== undefined && { cert }),
    ...(key !== undefined && { key }),
    ...(insecure === true && { rejectUnauthorized: false }),
    timeout: connectMs,
  };
  // One answer after the other on a connection; a quiet one is given up before most servers do so.
  const pool = { connections: 4, allowH2: false, keepAliveTimeout: 15_000 };
  if (proxy === undefined) return new Agent({ ...pool, connect });
  const token = proxy.username === undefined ? undefined : basic(proxy.username, proxy.password ?? '');
  return new ProxyAgent({ ...pool, uri: proxy.url, ...(token !== undefined && { token }), requestTls: connect, proxyTls: { timeout: connectMs } });
}
