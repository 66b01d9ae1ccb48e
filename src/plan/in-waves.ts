import type { HoldCode, Phase, Step } from '../model/index.ts';
import { isAct, type Candidate, type Hold } from './candidate.ts';
import { inApplyOrder, inPruneOrder } from './kind-order.ts';

const phases: readonly Phase[] = ['PreSync', 'PreDelete', 'Sync', 'PostSync', 'PostDelete', 'SyncFail'];

/** Holds that mean that the commit is not there, and will not be by waiting. */
export const lastingHolds: ReadonlySet<HoldCode> = new Set<HoldCode>(['Invalid', 'Denied', 'WaitsForDefinition', 'OtherTool', 'Shared', 'RequiresReplace', 'NotOurs']);
/** Those that may pass by themselves. */
const passingHolds: ReadonlySet<HoldCode> = new Set<HoldCode>(['NotCompared', 'Terminating', 'NamespaceTerminating']);

/** Something that has to be as it should be before what comes later. */
interface Obstacle {
  readonly wait: Extract<Step, { readonly type: 'wait' }>;
  /** `always`: the sync is not over before. `phase`: only later phases mind. */
  readonly scope: 'always' | 'wave' | 'phase';
}

/** Phase by phase, wave by wave, with a wait wherever something later is due and something earlier is not ready. */
export function inWaves(candidates: readonly Candidate[]): readonly Step[] {
  const steps: Step[] = [];
  let obstacles: readonly Obstacle[] = [];
  for (const group of groupsOf(candidates)) {
    const [{ phase } = { phase: 'Sync' }] = group;
    if (group.some(({ step }) => isAct(step))) {
      const isMet = ({ wait, scope }: Obstacle): boolean => scope !== 'phase' || wait.phase !== phase;
      steps.push(...obstacles.filter(isMet).map(({ wait }) => wait));
      obstacles = obstacles.filter((obstacle) => !isMet(obstacle));
    }
    const [waiting, ready] = [group.filter(isWaiting), group.filter((candidate) => !isWaiting(candidate))];
    steps.push(...ready.flatMap(({ step }) => (step === undefined || step.type === 'wait' ? [] : [step])));
    steps.push(...waiting.map(definitionWait), ...waiting.flatMap(({ step }) => step ?? []));
    obstacles = [...obstacles, ...group.flatMap((candidate) => obstacleOf(candidate) ?? [])];
  }
  return [...steps, ...obstacles.filter(({ scope }) => scope === 'always').map(({ wait }) => wait)];
}

function groupsOf(candidates: readonly Candidate[]): readonly (readonly Candidate[])[] {
  return [...Map.groupBy(candidates.toSorted(inOrder), ({ phase, wave }) => `${phase} ${wave}`).values()];
}

export function inOrder(a: Candidate, b: Candidate): number {
  const [aGoes, bGoes] = [a.reason === 'prune', b.reason === 'prune'];
  const within = aGoes && bGoes ? inPruneOrder(a.key, b.key) : aGoes === bGoes ? inApplyOrder(a.key, b.key) : aGoes ? -1 : 1;
  return phases.indexOf(a.phase) - phases.indexOf(b.phase) || a.wave - b.wave || within;
}

function isWaiting({ definition, step }: Candidate): boolean {
  return definition !== undefined && isAct(step);
}

function definitionWait({ key, phase, wave, definition = '' }: Candidate): Step {
  return { type: 'wait', key, phase, wave, why: `waits until the server knows its kind: ${definition}` };
}

function obstacleOf(candidate: Candidate): Obstacle | undefined {
  const { step, reason, lacks, isNeeded } = candidate;
  const scope = isNeeded === true || reason === 'hook' ? 'always' : 'wave';
  if (step?.type === 'wait') return { wait: { ...step, ...limitOf(candidate) }, scope: 'always' };
  if (step?.type === 'hold') return obstacleByHold(candidate, step);
  if (step === undefined) return lacks === undefined ? undefined : { wait: waitFor(candidate, lacks), scope };
  if (step.type === 'delete-hook' || reason === 'namespace') return undefined;
  const first = step.type === 'prune' ? 'has to be gone first' : step.type === 'hook' ? 'is a hook that has to succeed first' : 'is applied first, and then has to be healthy';
  return { wait: waitFor(candidate, first), scope };
}

function obstacleByHold(candidate: Candidate, { code, why }: Hold): Obstacle | undefined {
  const { reason, lacks, isNeeded } = candidate;
  const isLasting = lastingHolds.has(code) || candidate.isLasting === true;
  const wait = { ...waitFor(candidate, `is held: ${why}`), ...(isLasting && { isStuck: true as const }) };
  if (isNeeded === true) return { wait, scope: 'always' };
  if (reason === 'prune') return undefined;
  if (isLasting || passingHolds.has(code)) return { wait, scope: reason === 'hook' ? 'always' : lacks === undefined ? 'phase' : 'wave' };
  // It is not held for what it is: only its state counts.
  return lacks === undefined || reason === 'hook' ? undefined : { wait: waitFor(candidate, lacks), scope: 'wave' };
}

function waitFor(candidate: Candidate, why: string): Obstacle['wait'] {
  const { key, phase, wave } = candidate;
  return { type: 'wait', key, phase, wave, why, ...limitOf(candidate) };
}

function limitOf({ limitMs }: Candidate): { readonly limitMs?: number } {
  return limitMs === undefined ? {} : { limitMs };
}
