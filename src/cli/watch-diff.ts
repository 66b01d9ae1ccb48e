import { watch } from 'node:fs';
import { stat } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Cluster } from '../cluster/index.ts';
import { followWith } from '../cluster/index.ts';
import { describeChange, liveDigest } from '../diff/index.ts';
import { retryOf, stringifyJson, toSetpointError, type Diff, type Finding, type Json, type ResourceKey } from '../model/index.ts';
import { createMemory, type Standing } from '../reconcile/index.ts';

export interface Look {
  readonly diffs: readonly Diff[];
  readonly findings: readonly Finding[];
}

/** What is not as it was last told. */
export interface News {
  readonly diffs: readonly Diff[];
  /** Of those, the ones that were told of before: what is in sync now was not, then. */
  readonly again: ReadonlySet<ResourceKey>;
  /** No longer declared. */
  readonly gone: readonly ResourceKey[];
  /** All of them, where they are other ones than before. */
  readonly findings: readonly Finding[] | undefined;
}

interface WatchOptions {
  readonly cluster: Cluster;
  /** A folder or a file whose changes matter too; `-` for none. */
  readonly path: string;
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

/** Compares, prints, and then prints what has become different, until it is called off. */
export async function watchDiff({ cluster, path, compare, print, warn, signal }: WatchOptions): Promise<void> {
  const now = (): Date => new Date();
  const log = { info: () => undefined, warn: (_message: string, fields?: object) => warn(describeWarning(fields)), error: () => undefined };
  const bell = createBell();
  const live = cluster.watch({ digest: liveDigest, describeChange, log, now });
  const definitions = cluster.watchDefinitions({ log: { ...log, warn: () => undefined }, now });
  live.onChange(bell.ring);
  definitions.onChange(bell.ring);
  const files = path === '-' ? undefined : await watchFiles(path, bell.ring);
  const standing: Standing = { watch: followWith(live, definitions), memory: createMemory({ now, random: Math.random, salt: '' }), agreed: undefined };
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
    files?.close();
  }
}

/** Tells of each look what the looks before it did not. */
function createNews(): (look: Look) => News {
  let told: ReadonlyMap<ResourceKey, string> = new Map();
  let found = '[]';
  return ({ diffs, findings }) => {
    const gists = new Map(diffs.map((diff) => [diff.key, gist(diff)]));
    const all = JSON.stringify(findings);
    const news: News = {
      diffs: diffs.filter(({ key }) => told.get(key) !== gists.get(key)),
      again: new Set(told.keys()),
      gone: [...told.keys()].filter((key) => !gists.has(key)),
      findings: all === found ? undefined : findings,
    };
    [told, found] = [gists, all];
    return news;
  };
}

/** Owners and times aside, or a busy controller would fill the screen. */
function gist(diff: Diff): string {
  const values = (fields: readonly { readonly path: string; readonly live?: Json; readonly desired?: Json }[]): Json =>
    fields.map(({ path, live = null, desired = null }) => [path, live, desired]);
  const remarks = 'foreign' in diff ? [values(diff.foreign), values(diff.ignored)] : [];
  return stringifyJson([diff.type, 'message' in diff ? diff.message : null, 'changes' in diff ? values(diff.changes) : null, remarks]);
}

function describeWarning(fields: object = {}): string {
  const { place, reason } = fields as { readonly place?: string; readonly reason?: string };
  return `${place ?? 'a watch'}: ${reason ?? 'does not work'}`;
}

interface Bell {
  readonly ring: () => void;
  /** Until it has rung since this was called, or the time is over. */
  wait(forMs: number, signal: AbortSignal): Promise<void>;
}

function createBell(): Bell {
  const waiting = new Set<() => void>();
  return {
    ring() {
      for (const wake of waiting) wake();
    },
    wait: (forMs, signal) =>
      new Promise((resolve) => {
        const wake = (): void => {
          clearTimeout(timer);
          signal.removeEventListener('abort', wake);
          waiting.delete(wake);
          resolve();
        };
        const timer = setTimeout(wake, forMs);
        signal.addEventListener('abort', wake, { once: true });
        waiting.add(wake);
        if (signal.aborted) wake();
      }),
  };
}

async function watchFiles(path: string, changed: () => void): Promise<{ close(): void }> {
  const isFolder = (await stat(path)).isDirectory();
  const watcher = watch(path, { recursive: isFolder }, changed);
  // A file that is replaced or gone: the next look says what there is to say.
  watcher.on('error', changed);
  return watcher;
}
