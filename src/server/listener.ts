import type { IncomingMessage } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { fastify, type FastifyInstance, type FastifyReply } from 'fastify';
import { SetpointError } from '../model/index.ts';
import type { SetTimer } from './deadline.ts';

/** What a client may take of us. Node's own limits are five minutes for a request and no end of connections. */
export interface Limits {
  readonly headersMs: number;
  readonly requestMs: number;
  readonly keepAliveMs: number;
  /** Without a byte in either direction. */
  readonly idleMs: number;
  /** For requests under way when we stop. */
  readonly closeMs: number;
  readonly connections: number;
}

export const defaultLimits: Limits = { headersMs: 5_000, requestMs: 10_000, keepAliveMs: 5_000, idleMs: 20_000, closeMs: 5_000, connections: 1_000 };

const maxHeaderSize = 16 * 1024;

export interface Address {
  readonly host: string;
  readonly port: number;
}

export interface Listener {
  readonly address: Address;
  close(): Promise<void>;
}

/** An HTTP server that reads no body by itself and logs nothing: what comes in is for the routes alone. */
export function createHttp(limits: Limits, onUnreadable: (reply: FastifyReply) => void): FastifyInstance {
  const http = fastify({
    logger: false,
    requestTimeout: limits.requestMs,
    keepAliveTimeout: limits.keepAliveMs,
    connectionTimeout: limits.idleMs,
    // Timeouts are only noticed when connections are gone through.
    http: { maxHeaderSize, headersTimeout: limits.headersMs, connectionsCheckingInterval: Math.min(1_000, limits.headersMs / 4) },
    clientErrorHandler: endBadConnection,
    // A URL that the router cannot decode.
    frameworkErrors: (_error, _request, reply) => onUnreadable(reply),
  });
  http.server.maxConnections = limits.connections;
  http.removeAllContentTypeParsers();
  http.addContentTypeParser('*', (_request, _payload, done) => done(null));
  return http;
}

const statusByCode: Readonly<Record<string, string>> = { ERR_HTTP_REQUEST_TIMEOUT: '408 Request Timeout', HPE_HEADER_OVERFLOW: '431 Request Header Fields Too Large' };

function endBadConnection(error: Error & { readonly code: string }, socket: Socket): void {
  if (socket.writable) socket.write(`HTTP/1.1 ${statusByCode[error.code] ?? '400 Bad Request'}\r\nConnection: close\r\nContent-Length: 0\r\n\r\n`);
  socket.destroy();
}

interface Listening extends Address {
  /** What it is for, as it should read in a message. */
  readonly what: string;
  readonly limits: Limits;
  readonly setTimer: SetTimer;
}

export async function listen(http: FastifyInstance, { host, port, what, limits, setTimer }: Listening): Promise<Listener> {
  try {
    await http.listen({ host, port });
  } catch (error) {
    await http.close();
    throw new SetpointError('Usage', `the address ${host}:${port} for ${what} cannot be listened on: ${(error as { code?: string }).code ?? 'unknown reason'}`, { cause: error });
  }
  const { address, port: given } = http.server.address() as AddressInfo;
  const end = async (): Promise<void> => {
    const cancel = setTimer(() => http.server.closeAllConnections(), limits.closeMs);
    try {
      await http.close();
    } finally {
      cancel();
    }
  };
  let ended: Promise<void> | undefined;
  return {
    address: { host: address, port: given },
    close: () => (ended ??= end()),
  };
}

/** The path of a request, without its query. */
export function pathOf({ url = '' }: IncomingMessage): string {
  return url.split('?', 1)[0] ?? '';
}
