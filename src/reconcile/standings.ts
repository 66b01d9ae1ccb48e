import type { ResourceKey } from '../model/index.ts';
import type { Memory } from './memory.ts';
import type { StandingPort, Target, WatchPort } from './ports.ts';

/** One live cache for all applications: it follows what any of them declares. */
interface SharedWatch extends Omit<WatchPort, 'follow'> {
  /** Watches these and no others. Done when what can be watched of `wanted` has been seen once. */
  follow(targets: readonly Target[], signal: AbortSignal, wanted: readonly Target[]): Promise<void>;
}

export interface Standings extends StandingPort {
  /** All of these will be asked for in a moment: they are followed at once, together. */
  expect(targetsById: ReadonlyMap<string, readonly Target[]>, signal: AbortSignal): Promise<void>;
  /** Forgets all applications but these. */
  retain(ids: ReadonlySet<string>): void;
}

interface Parts {
  readonly watch: SharedWatch;
  readonly createMemory: () => Memory;
}

/** What is known of each application from look to look. */
export function createStandings({ watch, createMemory }: Parts): Standings {
  const targetsOf = new Map<string, readonly Target[]>();
  const memories = new Map<string, Memory>();
  const declarers = new Map<ResourceKey, Set<string>>();
  // The very same list while nothing changes: then the cache need not find out that it is the same.
  let all: readonly Target[] = [];

  function declare(id: string, targets: readonly Target[]): boolean {
    const before = targetsOf.get(id);
    if (before === targets) return false;
    for (const { manifest } of before ?? []) declarers.get(manifest.key)?.delete(id);
    for (const { manifest } of targets) {
      const ids = declarers.get(manifest.key) ?? new Set();
      declarers.set(manifest.key, ids.add(id));
    }
    for (const { manifest } of before ?? []) if (declarers.get(manifest.key)?.size === 0) declarers.delete(manifest.key);
    if (targets.length > 0) targetsOf.set(id, targets);
    else targetsOf.delete(id);
    return true;
  }

  const gather = (): void => void (all = [...targetsOf.values()].flat());

  function memoryOf(id: string): Memory {
    const memory = memories.get(id) ?? createMemory();
    memories.set(id, memory);
    return memory;
  }

  return {
    applied: (key, object) => watch.applied(key, object),
    declarers: (key) => declarers.get(key) ?? [],
    of: (id) => ({
      memory: memoryOf(id),
      watch: {
        sight: (key) => watch.sight(key),
        admission: () => watch.admission(),
        applied: (key, object) => watch.applied(key, object),
        follow(targets, signal) {
          if (declare(id, targets)) gather();
          return watch.follow(all, signal, targets);
        },
      },
    }),
    async expect(targetsById, signal) {
      for (const [id, targets] of targetsById) declare(id, targets);
      gather();
      await watch.follow(all, signal, all);
    },
    retain(ids) {
      const gone = [...new Set([...targetsOf.keys(), ...memories.keys()])].filter((id) => !ids.has(id));
      for (const id of gone) {
        memories.delete(id);
        declare(id, []);
      }
      if (gone.length > 0) gather();
    },
  };
}
