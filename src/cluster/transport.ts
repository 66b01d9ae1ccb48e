import { setTimeout as pause } from 'node:timers/promises';
import { promisify } from 'node:util';
import { gunzip } from 'node:zlib';
import { request, type Dispatcher } from 'undici';
import { SetpointError } from '../model/index.ts';
import type { Credentials } from './auth/credentials.ts';
import { createDispatchers, type Dispatchers } from './dispatchers.ts';
import type { Connection } from './kubeconfig.ts';
import { answerMs, unreachable } from './unreachable.ts';

export interface ApiRequest {
  readonly method: 'GET' | 'PATCH' | 'POST' | 'PUT' | 'DELETE';
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
  /** What the server's clock said, in whole seconds. */
  readonly date?: Date;
  readonly body: AsyncIterable<Uint8Array>;
}

export interface Transport {
  /** Every answer of the server is a value; only what kept us from an answer is thrown. Waits where the server is too busy. */
  send(request: ApiRequest): Promise<ApiAnswer>;
  /** Like `send`, on a connection of its own, without a limit of time (only `signal` ends it) and without waiting. */
  stream(request: ApiRequest): Promise<ApiStream>;
  close(): Promise<void>;
}

const connections = 8;
/** What a busy server may ask us to wait, and how often. */
const longestWaitMs = 10_000;
const waits = 3;
/** Of one answer when it is unpacked: far more than any page of a list. */
const longestAnswer = 256 * 1024 * 1024;

/** How a request is carried, beside what it says. */
interface Way {
  readonly dispatchers: Dispatchers;
  readonly headers: Readonly<Record<string, string>>;
  /** Made when the request goes out: getting credentials may take longer than an answer. */
  signal(): AbortSignal;
}

export function createTransport(connection: Connection): Transport {
  const { proxyUrl, compression } = connection;
  const requests = createDispatchers({ proxyUrl, connections });
  // A watch holds its connection: among the requests' few it would starve them.
  const streams = createDispatchers({ proxyUrl });

  const ask = (wanted: ApiRequest, credentials: Credentials, way: Way): Promise<Dispatcher.ResponseData> => {
    const { method, path, query = {}, accept = 'application/json', contentType, body } = wanted;
    const url = new URL(connection.server.replace(/\/$/, '') + path);
    for (const [name, value] of Object.entries(query)) url.searchParams.set(name, value);
    const signal = way.signal();
    const asked = request(url, {
      method,
      dispatcher: way.dispatchers.for(credentials.tls),
      headers: {
        ...credentials.headers,
        ...way.headers,
        accept,
        'user-agent': 'setpoint',
        ...(contentType === undefined ? {} : { 'content-type': contentType }),
      },
      body: body ?? null,
      // The time between two pieces of an answer: a watch may be quiet for as long as it likes.
      bodyTimeout: 0,
      signal,
    });
    // undici tells of the signal only once it has a connection, and one that hangs takes 10 s to fail. What was left is never sent.
    return untilAborted(asked, signal);
  };

  const open = async (wanted: ApiRequest, way: Way): Promise<Dispatcher.ResponseData> => {
    const credentials = await untilAborted(connection.credentials(), wanted.signal);
    const response = await ask(wanted, credentials, way);
    if (response.statusCode !== 401) return response;
    // A token may end before its time. Others are tried once; where there are none, this is the answer.
    let others: Credentials | undefined;
    try {
      others = await untilAborted(connection.credentials(credentials), wanted.signal);
    } finally {
      if (others !== credentials) await response.body.dump();
    }
    return others === credentials ? response : ask(wanted, others, way);
  };

  const explained = async <T>(signal: AbortSignal, work: Promise<T>): Promise<T> => {
    try {
      return await work;
    } catch (error) {
      signal.throwIfAborted();
      throw error instanceof SetpointError ? error : unreachable(connection, error);
    }
  };

  const sendOnce = async (wanted: ApiRequest): Promise<ApiAnswer> => {
    const response = await open(wanted, {
      dispatchers: requests,
      headers: compression ? { 'accept-encoding': 'gzip' } : {},
      signal: () => AbortSignal.any([wanted.signal, AbortSignal.timeout(answerMs)]),
    });
    return { status: response.statusCode, ...retryAfter(response), text: await textOf(response) };
  };

  return {
    async send(wanted) {
      for (let waited = 0; ; waited += 1) {
        const answer = await explained(wanted.signal, sendOnce(wanted));
        // The server has not begun to work on what it answers 429 to, so that an apply may be sent again too.
        if (answer.status !== 429 || waited === waits) return answer;
        await explained(wanted.signal, pause(Math.min(answer.retryAfterMs ?? 1000, longestWaitMs), undefined, { signal: wanted.signal }));
      }
    },
    async stream(wanted) {
      const way = { dispatchers: streams, headers: {}, signal: () => wanted.signal };
      const response = await explained(wanted.signal, open(wanted, way));
      return { status: response.statusCode, ...retryAfter(response), ...dateOf(response), body: response.body };
    },
    async close() {
      await Promise.all([requests.close(), streams.destroy()]);
    },
  };
}

const unpack = promisify(gunzip) as (packed: ArrayBuffer, options: { readonly maxOutputLength: number }) => Promise<Buffer>;

async function textOf({ headers, body }: Dispatcher.ResponseData): Promise<string> {
  if (headers['content-encoding'] !== 'gzip') return body.text();
  return (await unpack(await body.arrayBuffer(), { maxOutputLength: longestAnswer })).toString('utf8');
}

function retryAfter({ headers }: Dispatcher.ResponseData): { readonly retryAfterMs?: number } {
  const seconds = Number(headers['retry-after']);
  return headers['retry-after'] !== undefined && Number.isFinite(seconds) && seconds >= 0 ? { retryAfterMs: seconds * 1000 } : {};
}

function dateOf({ headers }: Dispatcher.ResponseData): { readonly date?: Date } {
  const date = Date.parse(String(headers['date']));
  return Number.isNaN(date) ? {} : { date: new Date(date) };
}

/** Who leaves only leaves: others may be waiting for the same. */
function untilAborted<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    const leave = (): void => reject(signal.reason as Error);
    signal.addEventListener('abort', leave, { once: true });
    if (signal.aborted) leave();
    work.then(resolve, reject).finally(() => signal.removeEventListener('abort', leave));
  });
}
