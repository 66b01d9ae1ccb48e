import type { Application, AppStatus, Inventory, StepOutcome } from '../model/index.ts';
import { beginOperation, confirmOperation, foldOperation, specName } from '../plan/index.ts';
import { carryOut, stopping } from '../sync/index.ts';
import { deletionOf, hindered, letGo, settleHold } from './deletion.ts';
import { intendedBy } from './inventory.ts';
import { createLookApplier } from './look-applier.ts';
import { nextLook, type Reconciled } from './next-look.ts';
import { isBlind, observe, type Observation } from './observe.ts';
import { hasDueSteps, isUnderWay, pendingRequest, pinned, terminated, wantsPlan, whyGitIsSilent } from './operation.ts';
import { planLook, type PlannedLook } from './plan-look.ts';
import type { Ports } from './ports.ts';
import { recorded, recordLook, type Recording } from './record-look.ts';
import { StillAsking } from './still-asking.ts';
import { whyOrphaned } from './why-orphaned.ts';

// What one wave makes room for is done in the same look, unless it goes on and on.
const mostRounds = 25;

/** One application, once: observe, record, act, observe again, record. Running it twice equals running it once. */
export async function reconcile(application: Application, ports: Ports, signal: AbortSignal): Promise<Reconciled> {
  const before = await ports.status.read(application.id);
  const asked = pendingRequest(application, before);
  const subject = application.deleting ? application : pinned(application, asked ?? (isUnderWay(before.operation) ? before.operation.request : undefined));
  let stopped = application.deleting
    ? deletionOf(application, before, { ...ports, orphaned: await whyOrphaned(application, ports.cluster, signal), request: asked })
    : terminated(before.operation, application, ports.now());
  // What was ended has its place in the history before anything else is begun.
  const isJustEnded = isUnderWay(before.operation) && !isUnderWay(stopped);
  let observation = await observe(subject, ports, signal);
  // What is deleted goes whatever Git says by now.
  const silence = application.deleting || isBlind(observation) ? undefined : whyGitIsSilent(asked, observation);
  const request = silence === undefined ? asked : undefined;
  let planned = !isJustEnded && wantsPlan({ application, observation, status: before, operation: stopped, request, now: ports.now() })
    ? await planLook({ application: subject, observation, status: before, renderedBefore: before.rendered, operation: isUnderWay(stopped) ? stopped : undefined, request }, ports, signal).catch(whileDeleting)
    : undefined;
  const begun = planned === undefined ? undefined : beginOperation(planned.plan, { id: ports.newId(), spec: specName(application), now: ports.now(), ...(request !== undefined && { request }) });
  let operation = begun ?? (planned === undefined ? stopped : confirmOperation(stopped, planned.plan));
  if (begun !== undefined) planned = planned?.with(begun);
  const acts = planned !== undefined && isUnderWay(operation) && hasDueSteps(planned.plan);
  if (planned !== undefined && isUnderWay(operation) && !acts) operation = foldOperation(operation, { plan: planned.plan, outcomes: [], now: ports.now() });

  const answered = silence !== undefined && asked !== undefined ? { request: asked.id, message: silence } : answerTo(request, planned, observation);
  // In durable state before anything is done about it: a difference that is healed at once was still seen.
  let status = await recordLook(subject, ports, [{ since: before, observation, planned, operation, answered, ...(acts && { intended: intentionOf(planned, observation, before) }) }]);
  ports.report.observed(application, status);
  if (planned !== undefined && !acts) ports.report.synced(application, holdsOf(planned));
  for (let round = 0; round < mostRounds && planned !== undefined && isUnderWay(operation) && hasDueSteps(planned.plan); round += 1) {
    const { applier, written } = createLookApplier({ application, observation, planned, operation }, ports);
    const told: StepOutcome[] = [];
    const { outcomes, hindrance } = await carryOut(planned.plan.steps, applier, { signal, onOutcome: (outcome) => void told.push(outcome) }).then(
      (all) => ({ outcomes: all, hindrance: undefined }),
      (error: Error) => ({ outcomes: told, hindrance: error }),
    );
    ports.report.synced(application, outcomes);
    operation = foldOperation(operation, { plan: planned.plan, outcomes, now: ports.now() });
    const after = hindrance === undefined ? await observeUnlessStopping(subject, ports, signal) : undefined;
    if (after === undefined) {
      // What was done is on record, also where somebody has changed the Application meanwhile or the process ends; what became of it the next look sees.
      await recordLook(subject, ports, [{ since: status, observation: { ...observation, agreed: undefined }, planned, operation, outcomes, acted: observation, written, unseen: true }]);
      if (hindrance !== undefined) throw hindrance;
      signal.throwIfAborted();
      break;
    }
    const done: Recording = { since: status, observation: after, planned, operation, outcomes, acted: observation, written };
    observation = after;
    // Where nothing could be compared, nothing is known to be left to do either.
    const goesOn = isUnderWay(operation) && (application.deleting || !isBlind(observation));
    const drafted = recorded(status, { application: subject, ports, recordings: [done] });
    planned = goesOn ? await planLook({ application: subject, observation, status: drafted, renderedBefore: before.rendered, operation, request: undefined }, ports, signal).catch(recordFirst(done)) : undefined;
    const isDue = planned !== undefined && hasDueSteps(planned.plan);
    if (isUnderWay(operation) && planned !== undefined && !isDue) operation = foldOperation(operation, { plan: planned.plan, outcomes: [], now: ports.now() });
    const next: Recording = { since: status, observation, planned, operation, ...(isDue && { intended: intentionOf(planned, observation, drafted) }) };
    status = await recordLook(subject, ports, planned === undefined ? [done] : [done, next]);
    ports.report.observed(application, status);
  }
  await settleHold(application, ports, signal);
  await letGo({ application, operation, status }, ports, signal);
  return nextLook(application, { status, observation, operation, before }, ports.now());

  /** What cannot be planned now is tried again until the time of a deletion is over. */
  function whileDeleting(error: unknown): undefined {
    if (signal.aborted || stopped?.type !== 'delete') throw error;
    stopped = hindered(stopped, error);
    return undefined;
  }

  /** What was done is on record, whatever becomes of what follows. */
  function recordFirst(done: Recording): (error: unknown) => Promise<never> {
    return async (error) => {
      status = await recordLook(subject, ports, [done]);
      throw error;
    };
  }
}

/** Undefined where the process is to end, or where Git has to be waited for. */
async function observeUnlessStopping(application: Application, ports: Ports, signal: AbortSignal): Promise<Observation | undefined> {
  try {
    signal.throwIfAborted();
    return await observe(application, ports, signal);
  } catch (error) {
    if (signal.reason === stopping || error instanceof StillAsking) return undefined;
    throw error;
  }
}

/** What is refused is told, also where nothing else is done. */
function holdsOf({ plan }: PlannedLook): readonly StepOutcome[] {
  return plan.steps.flatMap((step) => (step.type === 'hold' ? [{ type: 'held', key: step.key, code: step.code, why: step.why }] : []));
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
