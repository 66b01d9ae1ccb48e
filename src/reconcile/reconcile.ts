import { markCorrected } from '../alert/index.ts';
import { isPaused, SetpointError, type Application, type AppStatus, type Inventory, type KubeObject, type Operation, type ResourceKey, type StepOutcome } from '../model/index.ts';
import { beginOperation, foldOperation } from '../plan/index.ts';
import { carryOut } from '../sync/index.ts';
import { deletionOf, letGo, settleHold } from './deletion.ts';
import { createLookApplier } from './look-applier.ts';
import { intendedBy, inventoryAfter, withoutIntended, withWritten } from './inventory.ts';
import { nextStatus, type Observed } from './next-status.ts';
import { observe, type Observation } from './observe.ts';
import { hasDueSteps, isUnderWay, pendingRequest, pinned, terminated, wantsPlan } from './operation.ts';
import { planLook, type PlannedLook } from './plan-look.ts';
import type { Ports } from './ports.ts';
import { recordedOperation } from './recorded-operation.ts';
import { renderedName } from './rendered-name.ts';

/** What the one who asked for a look needs to know to ask for the next one. */
export interface Reconciled {
  /** Another look should follow soon, without waiting for a trigger. */
  readonly lookAgainSoon: boolean;
  /** A sync waits for something: another look should follow after this time. */
  readonly waitMs?: number;
  /** What was looked at, where something was. */
  readonly declared: readonly ResourceKey[] | undefined;
  readonly status: Observed;
}

const waitMs = 2_000;
/** Until a window may have opened, or the pods of what is on its way may say something else. */
const slowMs = 30_000;
// What one wave makes room for is done in the same look, unless it goes on and on.
const mostRounds = 25;

/** One application, once: observe, record, act, observe again, record, tell. Running it twice equals running it once. */
export async function reconcile(application: Application, ports: Ports, signal: AbortSignal): Promise<Reconciled> {
  const before = await ports.status.read(application.id);
  const request = pendingRequest(application, before);
  const subject = pinned(application, request ?? (isUnderWay(before.operation) ? before.operation.request : undefined));
  const stopped = application.deleting ? deletionOf(application, before, ports) : terminated(before.operation, application, ports.now());
  let observation = await observe(subject, ports, signal);
  let planned = wantsPlan({ application, observation, status: before, operation: stopped, request, now: ports.now() })
    ? await planLook({ application: subject, observation, status: before, operation: isUnderWay(stopped) ? stopped : undefined, request }, ports, signal)
    : undefined;
  const begun = planned === undefined ? undefined : beginOperation(planned.plan, { id: ports.newId(), now: ports.now(), ...(request !== undefined && { request }) });
  let operation = begun ?? stopped;
  if (begun !== undefined) planned = planned?.with(begun);
  const acts = planned !== undefined && isUnderWay(operation) && hasDueSteps(planned.plan);
  if (planned !== undefined && isUnderWay(operation) && !acts) operation = foldOperation(operation, { plan: planned.plan, outcomes: [], now: ports.now() });

  // In durable state before anything is done about it: a difference that is healed at once was still seen.
  let status = await record(subject, ports, { since: before, observation, planned, operation, answered: answerTo(request, planned, observation), announce: !acts, ...(acts && { intended: intentionOf(planned, observation, before) }) });
  ports.report.observed(application, status);
  for (let round = 0; round < mostRounds && planned !== undefined && isUnderWay(operation) && hasDueSteps(planned.plan); round += 1) {
    const { applier, written } = createLookApplier({ application, observation, planned }, ports);
    const outcomes = await carryOut(planned.plan.steps, applier, { signal });
    ports.report.synced(application, outcomes);
    operation = foldOperation(operation, { plan: planned.plan, outcomes, now: ports.now() });
    observation = await observe(subject, ports, signal);
    status = await record(subject, ports, { since: status, observation, planned, operation, outcomes, written, announce: true });
    ports.report.observed(application, status);
    // Where nothing could be compared, nothing is known to be left to do either.
    if (!isUnderWay(operation) || (isBlind(observation) && !application.deleting)) break;
    planned = await planLook({ application: subject, observation, status, operation, request: undefined }, ports, signal);
    if (hasDueSteps(planned.plan)) {
      const intended = intentionOf(planned, observation, status);
      if (Object.keys(intended).length > 0) status = await record(subject, ports, { since: status, observation, planned, operation, intended, announce: true });
      continue;
    }
    const folded = foldOperation(operation, { plan: planned.plan, outcomes: [], now: ports.now() });
    if (!isUnderWay(folded)) status = await record(subject, ports, { since: status, observation, planned, operation: folded, announce: true });
    operation = folded;
  }
  await settleHold(application, ports, signal);
  await letGo({ application, operation }, ports, signal);
  return finish(application, ports, { status, observation, operation, before });
}

interface Recording {
  /** What is on record, as far as this look knows. */
  readonly since: AppStatus;
  readonly observation: Observation;
  readonly planned: PlannedLook | undefined;
  readonly operation: Operation | null;
  readonly answered?: AppStatus['answered'] | undefined;
  readonly announce: boolean;
  readonly outcomes?: readonly StepOutcome[];
  readonly written?: ReadonlyMap<ResourceKey, KubeObject | null>;
  /** What is about to be made. */
  readonly intended?: Inventory;
}

