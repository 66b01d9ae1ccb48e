import { parseResourceKey, trackingAnnotation, type AlertRule, type KubeObject, type ResourceKey } from '../../../src/model/index.ts';
import { trackingId } from '../../../src/plan/index.ts';
import { applicationId, type ApplicationChange, type ApplicationServer, type StoredApplication } from '../world/application-server.ts';
import type { GitServer } from '../world/git-server.ts';
import type { Network } from '../world/network.ts';
import type { ApplyResult, Declaration, ObjectServer, PruneResult } from '../world/object-server.ts';
import type { Sending as Message } from '../world/sink.ts';
import { createAlertLedger, type AlertLedger, type Attempt } from './alert-ledger.ts';
import { createCauseLedger, type CauseLedger } from './cause-ledger.ts';
import { createDriftLedger, type DriftLedger } from './drift-ledger.ts';
import { createEpisodeLedger, type EpisodeLedger } from './episode-ledger.ts';
import { createInventoryLedger, type InventoryLedger } from './inventory-ledger.ts';
import { createLookLedger, type Proposal, type Viewer } from './look-ledger.ts';
import { createOperationLedger, type OperationLedger } from './operation-ledger.ts';
import { createRecorded, inventoryIn, type Recorded } from './recorded.ts';
import { wantedAt } from './truth.ts';

export type Violated = (what: string) => void;

/** Sees everything that the agents do, and says what must never be. */
export interface Witness {
  readonly alerts: Pick<AlertLedger, 'owed'>;
  readonly drifts: Pick<DriftLedger, 'untold'>;
  /** A message leaves a process; what is returned is told what becomes of it. */
  messageSent(message: Message): Attempt;
  lookBegan(viewer: Viewer, id: string): void;
  referenceAsked(viewer: Viewer, commit: string | undefined): void;
  /** Whether Git did not answer a process when it was last asked. */
  isGitSilent(viewer: string): boolean;
  /** What an agent is about to record after a look. */
  proposed(viewer: Viewer, proposal: Proposal): void;
  /** An apply leaves a process; what is returned is called when it is carried out. */
  applySent(viewer: Viewer, sending: Sending): (result: ApplyResult) => void;
  pruneSent(viewer: Viewer, pruning: Pruning): (result: PruneResult) => void;
  statusWritten(id: string, epoch: number): void;
  applicationChanged(change: ApplicationChange): void;
  /** What is wrong with an inventory when nothing is on its way any more. */
  wrongInventory(stored: StoredApplication): readonly string[];
  violated: Violated;
  readonly recorded: Recorded;
  /** When somebody last began to look at it. */
  lastLook(id: string): number | undefined;
  counts(): { readonly statusWrites: number; readonly applies: number; readonly prunes: number; readonly terms: number; readonly alerts: number };
}

export interface Sending {
  readonly key: ResourceKey;
  readonly declared: Declaration;
  readonly epoch: number;
}

export interface Pruning {
  readonly key: ResourceKey;
  readonly uid: string;
  /** As it was when that was decided. */
  readonly seen: KubeObject;
  readonly epoch: number;
}

interface Ledgers {
  readonly episodes: EpisodeLedger;
  readonly causes: CauseLedger;
  readonly operations: OperationLedger;
  readonly inventory: InventoryLedger;
}

interface Options {
  readonly git: GitServer;
  readonly objects: ObjectServer;
  readonly rules: readonly AlertRule[];
  readonly network: Network;
  readonly applications: () => ApplicationServer;
  /** Of all objects that there may be, in any namespace. */
  readonly names: readonly string[];
  readonly staleAfterMs: number;
  readonly time: () => number;
  readonly now: () => Date;
  readonly violated: Violated;
}

