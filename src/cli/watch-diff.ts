import { watch } from 'node:fs';
import { stat } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Cluster } from '../cluster/index.ts';
import { followWith } from '../cluster/index.ts';
import { describeChange, liveDigest } from '../diff/index.ts';
import { retryOf, toSetpointError } from '../model/index.ts';
import { createMemory, createStandings, type Standing } from '../reconcile/index.ts';
import { createBell } from './bell.ts';
import { createNews, type Look, type News } from './news.ts';

interface WatchOptions {
  readonly cluster: Cluster;
  /** A folder or a file whose changes matter too; `-` for none. */
  readonly path: string;
  /** What the files come to now, where they may lie elsewhere too: the same value while nothing has changed. */
  readonly read?: () => Promise<unknown>;
  readonly compare: (standing: Standing, discover: Cluster['discover']) => Promise<Look>;
  readonly print: (look: Look, news: News) => Promise<void>;
  readonly warn: (text: string) => void;
  readonly signal: AbortSignal;
}

// Changes come in bursts: a rollout, a deploy, a file that an editor writes in two steps.
const calmMs = 200;
// What no event tells of: a schema, a webhook's mind, a network file system.
const sweepMs = 60_000;
const retryMs = 2000;
// Files outside of the folder are looked at so often.
const pollMs = 2000;

/** Compares, prints, and then prints what has become different, until it is called off. */
export async function watchDiff({ cluster, path, read, compare, print, warn, signal }: WatchOptions): Promise<void> {
  const now = (): Date => new Date();
  const log = { info: () => undefined, warn: (_message: string, fields?: object) => warn(describeWarning(fields)), error: () => undefined };
  const bell = createBell();
  const live = cluster.watch({ digest: liveDigest, describeChange, log, now });
  const definitions = cluster.watchDefinitions({ log: { ...log, warn: () => undefined }, now });
  live.onChange(bell.ring);
  definitions.onChange(bell.ring);
  const files = path === '-' ? undefined : await watchFiles(path, bell.ring);
  const poll = read === undefined ? undefined : pollFiles(read, bell.ring);
  const standings = createStandings({ watch: followWith(live, definitions), createMemory: () => createMemory({ now: () => performance.now(), random: Math.random, salt: '' }) });
  const standing: Standing = { ...standings.of('files'), agreed: undefined };
  const newsIn = createNews();
  let isFirst = true;
  try {
    while (!signal.aborted) {
      const heard = bell.wait(sweepMs, signal);
      const look = await compare(standing, definitions.discover).catch((error: unknown) => {
        signal.throwIfAborted();
        const { code, message } = toSetpointError(error);
        // What never worked, and will not by itself, is no reason to stay.
        if (isFirst && (retryOf(code) === 'changed' || code === 'ClusterUnauthorized')) throw error;
        warn(message);
        return undefined;
      });
      if (look === undefined) {
        await Promise.race([heard, sleep(retryMs, undefined, { signal })]);
        continue;
      }
      isFirst = false;
      await print(look, newsIn(look));
      await heard;
      await sleep(calmMs, undefined, { signal });
    }
  } catch (error) {
    if (!signal.aborted) throw error;
  } finally {
    // Whoever still waits for it would keep the process.
    bell.ring();
    files?.close();
    poll?.close();
  }
}

function describeWarning(fields: object = {}): string {
  const { place, reason } = fields as { readonly place?: string; readonly reason?: string };
  return `${place ?? 'a watch'}: ${reason ?? 'does not work'}`;
}

async function watchFiles(path: string, changed: () => void): Promise<{ close(): void }> {
  const isFolder = (await stat(path)).isDirectory();
  const watcher = watch(path, { recursive: isFolder }, changed);
  // A file that is replaced or gone: the next look says what there is to say.
  watcher.on('error', changed);
  return watcher;
}

function pollFiles(read: () => Promise<unknown>, changed: () => void): { close(): void } {
  let last: unknown;
  let isReading = false;
  const look = async (): Promise<void> => {
    // What fails now is told by the next look.
    const now = await read().catch(() => undefined);
    if (last !== undefined && now !== last) changed();
    last = now;
    isReading = false;
  };
  const timer = setInterval(() => {
    if (isReading) return;
    isReading = true;
    void look();
  }, pollMs);
  return { close: () => clearInterval(timer) };
}