async function record(application: Application, ports: Ports, recording: Recording): Promise<Observed> {
  const { since, observation, planned, operation, answered, announce, outcomes = [], intended = {} } = recording;
  const { judgement, compared, agreed, trouble, health } = observation;
  const now = ports.now();
  const seen = { application, judgement, compared, trouble, health, now, newId: ports.newId, announce: announce && ports.alerts !== null };
  const applied = new Set(outcomes.flatMap(({ type, key }) => (type === 'applied' ? [key] : [])));
  const status = await ports.status.update(application.id, (before) => {
    if ((agreed !== undefined && before.agreed !== agreed) || !isSameOperation(before.operation, since.operation)) throw outdated(application);
    const episodes = applied.size === 0 ? before.episodes : markCorrected(before.episodes, applied, now.toISOString());
    const next = nextStatus({ ...before, episodes }, seen);
    return {
      ...next,
      ...recordedOperation(before, { operation, outcomes, planned, now }),
      inventory: { ...inventoryIn(before, application, recording), ...intended },
      // Nothing was compared: what was rendered before says nothing about now.
      rendered: isBlind(observation) ? before.rendered : renderedName(observation),
      ...(answered === undefined ? {} : { answered }),
    };
  });
  return status as Observed;
}

function inventoryIn({ inventory }: AppStatus, { id }: Application, { observation: { targets }, planned, operation, written = new Map() }: Recording): Inventory {
  if (planned === undefined) return inventory;
  const { objects, left } = planned;
  const known = inventoryAfter(inventory, { applicationId: id, objects, declared: new Set(targets.map(({ manifest }) => manifest.key)), left: left.map(({ manifest }) => manifest.key) });
  const after = withWritten(known, written);
  return operation?.state === 'succeeded' || operation?.state === 'failed' ? withoutIntended(after) : after;
}

function intentionOf(planned: PlannedLook | undefined, { targets }: Observation, { inventory }: AppStatus): Inventory {
  return planned === undefined ? {} : intendedBy(planned.plan, targets, inventory);
}

/** A request is answered once: by what was begun for it, or by why nothing was. */
function answerTo(request: Application['sync'], planned: PlannedLook | undefined, { judgement: { verdict } }: Observation): AppStatus['answered'] | undefined {
  if (request === undefined) return undefined;
  // What could not be looked at cannot be synced: whoever asked is told, and may ask again.
  const why = planned === undefined ? (verdict.status === 'Unknown' ? `${verdict.code}: ${verdict.message}` : undefined) : planned.plan.stopped?.why;
  return { request: request.id, ...(why !== undefined && { message: why }) };
}

function isSameOperation(one: Operation | null, other: Operation | null): boolean {
  return one?.id === other?.id && one?.state === other?.state;
}

/** Causes were found by what is no longer on record: the Application was made anew, or a write arrived that was given up. */
function outdated({ id }: Application): SetpointError {
  return Object.assign(new SetpointError('ObjectUnsettled', `the status of ${id} is no longer the one that the look began with`), { retry: 'soon' });
}

interface Finish {
  readonly status: Observed;
  readonly observation: Observation;
  readonly operation: Operation | null;
  readonly before: AppStatus;
}

async function finish(application: Application, ports: Ports, { status, observation, operation, before }: Finish): Promise<Reconciled> {
  if (status.outbox.length > 0) await ports.alerts?.add(application.id);
  const { targets, retrySoon } = observation;
  const wasBlind = isBlind(observation);
  // What is paused goes on when the pause ends, and what cannot be read when Git says something else: both ask for a look.
  const isStopped = !application.deleting && (wasBlind || isPaused(application.pause, ports.now()));
  const isWaiting = !isStopped && (isUnderWay(operation) || status.held.some(({ code }) => code === 'NotSettled'));
  const mayTurn = status.held.some(({ code }) => code === 'OutsideWindow') || status.health?.status === 'Progressing';
  return {
    // What failed is tried again.
    lookAgainSoon: retrySoon || operation?.state === 'failed',
    ...(isReplaced(operation, application, before) || isAskedFor(application, status, before) ? { waitMs: 0 } : isWaiting && !retrySoon ? { waitMs } : mayTurn ? { waitMs: slowMs } : {}),
    status,
    declared: wasBlind ? undefined : targets.map(({ manifest }) => manifest.key),
  };
}

/** Somebody waits whose turn it is now, or the look was about a commit that only a request wanted. */
function isAskedFor(application: Application, status: AppStatus, before: AppStatus): boolean {
  if (pendingRequest(application, status) !== undefined) return true;
  return application.sync?.revision !== undefined && status.answered?.request === application.sync.id && before.answered?.request !== application.sync.id && !isUnderWay(status.operation);
}

function isBlind({ judgement: { verdict, resources } }: Observation): boolean {
  return verdict.status === 'Unknown' && resources.length === 0;
}

/** A newer commit has ended it in this look: what that one wants is still to be done. */
function isReplaced(operation: Operation | null, { terminate }: Application, { operation: earlier }: AppStatus): boolean {
  return operation?.state === 'terminated' && operation.id !== terminate && (earlier?.id !== operation.id || isUnderWay(earlier));
}
