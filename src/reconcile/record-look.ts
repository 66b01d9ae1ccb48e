import { markCorrected } from '../alert/index.ts';
import { sameValue, SetpointError, type Application, type AppStatus, type Inventory, type Json, type KubeObject, type Operation, type ResourceKey, type StepOutcome } from '../model/index.ts';
import { correctedBy, withCorrected } from './fights.ts';
import { inventoryAfter, withoutIntended, withWritten } from './inventory.ts';
import { nextStatus, type Observed } from './next-status.ts';
import { isBlind, type Observation } from './observe.ts';
import type { PlannedLook } from './plan-look.ts';
import type { Ports } from './ports.ts';
import { recordedOperation } from './recorded-operation.ts';
import { renderedName } from './rendered-name.ts';

export interface Recording {
  /** What is on record, as far as this look knows. */
  readonly since: AppStatus;
  readonly observation: Observation;
  readonly planned: PlannedLook | undefined;
  readonly operation: Operation | null;
  readonly answered?: AppStatus['answered'] | undefined;
  readonly outcomes?: readonly StepOutcome[];
  /** What the outcomes are about, as it was before them. */
  readonly acted?: Observation;
  readonly written?: ReadonlyMap<ResourceKey, KubeObject | null>;
  /** What is about to be made. */
  readonly intended?: Inventory;
  /** Nobody looked after something was done: what was done is recorded, and no verdict. */
  readonly unseen?: true;
}

/** What was seen and done, in durable state: one write, however much of it there is. */
export async function recordLook(application: Application, ports: Ports, recordings: readonly Recording[]): Promise<Observed> {
  const [first] = recordings;
  const status = await ports.status.update(application.id, (before) => {
    const agreed = first?.observation.agreed;
    if ((agreed !== undefined && !isSameMemory(before.agreed, agreed)) || !isSameOperation(before.operation, first?.since.operation ?? null)) throw outdated(application);
    return recorded(before, { application, ports, recordings });
  }, application.uid);
  return status as Observed;
}

interface Recordings {
  readonly application: Application;
  readonly ports: Ports;
  readonly recordings: readonly Recording[];
}

/** What would be on record. */
export function recorded(before: AppStatus, { application, ports, recordings }: Recordings): AppStatus {
  let known = before;
  for (const recording of recordings) known = afterOne(known, recording, { application, ports });
  return known;
}

function afterOne(known: AppStatus, recording: Recording, { application, ports }: Omit<Recordings, 'recordings'>): AppStatus {
  const { observation, planned, operation, answered, outcomes = [], acted, intended = {}, unseen } = recording;
  const { judgement, compared, trouble, health } = observation;
  const now = ports.now();
  const seen = { application, judgement, compared, trouble, health, now, newId: ports.newId };
  const applied = new Set(outcomes.flatMap(({ type, key }) => (type === 'applied' ? [key] : [])));
  const episodes = applied.size === 0 ? known.episodes : markCorrected(known.episodes, applied, now.toISOString());
  const corrected = acted === undefined || operation === null ? [] : correctedBy({ application, operation, resources: acted.judgement.resources, outcomes });
  const inventory = { ...inventoryIn(known, application, recording), ...intended };
  return {
    ...(unseen === undefined ? nextStatus({ ...known, episodes }, seen) : { ...known, episodes }),
    ...(observation.commits.length > 0 && { commits: observation.commits.length > 1 ? observation.commits : [] }),
    corrections: withCorrected(known.corrections, corrected, now),
    ...recordedOperation(known, { operation, outcomes, planned, isInSync: judgement.verdict.status === 'Synced', now }),
    // The very same one while nothing changes: its text need not be made again.
    inventory: sameValue(known.inventory as unknown as Json, inventory as unknown as Json) ? known.inventory : inventory,
    // Nothing was compared: what was rendered before says nothing about now.
    rendered: unseen !== undefined || isBlind(observation) ? known.rendered : renderedName(observation),
    ...(answered === undefined ? {} : { answered }),
  };
}

function inventoryIn({ inventory }: AppStatus, { id }: Application, { observation, planned, operation, acted, written = new Map() }: Recording): Inventory {
  if (planned === undefined) return inventory;
  const { objects, left } = planned;
  // Git may have moved on while something was done: what was planned and read is of the commit before.
  const { targets } = acted ?? observation;
  const declared = new Set(targets.map(({ manifest }) => manifest.key));
  const known = inventoryAfter(inventory, { applicationId: id, objects, declared, left: left.map(({ manifest }) => manifest.key) });
  const after = withWritten(known, written);
  return operation?.state === 'succeeded' || operation?.state === 'failed' ? withoutIntended(after, declared) : after;
}

/** Somebody else may have written to the status, and nothing of this. */
function isSameMemory(one: AppStatus['agreed'], other: AppStatus['agreed']): boolean {
  return one === other || sameValue(one as unknown as Json, other as unknown as Json);
}

function isSameOperation(one: Operation | null, other: Operation | null): boolean {
  return one?.id === other?.id && one?.state === other?.state;
}

/** Causes were found by what is no longer on record: the Application was made anew, or a write arrived that was given up. */
function outdated({ id }: Application): SetpointError {
  return Object.assign(new SetpointError('ObjectUnsettled', `the status of ${id} is no longer the one that the look began with`), { retry: 'soon' });
}
