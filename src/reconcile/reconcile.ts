import { markCorrected } from '../alert/index.ts';
import { isPaused, SetpointError, type Application, type Cause, type HistoryEntry, type Judgement, type ResourceKey, type StepOutcome } from '../model/index.ts';
import { planSync, takeOver } from '../plan/index.ts';
import { carryOut, type Applier } from '../sync/index.ts';
import { nextStatus, type Observed } from './next-status.ts';
import { observe, type Observation } from './observe.ts';
import type { Ports } from './ports.ts';

/** What the one who asked for a look needs to know to ask for the next one. */
export interface Reconciled {
  /** Another look should follow soon, without waiting for a trigger. */
  readonly lookAgainSoon: boolean;
  /** What was looked at, where something was. */
  readonly declared: readonly ResourceKey[] | undefined;
  readonly status: Observed;
}

/** One application, once: observe, record, act, observe again, record, tell. Running it twice equals running it once. */
export async function reconcile(application: Application, ports: Ports, signal: AbortSignal): Promise<Reconciled> {
  const first = await observe(application, ports, signal);
  const wanted = toActOn(application, first.judgement, ports.now());
  // In durable state before anything is done about it: a difference that is healed at once was still seen.
  const seen = await record(application, ports, { observation: first, announce: wanted === undefined });
  ports.report.observed(application, seen);
  if (wanted === undefined) return finish(application, ports, { status: seen, observation: first, lookAgainSoon: first.retrySoon });

  const outcomes = await carryOut(planSync(wanted), applierFor(first, ports), signal);
  ports.report.synced(application, outcomes);
  const second = await observe(application, ports, signal);
  const status = await record(application, ports, { observation: second, announce: true, outcomes });
  ports.report.observed(application, status);
  // What was applied may have made room for more: a definition for its objects, a namespace for its contents. What failed is tried again.
  const isUndone = outcomes.some(({ type }) => type !== 'held') && status.verdict.status === 'OutOfSync';
  return finish(application, ports, { status, observation: second, lookAgainSoon: second.retrySoon || isUndone });
}

/** The part of what differs that the application's policies say to act on; undefined where there is none. */
function toActOn({ policy, pause }: Application, judgement: Judgement, now: Date): Judgement | undefined {
  const acts = (cause: Cause | undefined): boolean => (cause === 'live-changed' ? policy.drift === 'Heal' : cause !== undefined && policy.deploy === 'automatic');
  if (judgement.verdict.status !== 'OutOfSync' || isPaused(pause, now)) return undefined;
  const resources = judgement.resources.filter(({ cause }) => acts(cause));
  return resources.length === 0 ? undefined : { ...judgement, resources };
}

interface Recording {
  readonly observation: Observation;
  readonly announce: boolean;
  readonly outcomes?: readonly StepOutcome[];
}

const keptHistory = 10;

async function record(application: Application, ports: Ports, { observation, announce, outcomes = [] }: Recording): Promise<Observed> {
  const { judgement, compared, agreed, trouble } = observation;
  const now = ports.now();
  const seen = { application, judgement, compared, trouble, now, newId: ports.newId, announce: announce && ports.alerts !== null };
  const applied = new Set(outcomes.flatMap(({ type, key }) => (type === 'applied' ? [key] : [])));
  const status = await ports.status.update(application.id, (before) => {
    if (agreed !== undefined && before.agreed !== agreed) throw outdated(application);
    const episodes = applied.size === 0 ? before.episodes : markCorrected(before.episodes, applied, now.toISOString());
    const next = nextStatus({ ...before, episodes }, seen);
    return applied.size === 0 ? next : { ...next, history: [entryOf(before, outcomes, now), ...before.history].slice(0, keptHistory) };
  });
  return status as Observed;
}

/** Causes were found by what is no longer on record: the Application was made anew, or a write arrived that was given up. */
function outdated({ id }: Application): SetpointError {
  return Object.assign(new SetpointError('ObjectUnsettled', `the status of ${id} is no longer the one that the look began with`), { retry: 'soon' });
}

function entryOf({ history, commit, verdict }: { readonly history: readonly HistoryEntry[]; readonly commit: string | null; readonly verdict: Observed['verdict'] | null }, outcomes: readonly StepOutcome[], now: Date): HistoryEntry {
  const count = (type: StepOutcome['type']): number => outcomes.filter((outcome) => outcome.type === type).length;
  const cause = verdict?.status === 'OutOfSync' ? verdict.cause : 'git-ahead';
  return { id: (history[0]?.id ?? 0) + 1, at: now.toISOString(), revision: commit, cause, applied: count('applied'), held: count('held'), failed: count('failed') };
}

interface Finish {
  readonly status: Observed;
  readonly observation: Observation;
  readonly lookAgainSoon: boolean;
}

async function finish(application: Application, ports: Ports, { status, observation, lookAgainSoon }: Finish): Promise<Reconciled> {
  if (status.outbox.length > 0) await ports.alerts?.add(application.id);
  const { targets, judgement } = observation;
  const wasBlind = judgement.verdict.status === 'Unknown' && judgement.resources.length === 0;
  return { lookAgainSoon, status, declared: wasBlind ? undefined : targets.map(({ manifest }) => manifest.key) };
}

function applierFor({ targets, compared }: Observation, { cluster, standing, mayWrite }: Ports): Applier {
  const wanted = new Map(compared.flatMap((resource) => (resource.wanted === undefined ? [] : [[resource.diff.key, resource.wanted]])));
  const byKey = new Map(targets.map((target) => [target.manifest.key, target]));
  return {
    async apply(key, options) {
      const target = byKey.get(key);
      if (target === undefined) return { type: 'invalid', message: 'it is no longer declared' };
      mayWrite();
      const object = wanted.get(key) ?? target.manifest.object;
      const result = await cluster.apply({ ...target, manifest: { ...target.manifest, object } }, options);
      if (result.type === 'applied') standing.applied(key, result.object);
      return result;
    },
    onConflict: takeOver,
  };
}
