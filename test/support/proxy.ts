// Proxies on loopback that remember where they were asked to connect, and how much came back.
import { once } from 'node:events';
import { createServer as createHttpServer, type Server as HttpServer } from 'node:http';
import { createServer as createHttpsServer } from 'node:https';
import { connect, createServer, type AddressInfo, type Server, type Socket } from 'node:net';

export interface Proxy extends AsyncDisposable {
  readonly port: number;
  /** `host:port`, one for each connection. */
  readonly targets: readonly string[];
  /** How many bytes have come back from the targets. */
  received(): number;
}

interface HttpProxyOptions {
  readonly tls?: { readonly cert: string; readonly key: string };
  /** `user:password` that a client has to give. */
  readonly login?: string;
}

export async function startHttpProxy({ tls, login }: HttpProxyOptions = {}): Promise<Proxy> {
  const record = createRecord();
  const server: HttpServer = tls === undefined ? createHttpServer() : createHttpsServer(tls);
  const expected = login === undefined ? undefined : `Basic ${Buffer.from(login).toString('base64')}`;
  server.on('connect', (request, client: Socket, head) => {
    if (request.headers['proxy-authorization'] !== expected) {
      client.end('HTTP/1.1 407 Proxy Authentication Required\r\n\r\n');
      return;
    }
    const [host = '', port = ''] = (request.url ?? '').split(':');
    record.tunnel({ client, host, port: Number(port), greet: () => client.write('HTTP/1.1 200 OK\r\n\r\n'), head });
  });
  return record.serve(server);
}

/** SOCKS 5 without a login (RFC 1928): CONNECT to an IPv4 address or a name. */
export async function startSocksProxy(): Promise<Proxy> {
  const record = createRecord();
  const server = createServer((client) => {
    client.once('data', () => {
      client.write(Buffer.from([5, 0]));
      client.once('data', (request: Buffer) => {
        const isName = request[3] === 3;
        const end = isName ? 5 + (request[4] ?? 0) : 8;
        const host = isName ? request.subarray(5, end).toString() : request.subarray(4, end).join('.');
        record.tunnel({ client, host, port: request.readUInt16BE(end), greet: () => client.write(Buffer.from([5, 0, 0, 1, 0, 0, 0, 0, 0, 0])), head: Buffer.alloc(0) });
      });
    });
  });
  return record.serve(server);
}

interface Tunnel {
  readonly client: Socket;
  readonly host: string;
  readonly port: number;
  readonly head: Buffer;
  greet(): void;
}

function createRecord(): { tunnel(tunnel: Tunnel): void; serve(server: Server): Promise<Proxy> } {
  const targets: string[] = [];
  const sockets = new Set<Socket>();
  let received = 0;
  return {
    tunnel({ client, host, port, head, greet }) {
      targets.push(`${host}:${port}`);
      const target = connect(port, host, () => {
        greet();
        target.write(head);
        client.pipe(target).pipe(client);
      });
      target.on('data', (piece: Buffer) => {
        received += piece.length;
      });
      for (const [one, other] of [[client, target], [target, client]] as const) one.on('error', () => other.destroy()).on('close', () => other.destroy());
      sockets.add(client).add(target);
    },
    async serve(server) {
      server.listen(0, '127.0.0.1');
      await once(server, 'listening');
      return {
        port: (server.address() as AddressInfo).port,
        targets,
        received: () => received,
        async [Symbol.asyncDispose]() {
          for (const socket of sockets) socket.destroy();
          server.close();
          await once(server, 'close');
        },
      };
    },
  };
}
