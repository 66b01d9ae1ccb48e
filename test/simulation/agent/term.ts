import { createAskGitFirst } from '../../../src/agent/ask-git-first.ts';
import { healthOf } from '../../../src/health/index.ts';
import { SetpointError, type Application } from '../../../src/model/index.ts';
import { createMemoryQueue } from '../../../src/queue/index.ts';
import { createController, warmUp, type Clock, type Ports } from '../../../src/reconcile/index.ts';
import { createClusterStatus } from '../../../src/status/index.ts';
import type { Scene } from '../scene.ts';
import type { StoredApplication } from '../world/application-server.ts';
import type { Sender } from '../world/network.ts';
import { pauseWith } from './agent-clock.ts';
import { startAlerting, type Alerting } from './alerting.ts';
import { createClusterPort } from './cluster-port.ts';
import { salt, staleAfterMs } from './pace.ts';
import type { Listener, Parts } from './parts.ts';
import { createStatusStore } from './status-store.ts';

/** Everything that one leader does from its election to its end. */
export interface Term extends Listener {
  ask(id: string): void;
  /** How many looks and deliveries are wanted or under way. */
  pending(): Promise<number>;
  end(): Promise<void>;
}

export interface TermOptions {
  readonly scene: Scene;
  readonly sender: Sender;
  readonly clock: Clock;
  readonly parts: Parts;
  readonly epoch: number;
  readonly fence: AbortSignal;
  readonly isLeader: () => boolean;
}

export function startTerm({ scene, sender, clock, parts, epoch, fence, isLeader }: TermOptions): Term {
  const { network, spoils, witness, dice, pace } = scene;
  const { viewer, applicationWatch, standings, desired } = parts;
  const { now, random, setTimer, monotonic } = clock;
  const check = (): void => {
    if (!isLeader()) throw new SetpointError('NotLeader', 'another agent may lead by now');
  };
  const mayWrite = spoils.mayWrite?.(check) ?? check;
  const applicationOf = (id: string): Application | undefined => applicationWatch.find(id)?.application;

  const validOnes = (): readonly Application[] => applicationWatch.all().flatMap((each) => (each.declared.type === 'application' ? [each.declared.application] : []));

  const alertedOnes = (): readonly Application[] => applicationWatch.all().map(({ declared: { application } }) => application);

  const store = createStatusStore({ scene, sender, epoch, applicationWatch });
  const inner = createClusterStatus({ store, salt, epoch, lease: 'setpoint/agent', mayWrite, applicationOf, signal: fence, now, random, pause: pauseWith(clock) });
  const watched: Ports['status'] = {
    salt,
    read(id) {
      witness.lookBegan(viewer, id);
      return inner.read(id);
    },
    update: (id, change, uid) =>
      inner.update(id, (before) => {
        const after = change(before);
        // What one says that may no longer write is not written.
        if (isLeader()) witness.proposed(viewer, { id, before, after });
        return after;
      }, uid),
  };
  const status = spoils.status?.(watched) ?? watched;
  const objects = createClusterPort({
    ...{ sender, network, server: scene.objects },
    sent: (key, declared) => witness.applySent(viewer, { key, declared, epoch }),
    pruned: (key, doomed) => witness.pruneSent(viewer, { key, ...doomed, epoch }),
  });
  const cluster = spoils.cluster?.(objects) ?? objects;

  const looks = createMemoryQueue({ concurrency: 2, random, setTimer, now: monotonic });
  let alerting: Alerting | undefined;
  let isEnded = false;
  let ids = 0;
  const newId = (): string => `${sender.name}-${epoch}-${(ids += 1)}`;
  const ports: Ports = {
    ...{ cluster, status, mayWrite, newId, staleAfterMs: staleAfterMs(pace), now, desired, standing: standings },
    ignoresOf: () => undefined,
    tag: String,
    healthOf: (object, facts = {}) => healthOf(object, { now: now(), ...facts }),
    report: { observed: ({ id }) => alerting?.noticed(id), synced: () => undefined },
  };
  const controller = createController({ ports, standings, queue: spoils.queue?.(looks) ?? looks, clock, pace });

  const askGit = createAskGitFirst(validOnes(), parts.references);
  const take = async ({ id, declared: wanted, application }: StoredApplication): Promise<void> => {
    const asked = wanted.type === 'application' ? askGit.before(wanted.application) : undefined;
    if (asked !== undefined) {
      controller.declare({ type: 'application', application: asked.meanwhile });
      await asked.answer;
      if (isEnded || applicationWatch.find(id)?.application !== application) return;
    }
    controller.declare(wanted);
  };
  const declared = (id: string, stored: StoredApplication | undefined): void => {
    if (stored !== undefined) {
      void take(stored);
      return;
    }
    controller.withdraw(id);
    inner.forget(id);
    askGit.forget(id);
  };

  const begin = async (): Promise<void> => {
    if (dice.chance(0.5)) await warmUp(validOnes(), { desired, cluster, standings, status: inner }, fence);
    if (fence.aborted || isEnded) return;
    alerting = startAlerting({ ...{ scene, sender, clock, epoch, mayWrite, newId }, store: inner, applications: alertedOnes });
    for (const stored of applicationWatch.all()) declared(stored.id, stored);
    controller.start();
  };
  begin().catch((error: unknown) => {
    if (!fence.aborted) witness.violated(`a term could not begin: ${error instanceof Error ? error.message : String(error)}`);
  });

  return {
    liveChanged: (key) => controller.liveChanged(key),
    declared,
    moved: (isMeant) => controller.moved(isMeant),
    ask: (id) => void controller.ask(id),
    async pending() {
      const { waiting, delayed, underWay } = await looks.stats();
      return waiting + delayed + underWay + ((await alerting?.pending()) ?? 0);
    },
    async end() {
      isEnded = true;
      await controller.stop();
      await alerting?.stop();
    },
  };
}
