import { once } from 'node:events';
import { connect } from 'node:net';
import { waitFor } from '../../support/wait-for.ts';

export interface RawConnection extends Disposable {
  /** What the server has said so far. */
  received(): string;
  readonly isClosed: boolean;
  write(data: string | Buffer): void;
  /** Sends it again and again, as fast as it is taken, until so many bytes were or the server ends it. Says how many were. */
  pour(chunk: Buffer, bytes: number): Promise<number>;
  /** Says that nothing more will come. */
  end(): void;
  answer(): Promise<string>;
  closed(): Promise<void>;
}

/** Bytes to the server as they are, with nobody between who would correct them. */
export async function connectRaw(port: number): Promise<RawConnection> {
  const socket = connect({ port, host: '127.0.0.1', allowHalfOpen: true });
  let text = '';
  let isClosed = false;
  socket.on('data', (chunk) => {
    text += chunk.toString();
  });
  // A reset is one of the ways in which a server ends a connection.
  socket.on('error', () => undefined);
  socket.on('end', () => {
    isClosed = true;
  });
  socket.on('close', () => {
    isClosed = true;
  });
  await once(socket, 'connect');
  /** Settles when the socket takes more, or never will. */
  const writable = (): Promise<void> =>
    new Promise((resolve) => {
      if (!socket.writableNeedDrain || isClosed) return resolve();
      const settle = (): void => {
        for (const event of ['drain', 'end', 'close']) socket.off(event, settle);
        resolve();
      };
      for (const event of ['drain', 'end', 'close']) socket.on(event, settle);
    });
  return {
    received: () => text,
    get isClosed() {
      return isClosed;
    },
    write: (data) => socket.write(data),
    async pour(chunk, bytes) {
      let sent = 0;
      while (sent < bytes && socket.writable && !socket.readableEnded) {
        socket.write(chunk);
        sent += chunk.length;
        await writable();
      }
      return sent;
    },
    end: () => socket.end(),
    async answer() {
      await waitFor(() => text.includes('\r\n\r\n'), { what: 'an answer' });
      return text.split('\r\n', 1)[0] ?? '';
    },
    async closed() {
      await waitFor(() => isClosed, { what: 'the server to end the connection' });
    },
    [Symbol.dispose]: () => socket.destroy(),
  };
}
