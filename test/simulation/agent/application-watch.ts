import type { ApplicationChange, ApplicationServer, StoredApplication } from '../world/application-server.ts';
import type { Network, Sender } from '../world/network.ts';

/** Applications as one process sees them. */
export interface ApplicationWatch {
  find(id: string): StoredApplication | undefined;
  all(): readonly StoredApplication[];
  /** What the watch shows, or the server's answer to a write of our own. */
  see(change: ApplicationChange): void;
  /** Done when there was a first list. */
  start(): Promise<void>;
}

export interface ApplicationWatchOptions {
  readonly sender: Sender;
  readonly network: Network;
  readonly server: ApplicationServer;
  /** The version of the last write to the cluster. */
  readonly clusterVersion: () => number;
  readonly random: () => number;
  /** Something else is wanted of it, or it is gone. */
  readonly onChange: (id: string, stored: StoredApplication | undefined) => void;
}

const { signal: never } = new AbortController();

export function createApplicationWatch({ sender, network, server, clusterVersion, random, onChange }: ApplicationWatchOptions): ApplicationWatch {
  const seen = new Map<string, ApplicationChange>();
  let isListed = false;

  function see(change: ApplicationChange): void {
    if (!isListed || change.version <= (seen.get(change.id)?.version ?? 0)) return;
    const before = seen.get(change.id)?.stored;
    seen.set(change.id, change);
    if (before?.application !== change.stored?.application) onChange(change.id, change.stored);
  }

  async function list(): Promise<void> {
    const carryOut = (): { readonly version: number; readonly all: readonly StoredApplication[] } => ({ version: clusterVersion(), all: server.all() });
    const { version, all } = await network.send(sender, { to: 'cluster', type: 'read', what: 'list applications', carryOut, signal: never });
    isListed = true;
    for (const stored of all) see({ id: stored.id, version: Number(stored.object.metadata['resourceVersion']), stored });
    const present = new Set(all.map(({ id }) => id));
    for (const { id, stored } of seen.values()) if (stored !== undefined && !present.has(id)) see({ id, version, stored: undefined });
  }

  async function listAgain(): Promise<void> {
    const delayMs = await list().then(
      () => 25_000 + random() * 25_000,
      () => 500 + random() * 2_000,
    );
    sender.process.setTimer(() => void listAgain(), delayMs);
  }

  return {
    find: (id) => seen.get(id)?.stored,
    all: () => [...seen.values()].flatMap(({ stored }) => stored ?? []),
    see,
    async start() {
      await listAgain();
      const { promise, resolve } = Promise.withResolvers<void>();
      const check = (): void => (isListed ? resolve() : void sender.process.setTimer(check, 100));
      check();
      await promise;
    },
  };
}
