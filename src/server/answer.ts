import type { FastifyReply } from 'fastify';
import type { SetTimer } from './deadline.ts';

export interface Answer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

const lingerMs = 500;

/**
 * Sends the answer. Where the request has a body that was not read, the connection ends: the answer is whole as soon as it is
 * written, and the sender gets a moment to read it, because closing at once would reset the connection and take it away from him.
 */
export async function answer(reply: FastifyReply, { status, headers, body }: Answer, setTimer: SetTimer): Promise<void> {
  const { raw: request } = reply.request;
  // A short body comes with its headers, and is there when they have been dealt with.
  if (hasBody(request.headers) && !request.complete) await new Promise((resolve) => setImmediate(resolve));
  if (!hasBody(request.headers) || request.complete) {
    await reply.code(status).headers(headers).send(body);
    return;
  }
  reply.hijack();
  const { socket } = request;
  if (socket.destroyed) return;
  reply.raw.writeHead(status, { ...headers, 'content-length': Buffer.byteLength(body), connection: 'close' });
  reply.raw.write(body);
  socket.once('close', setTimer(() => socket.destroy(), lingerMs));
}

function hasBody(headers: FastifyReply['request']['headers']): boolean {
  return headers['transfer-encoding'] !== undefined || (headers['content-length'] ?? '0') !== '0';
}
