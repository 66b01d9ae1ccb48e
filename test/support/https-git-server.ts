import { once } from 'node:events';
import { mkdir } from 'node:fs/promises';
import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import type { TLSSocket } from 'node:tls';
import { answerWithGit } from './git-http-backend.ts';
import { createRepository, type Repository } from './git-repository.ts';
import { tempFolder } from './temp-folder.ts';

interface HttpsGitServerOptions {
  readonly cert: string;
  readonly key: string;
  /** With it a client has to show a certificate of this authority. */
  readonly clientAuthority?: string;
  /** The whole Authorization header that every request needs. */
  readonly authorization?: string;
}

export interface SeenRequest {
  readonly method: string;
  /** With the query. */
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  /** The port of the client: the same for requests on one connection. */
  readonly clientPort: number | undefined;
}

/** What is answered instead of git; undefined lets git answer. */
type Override = (request: SeenRequest) => { readonly status: number; readonly headers?: Readonly<Record<string, string>>; readonly body?: string } | 'hang' | undefined;

export interface HttpsGitServer extends AsyncDisposable {
  readonly origin: string;
  readonly port: number;
  readonly requests: readonly SeenRequest[];
  createRepository(name: string): Promise<Repository>;
  answerWith(override: Override): void;
}

/** Bare repositories over smart HTTP and TLS, served by git itself. */
export async function startHttpsGitServer({ cert, key, clientAuthority, authorization }: HttpsGitServerOptions): Promise<HttpsGitServer> {
  const folder = await tempFolder();
  const root = join(folder.path, 'served');
  await mkdir(root);
  const requests: SeenRequest[] = [];
  let override: Override = () => undefined;

  const take = async (incoming: IncomingMessage, response: ServerResponse): Promise<void> => {
    const { method = '', url = '', headers, socket } = incoming;
    const request = { method, path: url, headers, clientPort: socket.remotePort };
    requests.push(request);
    const instead = override(request);
    if (instead === 'hang') return;
    if (instead !== undefined) response.writeHead(instead.status, instead.headers).end(instead.body);
    else if (clientAuthority !== undefined && !(socket as TLSSocket).authorized) response.writeHead(403).end();
    else if (authorization !== undefined && headers.authorization !== authorization) response.writeHead(401, { 'www-authenticate': 'Basic realm="git"' }).end(`you sent ${headers.authorization}`);
    else await answerWithGit({ root, incoming, response }, { onStatus: () => undefined, onBytes: () => 'go on' });
  };

  const server = createServer({ cert, key, ...(clientAuthority !== undefined && { ca: clientAuthority, requestCert: true, rejectUnauthorized: true }) }, (incoming, response) => {
    take(incoming, response).catch(() => response.destroy());
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const origin = `https://127.0.0.1:${port}`;
  return {
    origin,
    port,
    requests,
    createRepository: (name) => createRepository({ name, url: `${origin}/${name}.git`, gitDir: join(root, `${name}.git`), workTree: join(folder.path, `${name}-work`) }),
    answerWith: (given) => {
      override = given;
    },
    async [Symbol.asyncDispose]() {
      const closed = once(server.close(), 'close');
      server.closeAllConnections();
      await closed;
      await folder.remove();
    },
  };
}
