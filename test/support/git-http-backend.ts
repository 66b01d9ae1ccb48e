import { spawn } from 'node:child_process';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Readable } from 'node:stream';
import { gitEnvironment } from './git-command.ts';

export interface GitExchange {
  /** The folder with the bare repositories. */
  readonly root: string;
  readonly incoming: IncomingMessage;
  readonly response: ServerResponse;
}

export interface GitObserver {
  onStatus(status: number): void;
  /** Called before bytes are sent; `cut` sends none of them and cuts the connection. */
  onBytes(count: number): 'go on' | 'cut';
}

/** Lets `git http-backend` (a CGI program) answer one request. */
export async function answerWithGit({ root, incoming, response }: GitExchange, observer: GitObserver): Promise<void> {
  const { pathname, search } = new URL(incoming.url ?? '', 'http://server');
  const { headers } = incoming;
  const backend = spawn('git', ['http-backend'], {
    stdio: ['pipe', 'pipe', 'ignore'],
    env: {
      ...gitEnvironment(0),
      GIT_PROJECT_ROOT: root,
      GIT_HTTP_EXPORT_ALL: '1',
      PATH_INFO: decodeURIComponent(pathname),
      QUERY_STRING: search.slice(1),
      REQUEST_METHOD: incoming.method,
      REMOTE_ADDR: '127.0.0.1',
      CONTENT_TYPE: headers['content-type'],
      CONTENT_LENGTH: headers['content-length'],
      HTTP_CONTENT_ENCODING: headers['content-encoding'],
      GIT_PROTOCOL: String(headers['git-protocol'] ?? ''),
    },
  });
  // It may have had enough before it has read everything.
  backend.stdin.on('error', () => undefined);
  incoming.pipe(backend.stdin);
  response.once('close', () => backend.kill());

  const body = await readHead(backend.stdout, (status, fields) => {
    observer.onStatus(status);
    response.writeHead(status, fields);
  });
  for await (const chunk of body) {
    if (observer.onBytes(chunk.length) === 'cut') {
      incoming.socket.resetAndDestroy();
      return;
    }
    response.write(chunk);
  }
  response.end();
}

/** Takes the CGI header off a stream and gives back what follows it. */
async function readHead(
  output: Readable,
  onHead: (status: number, fields: Record<string, string>) => void,
): Promise<AsyncIterable<Buffer>> {
  const chunks: AsyncIterator<Buffer> = output[Symbol.asyncIterator]();
  let start: Buffer = Buffer.alloc(0);
  let end = -1;
  while (end === -1) {
    const { done, value } = await chunks.next();
    if (done === true) throw new Error('git http-backend ended without an answer');
    start = Buffer.concat([start, value]);
    end = start.indexOf('\r\n\r\n');
  }
  const fields = Object.fromEntries(
    start
      .subarray(0, end)
      .toString()
      .split('\r\n')
      .map((line): [string, string] => {
        const colon = line.indexOf(':');
        return [line.slice(0, colon).toLowerCase(), line.slice(colon + 1).trim()];
      }),
  );
  const { status = '200', ...others } = fields;
  onHead(Number.parseInt(status, 10), others);
  const rest = start.subarray(end + 4);
  return (async function* () {
    if (rest.length > 0) yield rest;
    yield* { [Symbol.asyncIterator]: () => chunks };
  })();
}