export function createWitness({ git, objects, rules, network, applications, names, staleAfterMs, time, now, violated }: Options): Witness {
  const recorded = createRecorded();
  const looks = createLookLedger({ git, objects, applications, recorded, names, staleAfterMs, time, now, violated });
  const alerts = createAlertLedger({ rules, network, violated });
  const drifts = createDriftLedger(rules, network);
  const begun = new Map<string, OperationLedger>();
  const ledgers = new Map<string, Ledgers>();
  const ledgersOf = (id: string): Ledgers => {
    const made = ledgers.get(id) ?? {
      episodes: createEpisodeLedger(id, violated),
      causes: createCauseLedger(id, violated),
      operations: createOperationLedger({ id, begun, violated }),
      inventory: createInventoryLedger(id, objects),
    };
    ledgers.set(id, made);
    return made;
  };
  /** False where it was deleted, or deleted and made again, and the agent does not know yet. */
  const isThatOne = (viewer: Viewer, id: string): boolean => viewer.applicationWatch.find(id)?.application.uid === applications().find(id)?.application.uid;
  const isBehind = ({ id, before }: Proposal): boolean => {
    const stored = applications().find(id);
    return before.verdict === null && stored !== undefined && recorded(stored).verdict !== null;
  };
  const lastLooks = new Map<string, number>();
  const counts = { statusWrites: 0, applies: 0, prunes: 0, alerts: 0 };
  let lastEpoch = 0;
  const wrote = (epoch: number, what: string): void => {
    if (epoch < lastEpoch) violated(`${what} is written in term ${epoch}, after a write of term ${lastEpoch}`);
    lastEpoch = Math.max(lastEpoch, epoch);
  };
  return {
    alerts,
    drifts,
    messageSent(message) {
      const { sink, notification, epoch } = message;
      if (epoch < lastEpoch) violated(`${notification.id} is sent to ${sink} in term ${epoch}, after a write of term ${lastEpoch}`);
      const attempt = alerts.sent(message);
      return {
        ...attempt,
        arrived() {
          counts.alerts += 1;
          drifts.heard(sink, notification);
          attempt.arrived();
        },
      };
    },
    lookBegan(viewer, id) {
      lastLooks.set(id, time());
      looks.began(viewer, id);
    },
    referenceAsked: looks.asked,
    isGitSilent: looks.isSilent,
    proposed(viewer, proposal) {
      const compared = looks.proposed(viewer, proposal);
      if (compared === undefined) return;
      const { causes } = ledgersOf(proposal.id);
      // Where it is another one, or there is a status that the agent has not seen, the server refuses what is proposed.
      if (isThatOne(viewer, proposal.id) && !isBehind(proposal)) causes.check(proposal.after, compared.wanted);
      causes.proposed(proposal.after, compared);
    },
    applySent(viewer, { key, declared, epoch }) {
      const id = applicationId(parseResourceKey(key).namespace);
      looks.applySent(viewer, { id, key, declared });
      const known = isThatOne(viewer, id) ? ledgersOf(id) : undefined;
      const carriedOut = known?.operations.sent(key);
      return ({ type }) => {
        counts.applies += 1;
        wrote(epoch, key);
        carriedOut?.();
        if (type === 'applied') known?.inventory.applied(key);
      };
    },
    pruneSent(viewer, { key, uid, seen, epoch }) {
      const id = applicationId(parseResourceKey(key).namespace);
      looks.pruneSent(viewer, { id, key, uid });
      const carriedOut = isThatOne(viewer, id) ? ledgersOf(id).operations.sent(key) : undefined;
      return (result) => {
        counts.prunes += 1;
        wrote(epoch, key);
        carriedOut?.();
        if (result.type !== 'removed') return;
        const { annotations, object } = result.content;
        if (annotations[trackingAnnotation] !== trackingId(id, key)) violated(`${key} is deleted for ${id}, and does not bear its mark`);
        if (JSON.stringify(object['data']) !== JSON.stringify(seen['data'])) violated(`${key} is deleted for ${id}, and is not what was looked at`);
      };
    },
    statusWritten(id, epoch) {
      counts.statusWrites += 1;
      wrote(epoch, `the status of ${id}`);
      const stored = applications().find(id);
      if (stored === undefined) return;
      const status = recorded(stored);
      const { episodes, causes, operations } = ledgersOf(id);
      episodes.written(status);
      operations.written(status);
      causes.written(status);
      alerts.written(id, status);
      drifts.written(stored, status);
    },
    applicationChanged({ id, stored }) {
      if (stored !== undefined) {
        drifts.changed(stored);
        return;
      }
      ledgers.delete(id);
      alerts.gone(id);
      drifts.gone(id);
    },
    wrongInventory(stored) {
      const wanted = wantedAt(git.head(), stored);
      return ledgersOf(stored.id).inventory.wrongIn(inventoryIn(stored), (key) => wanted?.has(key) === true);
    },
    violated,
    recorded,
    lastLook: (id) => lastLooks.get(id),
    counts: () => ({ ...counts, terms: lastEpoch }),
  };
}
