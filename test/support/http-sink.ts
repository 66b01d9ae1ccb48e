import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { patienceMs, waitFor } from './wait-for.ts';

export interface RecordedRequest {
  readonly method: string;
  /** With the query. */
  readonly path: string;
  readonly headers: IncomingMessage['headers'];
  readonly body: string;
  /** The body as JSON, or undefined when it is none. */
  readonly json: unknown;
  /** Milliseconds since 1970. */
  readonly at: number;
}

/** `hang` reads the request and never answers; `reset` cuts the connection instead of answering. */
export type SinkAnswer =
  | 'hang'
  | 'reset'
  | { readonly status: number; readonly headers?: Readonly<Record<string, string>>; readonly body?: string };

export interface HttpSink extends AsyncDisposable {
  readonly url: string;
  readonly requests: readonly RecordedRequest[];
  /** Every request from now on is answered so, those of `answerNext` aside. At first it is 200. */
  answerWith(answer: SinkAnswer): void;
  /** The next requests are answered so, one each, in this order. */
  answerNext(...answers: readonly SinkAnswer[]): void;
  /** Until there are at least so many requests in all; they are returned. */
  waitForRequests(count: number, deadlineMs?: number): Promise<readonly RecordedRequest[]>;
  stop(): Promise<void>;
}

export const tooManyRequests = (retryAfterSeconds: number): SinkAnswer => ({
  status: 429,
  headers: { 'retry-after': String(retryAfterSeconds) },
});

export const redirectTo = (location: string, status = 302): SinkAnswer => ({ status, headers: { location } });

/** Somewhere to send alerts to: remembers every request and answers as it is told. */
export async function startHttpSink(): Promise<HttpSink> {
  const requests: RecordedRequest[] = [];
  const next: SinkAnswer[] = [];
  let always: SinkAnswer = { status: 200 };

  async function take(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const body = await text(request);
    const { method = '', url: path = '', headers } = request;
    requests.push({ method, path, headers, body, json: parse(body), at: Date.now() });
    const answer = next.shift() ?? always;
    if (answer === 'hang') return;
    if (answer === 'reset') request.socket.resetAndDestroy();
    else response.writeHead(answer.status, answer.headers).end(answer.body);
  }

  const server = createServer((request, response) => {
    // A sender that goes away before its request is complete.
    take(request, response).catch(() => request.socket.destroy());
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');

  let stopped: Promise<unknown> | undefined;
  async function stop(): Promise<void> {
    stopped ??= once(server.close(), 'close');
    server.closeAllConnections();
    await stopped;
  }

  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    requests,
    answerWith: (answer) => {
      always = answer;
    },
    answerNext: (...answers) => {
      next.push(...answers);
    },
    async waitForRequests(count, deadlineMs = patienceMs) {
      await waitFor(() => requests.length >= count, { what: `${count} requests to the sink`, deadlineMs });
      return requests;
    },
    stop,
    [Symbol.asyncDispose]: stop,
  };
}

function parse(body: string): unknown {
  try {
    return JSON.parse(body);
  } catch {
    return undefined;
  }
}
