import type { ResourceKey } from '../model/index.ts';
import type { Memory } from './memory.ts';
import type { Followable, StandingPort, Target, WatchPort } from './ports.ts';

/** One live cache for all applications: it follows what any of them declares. */
interface SharedWatch extends Omit<WatchPort, 'follow'> {
  /** Watches these and no others. Done when what can be watched of `wanted` has been seen once. */
  follow(targets: readonly Followable[], signal: AbortSignal, wanted: readonly Followable[]): Promise<void>;
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

interface Declaration {
  readonly targets: readonly Target[];
  readonly followed: readonly Followable[];
}

/** What is known of each application from look to look. */
export function createStandings({ watch, createMemory }: Parts): Standings {
  const declarations = new Map<string, Declaration>();
  const memories = new Map<string, Memory>();
  const declarers = new Map<ResourceKey, Set<string>>();
  // The very same list while the objects are the same, whatever Git wants of them: then the cache need not find that out.
  let all: readonly Followable[] = [];

  /** Whether others are to be followed now. */
  function declare(id: string, targets: readonly Target[]): boolean {
    const { targets: before, followed: known = [] } = declarations.get(id) ?? {};
    if (before === targets) return false;
    const isSame = targets.length === known.length && targets.every(({ manifest, kind }, at) => known[at]?.manifest.key === manifest.key && known[at].kind === kind);
    const followed = isSame ? known : targets.map(({ manifest: { key }, kind }) => ({ manifest: { key }, kind }));
    if (targets.length > 0) declarations.set(id, { targets, followed });
    else declarations.delete(id);
    if (isSame) return false;
    for (const { manifest } of known) declarers.get(manifest.key)?.delete(id);
    for (const { manifest } of followed) {
      const ids = declarers.get(manifest.key) ?? new Set();
      declarers.set(manifest.key, ids.add(id));
    }
    for (const { manifest } of known) if (declarers.get(manifest.key)?.size === 0) declarers.delete(manifest.key);
    return true;
  }

  const gather = (): void => void (all = [...declarations.values()].flatMap(({ followed }) => followed));

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
      const gone = [...new Set([...declarations.keys(), ...memories.keys()])].filter((id) => !ids.has(id));
      for (const id of gone) {
        memories.delete(id);
        declare(id, []);
      }
      if (gone.length > 0) gather();
    },
  };
}
