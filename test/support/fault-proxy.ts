// A TCP proxy on loopback that misbehaves on request. It sees bytes, not what they mean: TLS goes through it untouched.
import { once } from 'node:events';
import { connect, createServer, type AddressInfo, type Server, type Socket } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';

export interface ProxiedConnection {
  /** How many bytes of answers went through. */
  readonly answered: number;
  /** Both ends see a reset. */
  reset(): void;
  /** Both ends see an orderly end. */
  end(): void;
  /** Half open: what either end sends is taken and goes nowhere, and neither end hears of it. */
  stall(): void;
  /** Answers come this much later. */
  delay(ms: number): void;
  /** Answers come no faster than this. */
  throttle(bytesPerSecond: number): void;
  /** Cut off as soon as so many more bytes of answers went through. */
  truncateAfter(bytes: number): void;
}

export interface FaultProxy extends AsyncDisposable {
  readonly port: number;
  /** Those that are open now, oldest first. */
  readonly connections: readonly ProxiedConnection[];
  /** Done to every connection as it comes, in place of what was done before. */
  treatNew(treatment: (connection: ProxiedConnection) => void): void;
  /** From now on new connections are refused. */
  refuse(): Promise<void>;
  accept(): Promise<void>;
  stop(): Promise<void>;
}

export async function startFaultProxy(target: { readonly host: string; readonly port: number }): Promise<FaultProxy> {
  const open = new Set<ProxiedConnection>();
  let treatment: (connection: ProxiedConnection) => void = () => undefined;
  const take = (client: Socket): void => {
    const connection = carry(client, connect(target), () => open.delete(connection));
    open.add(connection);
    treatment(connection);
  };
  let server = await listen(take, 0);
  const { port } = server.address() as AddressInfo;
  const refuse = async (): Promise<void> => {
    if (!server.listening) return;
    const closed = once(server, 'close');
    server.close();
    // A server is closed when its connections are: whoever waits for this wants them gone.
    for (const connection of open) connection.reset();
    await closed;
  };
  return {
    port,
    get connections() {
      return [...open];
    },
    treatNew(next) {
      treatment = next;
    },
    refuse,
    async accept() {
      if (!server.listening) server = await listen(take, port);
    },
    stop: refuse,
    [Symbol.asyncDispose]: refuse,
  };
}

async function listen(take: (client: Socket) => void, port: number): Promise<Server> {
  // Half-open sockets are this proxy's business: Node would answer an end with an end.
  const server = createServer({ allowHalfOpen: true }, take).listen(port, '127.0.0.1');
  await once(server, 'listening');
  return server;
}

function carry(client: Socket, server: Socket, gone: () => void): ProxiedConnection {
  let answered = 0;
  let stalled = false;
  let delayMs = 0;
  let bytesPerSecond = Number.POSITIVE_INFINITY;
  let left = Number.POSITIVE_INFINITY;
  // What was sent late is not overtaken by what comes after it.
  let line: Promise<void> = Promise.resolve();

  const reset = (): void => {
    client.resetAndDestroy();
    server.resetAndDestroy();
    gone();
  };
  const forward = (chunk: Buffer): void => {
    if (stalled || client.destroyed) return;
    const part = chunk.subarray(0, left);
    left -= part.length;
    answered += part.length;
    client.write(part);
    if (left > 0) return;
    client.destroySoon();
    server.destroy();
    gone();
  };
  const later = async (before: Promise<void>, chunk: Buffer, ms: number): Promise<void> => {
    await before;
    await pause(ms);
    forward(chunk);
    server.resume();
  };
  client.on('data', (chunk: Buffer) => stalled || server.destroyed || server.write(chunk));
  server.on('data', (chunk: Buffer) => {
    const wait = delayMs + (chunk.length / bytesPerSecond) * 1000;
    if (wait === 0) {
      forward(chunk);
      return;
    }
    server.pause();
    line = later(line, chunk, wait);
  });
  const other = new Map([
    [client, server],
    [server, client],
  ]);
  for (const [socket, peer] of other) {
    socket.on('end', () => stalled || peer.end());
    socket.on('error', () => stalled || peer.resetAndDestroy());
    socket.on('close', () => {
      if (client.destroyed && server.destroyed) gone();
    });
  }
  return {
    get answered() {
      return answered;
    },
    reset,
    end() {
      client.end();
      server.end();
    },
    stall() {
      stalled = true;
    },
    delay(ms) {
      delayMs = ms;
    },
    throttle(rate) {
      bytesPerSecond = rate;
    },
    truncateAfter(bytes) {
      left = bytes;
    },
  };
}
