// Where alerts are sent in tests: it answers as the services do on bad days.
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { pipeline } from 'node:stream/promises';
import { waitFor } from './wait-for.ts';

export interface SentRequest {
  readonly method: string;
  /** With the query. */
  readonly path: string;
  readonly headers: IncomingMessage['headers'];
  readonly body: string;
  /** The body as JSON, or undefined when it is none. */
  readonly json: unknown;
}

export interface PlainAnswer {
  readonly status: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
}

/**
 * `hang` reads the request and never answers; `half` says 200 and never ends; `reset` cuts the connection; `huge` is 200 and 10 MB.
 * `echo` quotes everything that was sent.
 */
export type AlertAnswer = 'hang' | 'half' | 'reset' | 'huge' | { readonly echo: number } | PlainAnswer;

export interface AlertSink extends AsyncDisposable {
  readonly url: string;
  /** `127.0.0.1:1234`. */
  readonly host: string;
  readonly requests: readonly SentRequest[];
  /** How much of the 10 MB left, once the sender has had enough; undefined before. */
  hugeBytes(): number | undefined;
  answerWith(answer: AlertAnswer): void;
  /** The next requests are answered so, one each, in this order. */
  answerNext(...answers: readonly AlertAnswer[]): void;
  waitForRequests(count: number): Promise<readonly SentRequest[]>;
}

export const answers = {
  html: { status: 200, headers: { 'content-type': 'text/html' }, body: '<!doctype html><title>Sign in</title><p>Please sign in.' },
  unavailable: { status: 503, headers: { 'content-type': 'text/html' }, body: '<html><h1>503 Service Unavailable</h1></html>' },
  limited: (seconds: number): PlainAnswer => ({ status: 429, headers: { 'retry-after': String(seconds) } }),
  redirect: (location: string): PlainAnswer => ({ status: 302, headers: { location } }),
} as const;

const piece = Buffer.alloc(16 * 1024, 'x');
const pieces = 640;

export async function startAlertSink(first: AlertAnswer = { status: 200 }): Promise<AlertSink> {
  const requests: SentRequest[] = [];
  const next: AlertAnswer[] = [];
  let always = first;
  let hugeBytes: number | undefined;

  async function take(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const body = await text(request);
    const { method = '', url: path = '', headers } = request;
    const sent = { method, path, headers, body, json: parse(body) };
    requests.push(sent);
    const answer = next.shift() ?? always;
    if (answer === 'huge') hugeBytes = await sendHuge(response);
    else reply({ response, sent, answer });
  }

  const server = createServer((request, response) => {
    // A sender that goes away before its request is complete.
    take(request, response).catch(() => request.socket.destroy());
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const host = `127.0.0.1:${(server.address() as AddressInfo).port}`;

  return {
    url: `http://${host}`,
    host,
    requests,
    hugeBytes: () => hugeBytes,
    answerWith: (answer) => {
      always = answer;
    },
    answerNext: (...given) => {
      next.push(...given);
    },
    async waitForRequests(count) {
      await waitFor(() => requests.length >= count, { what: `${count} requests to the sink` });
      return requests;
    },
    async [Symbol.asyncDispose]() {
      const closed = once(server.close(), 'close');
      server.closeAllConnections();
      await closed;
    },
  };
}

function reply({ response, sent, answer }: { readonly response: ServerResponse; readonly sent: SentRequest; readonly answer: Exclude<AlertAnswer, 'huge'> }): void {
  if (answer === 'hang') return;
  if (answer === 'reset') response.socket?.resetAndDestroy();
  else if (answer === 'half') response.writeHead(200).write('o');
  else if ('echo' in answer) response.writeHead(answer.echo).end([sent.path, ...Object.values(sent.headers), sent.body].join('\n'));
  else response.writeHead(answer.status, answer.headers).end(answer.body);
}

/** No more is made than the other side takes. */
async function sendHuge(response: ServerResponse): Promise<number> {
  let sent = 0;
  function* content(): Iterable<Buffer> {
    for (; sent < pieces; sent++) yield piece;
  }
  // The sender closes the connection when it has read enough.
  await pipeline(Readable.from(content()), response.writeHead(200)).catch(() => undefined);
  return sent * piece.length;
}

function parse(body: string): unknown {
  try {
    return JSON.parse(body);
  } catch {
    return undefined;
  }
}
