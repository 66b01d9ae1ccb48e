import type { ResourceKey } from '../../../src/model/index.ts';
import type { Followable, WatchPort } from '../../../src/reconcile/ports.ts';
import type { Network, Sender } from '../world/network.ts';
import type { ObjectServer, Version } from '../world/object-server.ts';

/** Objects as one process sees them: late, in any order, with gaps until the next list, and at times not at all. */
export interface ObjectWatch extends Omit<WatchPort, 'follow'> {
  follow(targets: readonly Followable[], signal: AbortSignal, wanted: readonly Followable[]): Promise<void>;
  /** The version that the process knows; undefined where it never saw the object, or does not look. */
  known(key: ResourceKey): Version | undefined;
  /** An event that reached the process. */
  see(key: ResourceKey, version: Version): void;
  start(): void;
}

export interface ObjectWatchOptions {
  readonly sender: Sender;
  readonly network: Network;
  readonly server: ObjectServer;
  readonly random: () => number;
  readonly onChange: (key: ResourceKey) => void;
}

interface Entry {
  version: Version | undefined;
}

const { signal: never } = new AbortController();

export function createObjectWatch({ sender, network, server, random, onChange }: ObjectWatchOptions): ObjectWatch {
  const entries = new Map<ResourceKey, Entry>();
  let isInSight = true;
  let cancelNext: () => void = () => undefined;

  function take(key: ResourceKey, entry: Entry, version: Version): void {
    const before = entry.version;
    if (before !== undefined && version.index <= before.index) return;
    entry.version = version;
    if (before === undefined || before.content?.digest !== version.content?.digest) onChange(key);
  }

  function turn(inSight: boolean): void {
    if (inSight === isInSight) return;
    isInSight = inSight;
    for (const key of entries.keys()) onChange(key);
  }

  async function list(signal: AbortSignal): Promise<void> {
    // What is followed after this was sent waits for a list of its own.
    const asked = [...entries];
    const carryOut = (): readonly Version[] => asked.map(([key]) => server.latest(key));
    const listed = await network.send(sender, { to: 'cluster', type: 'read', what: 'list objects', carryOut, signal });
    for (const [at, [key, entry]] of asked.entries()) {
      const version = listed[at];
      if (version !== undefined && entries.get(key) === entry) take(key, entry, version);
    }
    turn(true);
  }

  async function listAgain(): Promise<void> {
    const isListed = await list(never).then(
      () => true,
      () => false,
    );
    if (!isListed) turn(false);
    // What was followed meanwhile has not been listed yet.
    const isWhole = isListed && [...entries.values()].every(({ version }) => version !== undefined);
    listIn(isWhole ? 25_000 + random() * 25_000 : soon());
  }

  const soon = (): number => 500 + random() * 2_000;

  function listIn(delayMs: number): void {
    cancelNext();
    cancelNext = sender.process.setTimer(() => void listAgain(), delayMs);
  }

  return {
    async follow(targets, signal, wanted) {
      const keys = new Set(targets.map(({ manifest }) => manifest.key));
      for (const key of entries.keys()) if (!keys.has(key)) entries.delete(key);
      for (const key of keys) if (!entries.has(key)) entries.set(key, { version: undefined });
      if (wanted.every(({ manifest }) => entries.get(manifest.key)?.version !== undefined)) return;
      await list(signal).catch(() => {
        // Who looks does not wait for it; what is to be watched is listed until there is an answer all the same.
        listIn(soon());
        signal.throwIfAborted();
      });
    },
    sight(key) {
      const version = entries.get(key)?.version;
      if (version === undefined || !isInSight) return undefined;
      const { content, resourceVersion } = version;
      if (content === undefined) return { digest: null, reading: () => ({ type: 'absent' }), journal: () => [] };
      return { digest: content.digest, reading: () => ({ type: 'live', live: { key, object: content.object, resourceVersion } }), journal: () => [] };
    },
    admission: () => 'none',
    applied(key, object) {
      const entry = entries.get(key);
      const version = server.byResourceVersion(key, object.metadata['resourceVersion']);
      if (entry?.version !== undefined && version !== undefined) take(key, entry, version);
    },
    known: (key) => entries.get(key)?.version,
    see(key, version) {
      const entry = entries.get(key);
      if (entry?.version !== undefined) take(key, entry, version);
    },
    start: () => listIn(15_000 * random()),
  };
}
