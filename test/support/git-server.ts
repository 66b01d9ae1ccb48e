import { once } from 'node:events';
import { mkdir } from 'node:fs/promises';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { answerWithGit } from './git-http-backend.ts';
import { createRepository, type Repository } from './git-repository.ts';
import { tempFolder } from './temp-folder.ts';

export interface GitServerOptions {
  /** With both, every request needs them. */
  readonly username?: string;
  readonly password?: string;
}

export interface GitRequest {
  readonly method: string;
  /** With the query. */
  readonly path: string;
  /** What it was answered with; undefined as long as it was not. */
  status: number | undefined;
  /** Bytes of the answer's body. */
  sent: number;
}

/**
 * `status` answers with an error, `hang` not at all, `reset` cuts the connection before any answer. `cut` lets the
 * first bytes of a body through and then cuts the connection; it waits for a body that is longer than that.
 */
export type GitFault =
  | { readonly type: 'status'; readonly status: number; readonly headers?: Readonly<Record<string, string>> }
  | { readonly type: 'hang' }
  | { readonly type: 'reset' }
  | { readonly type: 'cut'; readonly afterBytes: number };

export interface GitServer extends AsyncDisposable {
  url(name: string): string;
  createRepository(name: string): Promise<Repository>;
  readonly requests: readonly GitRequest[];
  /** One fault for one request: the next one, or the next that matches. */
  failNext(fault: GitFault, matching?: (request: GitRequest) => boolean): void;
  stop(): Promise<void>;
}

interface ArmedFault {
  readonly fault: GitFault;
  readonly matching: (request: GitRequest) => boolean;
}

/** Bare repositories over smart HTTP, served by git itself. */
export async function startGitServer(options: GitServerOptions = {}): Promise<GitServer> {
  const folder = await tempFolder();
  const root = join(folder.path, 'served');
  await mkdir(root);
  const requests: GitRequest[] = [];
  const armed: ArmedFault[] = [];

  async function take(incoming: IncomingMessage, response: ServerResponse): Promise<void> {
    const request: GitRequest = { method: incoming.method ?? '', path: incoming.url ?? '', status: undefined, sent: 0 };
    requests.push(request);
    const fault = armed.find(({ matching }) => matching(request));
    if (fault?.fault.type === 'hang' || fault?.fault.type === 'reset') {
      disarm(fault);
      if (fault.fault.type === 'reset') incoming.socket.resetAndDestroy();
    } else if (fault?.fault.type === 'status') {
      disarm(fault);
      refuse({ request, response }, fault.fault);
    } else if (!isAllowed(incoming.headers.authorization, options)) {
      refuse({ request, response }, { status: 401, headers: { 'www-authenticate': 'Basic realm="git"' } });
    } else {
      await answerWithGit({ root, incoming, response }, {
        onStatus: (status) => {
          request.status = status;
        },
        onBytes: (count) => {
          request.sent += count;
          if (fault?.fault.type !== 'cut' || request.sent <= fault.fault.afterBytes) return 'go on';
          disarm(fault);
          return 'cut';
        },
      });
    }
  }

  function disarm(fault: ArmedFault): void {
    armed.splice(armed.indexOf(fault), 1);
  }

  const server = createServer((incoming, response) => {
    take(incoming, response).catch((error: unknown) => response.destroy(error instanceof Error ? error : undefined));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const url = (name: string): string => `${origin}/${name}.git`;

  let stopped: Promise<unknown> | undefined;
  async function stop(): Promise<void> {
    stopped ??= once(server.close(), 'close');
    server.closeAllConnections();
    await stopped;
    await folder.remove();
  }

  return {
    url,
    createRepository: (name) => {
      const folders = { gitDir: join(root, `${name}.git`), workTree: join(folder.path, `${name}-work`) };
      return createRepository({ name, url: url(name), ...folders });
    },
    requests,
    failNext: (fault, matching = () => true) => {
      armed.push({ fault, matching });
    },
    stop,
    [Symbol.asyncDispose]: stop,
  };
}

function refuse(
  { request, response }: { readonly request: GitRequest; readonly response: ServerResponse },
  answer: { readonly status: number; readonly headers?: Readonly<Record<string, string>> },
): void {
  request.status = answer.status;
  response.writeHead(answer.status, answer.headers).end();
}

function isAllowed(authorization: string | undefined, { username, password }: GitServerOptions): boolean {
  if (username === undefined || password === undefined) return true;
  return authorization === `Basic ${Buffer.from(`${username}:${password}`).toString('base64')}`;
}
