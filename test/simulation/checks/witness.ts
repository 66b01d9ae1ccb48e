import type { ResourceKey } from '../../../src/model/index.ts';
import type { ApplicationServer, StoredApplication } from '../world/application-server.ts';
import type { Fields, GitServer } from '../world/git-server.ts';
import type { ObjectServer } from '../world/object-server.ts';
import { createAlertLedger, type AlertLedger } from './alert-ledger.ts';
import { createCauseLedger, type CauseLedger } from './cause-ledger.ts';
import { createEpisodeLedger, type EpisodeLedger } from './episode-ledger.ts';
import { createLookLedger, type Proposal, type Viewer } from './look-ledger.ts';
import { recordedIn } from './recorded.ts';

export type Violated = (what: string) => void;

/** Sees everything that the agents do, and says what must never be. */
export interface Witness {
  readonly alerts: Pick<AlertLedger, 'received' | 'wasReceived' | 'owed'>;
  lookBegan(viewer: Viewer, id: string): void;
  referenceAsked(viewer: Viewer, commit: string | undefined): void;
  /** What an agent is about to record after a look. */
  proposed(viewer: Viewer, proposal: Proposal): void;
  applySent(viewer: Viewer, key: ResourceKey, data: Fields): void;
  applied(key: ResourceKey, epoch: number): void;
  statusWritten(id: string, epoch: number): void;
  applicationGone(id: string): void;
  violated: Violated;
  /** When somebody last began to look at it. */
  lastLook(id: string): number | undefined;
  counts(): { readonly statusWrites: number; readonly applies: number; readonly terms: number; readonly alerts: number };
}

interface Options {
  readonly git: GitServer;
  readonly objects: ObjectServer;
  readonly applications: () => ApplicationServer;
  /** Of all objects that there may be, in any namespace. */
  readonly names: readonly string[];
  readonly staleAfterMs: number;
  readonly time: () => number;
  readonly now: () => Date;
  readonly violated: Violated;
}

export function createWitness({ git, objects, applications, names, staleAfterMs, time, now, violated }: Options): Witness {
  const looks = createLookLedger({ git, objects, applications, names, staleAfterMs, time, now, violated });
  const alerts = createAlertLedger(violated);
  const ledgers = new Map<string, { readonly episodes: EpisodeLedger; readonly causes: CauseLedger }>();
  const ledgersOf = (id: string): { readonly episodes: EpisodeLedger; readonly causes: CauseLedger } => {
    const made = ledgers.get(id) ?? { episodes: createEpisodeLedger(id, violated), causes: createCauseLedger(id, violated) };
    ledgers.set(id, made);
    return made;
  };
  const lastLooks = new Map<string, number>();
  const counts = { statusWrites: 0, applies: 0, alerts: 0 };
  let lastEpoch = 0;
  const wrote = (epoch: number, what: string): void => {
    if (epoch < lastEpoch) violated(`${what} is written in term ${epoch}, after a write of term ${lastEpoch}`);
    lastEpoch = Math.max(lastEpoch, epoch);
  };
  return {
    alerts: {
      ...alerts,
      received(key) {
        counts.alerts += 1;
        alerts.received(key);
      },
    },
    lookBegan(viewer, id) {
      lastLooks.set(id, time());
      looks.began(viewer, id);
    },
    referenceAsked: looks.asked,
    proposed(viewer, proposal) {
      const wanted = looks.proposed(viewer, proposal);
      const uidOf = (stored: StoredApplication | undefined): string | undefined => stored?.application.uid;
      // Where it was deleted and made again, and the agent does not know yet, the server refuses what is proposed.
      const isThatOne = uidOf(viewer.applicationWatch.find(proposal.id)) === uidOf(applications().find(proposal.id));
      if (wanted === undefined) return;
      const { causes } = ledgersOf(proposal.id);
      if (isThatOne) causes.check(proposal.after, wanted);
      causes.proposed(proposal.after, wanted);
    },
    applySent: looks.applySent,
    applied(key, epoch) {
      counts.applies += 1;
      wrote(epoch, key);
    },
    statusWritten(id, epoch) {
      counts.statusWrites += 1;
      wrote(epoch, `the status of ${id}`);
      const stored = applications().find(id);
      if (stored === undefined) return;
      const status = recordedIn(stored);
      const { episodes, causes } = ledgersOf(id);
      episodes.written(status);
      causes.written(status);
      alerts.written(id, status);
    },
    applicationGone(id) {
      ledgers.delete(id);
      alerts.gone(id);
    },
    violated,
    lastLook: (id) => lastLooks.get(id),
    counts: () => ({ ...counts, terms: lastEpoch }),
  };
}
