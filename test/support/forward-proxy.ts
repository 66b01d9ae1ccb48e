import { once } from 'node:events';
import { createServer, request } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface ForwardProxy extends AsyncDisposable {
  readonly port: number;
  /** Method and whole URL of each. */
  readonly requests: readonly string[];
}

interface ForwardProxyOptions {
  /** Where what a URL names really is. */
  readonly route?: (url: string) => string;
}

/** A proxy for plain HTTP: clients give it whole URLs, and it asks for them itself (RFC 9112, 3.2.2). */
export async function startForwardProxy({ route = (url) => url }: ForwardProxyOptions = {}): Promise<ForwardProxy> {
  const requests: string[] = [];
  const server = createServer((incoming, response) => {
    const { method, url = '', headers } = incoming;
    requests.push(`${method} ${url}`);
    const onward = request(route(url), { ...(method !== undefined && { method }), headers }, (answer) => {
      response.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.pipe(response);
    });
    onward.on('error', () => response.destroy());
    incoming.pipe(onward);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    port: (server.address() as AddressInfo).port,
    requests,
    async [Symbol.asyncDispose]() {
      const closed = once(server.close(), 'close');
      server.closeAllConnections();
      await closed;
    },
  };
}
