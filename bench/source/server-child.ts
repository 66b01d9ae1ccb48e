// A process with the git server: what it does is nobody else's time, memory or stall.
import { startGitServer } from '../../test/support/git-server.ts';

/** First of all, and then what was asked of the server whenever somebody wants to know. */
export type FromServer =
  | { readonly type: 'started'; readonly url: string; readonly gitDir: string }
  | { readonly type: 'asked'; readonly requests: number; readonly bytes: number };

const server = await startGitServer();
const { url, gitDir } = await server.createRepository('fleet');
const tell = (message: FromServer): void => void process.send?.(message);

process.on('message', () => tell({ type: 'asked', requests: server.requests.length, bytes: server.requests.reduce((sum, { sent }) => sum + sent, 0) }));
process.once('disconnect', () => void server.stop());
for (const name of ['SIGINT', 'SIGTERM'] as const) process.on(name, () => undefined);
tell({ type: 'started', url, gitDir });
