import { createServer } from 'node:net';
import { once } from 'node:events';

/** A port of 127.0.0.1 that nothing listens on, for servers that cannot choose one themselves. */
export async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  server.close();
  await once(server, 'close');
  if (address === null || typeof address === 'string') throw new Error('no port was given out');
  return address.port;
}
