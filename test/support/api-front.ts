// An HTTPS server in front of the real API server. It passes everything on, and answers some requests in its stead or
// spoils what they are answered: what an API server does only after hours, or behind a load balancer that is none too good.
import { once } from 'node:events';
import { Agent, request as httpsRequest, createServer } from 'node:https';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { certificateAuthority } from './certificate-authority.ts';

export interface FrontRequest {
  readonly url: URL;
  readonly isWatch: boolean;
  /** By a clock that only goes forward, in milliseconds. */
  readonly at: number;
}

/** `pass` with other parameters goes to the API server like any other; the rest never gets there. */
export type FrontAnswer =
  | { readonly status: number; readonly headers?: Readonly<Record<string, string>>; readonly body?: string }
  | { readonly pass: Readonly<Record<string, string>> };

/** The answer to a watch, under way. */
export interface FrontWatch {
  /** Sends this line between two events. */
  say(line: string): void;
  /** The answer ends as it should. */
  end(): void;
  /** The connection ends in the middle of an event. */
  cut(): void;
  /** Nothing comes any more, and the connection stays. */
  stall(): void;
}

export interface ApiFront extends AsyncDisposable {
  readonly port: number;
  /** In PEM: who vouches for it. */
  readonly authority: string;
  readonly requests: readonly FrontRequest[];
  /** Those open now that are not stalled. */
  readonly watches: readonly FrontWatch[];
  /** The next request like this is answered so; several wait for their requests in this order. */
  answerNext(isMeant: (request: FrontRequest) => boolean, answer: FrontAnswer): void;
  /** Every request like this is answered so from now on, those of `answerNext` aside. */
  answerAll(isMeant: (request: FrontRequest) => boolean, answer: FrontAnswer): void;
  /** How many of `answerNext` have not been used yet. */
  readonly unused: number;
  stop(): Promise<void>;
}

interface PlannedAnswer {
  readonly isMeant: (request: FrontRequest) => boolean;
  readonly answer: FrontAnswer;
}

export async function startApiFront(apiServer: string): Promise<ApiFront> {
  const authority = certificateAuthority();
  const { cert, key } = authority.issue({ commonName: 'front' });
  // The API server of a test, on loopback: who it is does not matter here.
  const agent = new Agent({ keepAlive: true, rejectUnauthorized: false });
  const requests: FrontRequest[] = [];
  const watches = new Set<FrontWatch>();
  const answers: PlannedAnswer[] = [];
  const rules: PlannedAnswer[] = [];

  const nextAnswer = (request: FrontRequest): FrontAnswer => {
    const at = answers.findIndex(({ isMeant }) => isMeant(request));
    const [found] = at === -1 ? rules.filter(({ isMeant }) => isMeant(request)) : answers.splice(at, 1);
    return found?.answer ?? { pass: {} };
  };

  const server = createServer({ cert, key }, (incoming, response) => {
    const url = new URL(incoming.url ?? '/', apiServer);
    const request: FrontRequest = { url, isWatch: url.searchParams.get('watch') === 'true', at: performance.now() };
    requests.push(request);
    const answer = nextAnswer(request);
    if (!('pass' in answer)) {
      response.writeHead(answer.status, { 'content-type': 'application/json', ...answer.headers }).end(answer.body);
      return;
    }
    const passed = new URL(url);
    for (const [name, value] of Object.entries(answer.pass)) passed.searchParams.set(name, value);
    const outgoing = httpsRequest(passed, { agent, method: incoming.method ?? 'GET', headers: { ...incoming.headers, host: passed.host } });
    outgoing.once('error', () => response.destroy());
    response.once('close', () => outgoing.destroy());
    outgoing.once('response', (answered) => {
      response.writeHead(answered.statusCode ?? 502, answered.headers);
      if (!request.isWatch) {
        answered.pipe(response);
        return;
      }
      response.flushHeaders();
      const watch = relayWatch(answered, response, () => watches.delete(watch));
      watches.add(watch);
    });
    incoming.pipe(outgoing);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');

  const stop = async (): Promise<void> => {
    const closed = once(server, 'close');
    server.close();
    server.closeAllConnections();
    agent.destroy();
    await closed;
  };
  return {
    port: (server.address() as AddressInfo).port,
    authority: authority.cert,
    requests,
    get watches() {
      return [...watches];
    },
    answerNext: (isMeant, answer) => void answers.push({ isMeant, answer }),
    answerAll: (isMeant, answer) => void rules.push({ isMeant, answer }),
    get unused() {
      return answers.length;
    },
    stop,
    [Symbol.asyncDispose]: stop,
  };
}

/** Passes on whole lines, so that something can be said between two of them. */
function relayWatch(answered: IncomingMessage, response: ServerResponse, over: () => void): FrontWatch {
  let rest = Buffer.alloc(0);
  let isOver = false;
  const finish = (): void => {
    isOver = true;
    over();
  };
  answered.on('data', (chunk: Buffer) => {
    if (isOver) return;
    const all = Buffer.concat([rest, chunk]);
    const end = all.lastIndexOf(10) + 1;
    response.write(all.subarray(0, end));
    rest = all.subarray(end);
  });
  answered.once('end', () => {
    if (!isOver) response.end();
    finish();
  });
  answered.once('error', () => {
    if (!isOver) response.destroy();
    finish();
  });
  response.once('close', finish);
  return {
    say: (line) => void response.write(`${line}\n`),
    end() {
      finish();
      response.end();
      answered.destroy();
    },
    cut() {
      finish();
      response.write('{"type":"MODIFIED","object":{"metadata":{"name":"ha');
      response.socket?.destroySoon();
      answered.destroy();
    },
    stall: finish,
  };
}

/** What an API server says when a resourceVersion or a page is too old. */
export const goneStatus = JSON.stringify({
  kind: 'Status',
  apiVersion: 'v1',
  metadata: {},
  status: 'Failure',
  message: 'too old resource version: 1 (1234)',
  reason: 'Expired',
  code: 410,
});
