import type { Application } from '../model/index.ts';
import { planSync, takeOver } from '../plan/index.ts';
import { carryOut, type Applier } from '../sync/index.ts';
import { nextStatus, type Observed } from './next-status.ts';
import { observe, type Observation } from './observe.ts';
import type { Ports } from './ports.ts';

/** Says whether another look should follow soon, without waiting for the next interval. */
export interface Reconciled {
  readonly lookAgainSoon: boolean;
}

/** One application, once: observe, record, act, observe again, record, tell. Running it twice equals running it once. */
export async function reconcile(application: Application, ports: Ports, signal: AbortSignal): Promise<Reconciled> {
  const first = await observe(application, ports, signal);
  const acts = application.mode === 'auto' && first.judgement.verdict.status === 'OutOfSync';
  // On disk before anything is done about it: a difference that is healed at once was still seen.
  const seen = await record(application, ports, { observation: first, announce: !acts });
  if (!acts) return finish(application, ports, { status: seen, lookAgainSoon: first.retrySoon });

  ports.report.observed(application, seen);
  const outcomes = await carryOut(planSync(first.judgement), applierFor(first, ports), signal);
  ports.report.synced(application, outcomes);
  const second = await observe(application, ports, signal);
  const status = await record(application, ports, { observation: second, announce: true });
  // What was applied may have made room for more: a definition for its objects, a namespace for its contents.
  const movedOn = outcomes.some(({ type }) => type === 'applied') && status.verdict.status === 'OutOfSync';
  return finish(application, ports, { status, lookAgainSoon: second.retrySoon || movedOn });
}

interface Recording {
  readonly observation: Observation;
  readonly announce: boolean;
}

async function record(application: Application, ports: Ports, { observation, announce }: Recording): Promise<Observed> {
  const { judgement, compared } = observation;
  const seen = { judgement, compared, now: ports.now().toISOString(), newId: ports.newId(), announce: announce && ports.alerts !== null };
  const status = await ports.status.update(application.name, (before) => nextStatus(before, seen));
  return status as Observed;
}

interface Finish {
  readonly status: Observed;
  readonly lookAgainSoon: boolean;
}

async function finish(application: Application, ports: Ports, { status, lookAgainSoon }: Finish): Promise<Reconciled> {
  ports.report.observed(application, status);
  if (status.outbox.length > 0) await ports.alerts?.add(application.name);
  return { lookAgainSoon };
}

function applierFor({ targets, compared }: Observation, { cluster, watch }: Ports): Applier {
  const wanted = new Map(compared.flatMap((resource) => (resource.wanted === undefined ? [] : [[resource.diff.key, resource.wanted]])));
  const byKey = new Map(targets.map((target) => [target.manifest.key, target]));
  return {
    async apply(key, options) {
      const target = byKey.get(key);
      if (target === undefined) return { type: 'invalid', message: 'it is no longer declared' };
      const object = wanted.get(key) ?? target.manifest.object;
      const result = await cluster.apply({ ...target, manifest: { ...target.manifest, object } }, options);
      if (result.type === 'applied') watch.applied(key, result.object);
      return result;
    },
    onConflict: takeOver,
  };
}
