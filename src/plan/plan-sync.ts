import type { Operation, Phase, Plan, ResourceKey } from '../model/index.ts';
import { sourcesName } from './begun-for.ts';
import { held, isAct, type Candidate } from './candidate.ts';
import { planHash } from './confirmation.ts';
import { namespaceCandidate } from './create-namespace.ts';
import { hookDeletions } from './hook-deletions.ts';
import { hookName, hookStates } from './hook-run.ts';
import { inOrder, inWaves } from './in-waves.ts';
import { planDeletion } from './plan-deletion.ts';
import { hookCandidates, hooksOf, type Hook } from './plan-hooks.ts';
import type { PlanInput } from './plan-input.ts';
import { pruneCandidates } from './plan-prunes.ts';
import { resourceCandidates } from './plan-resources.ts';
import { isSuperseded, planSuperseded } from './plan-superseded.ts';
import { operationType, selected, underPolicy } from './under-policy.ts';
import { whyStopped, type Stop } from './why-stopped.ts';

const syncing: readonly Phase[] = ['PreSync', 'Sync', 'PostSync', 'SyncFail'];

/** All that a sync would do now, in order, with what it waits for and what it refuses. */
export function planSync(input: PlanInput): Plan {
  const { operation, request, commit } = input;
  const content = sourcesName(input.application, input.commits);
  if (operation?.type === 'delete') return planDeletion(input);
  if (operation !== undefined && isSuperseded(operation, { commit, content })) return planSuperseded(operation, input);

  const all = hooksOf(input, syncing);
  const states = operation === undefined ? {} : hookStates(operation, namesOf(all), input.live);
  const found = findWork(input, all, states);
  const hash = hashOf(input.render.isSettled ? found : findWork(asIfSettled(input), all, states), input);
  const type = operationType(found.resources, input);
  const resources = found.resources.map((candidate) => withConfirmation(selected(underPolicy(candidate, input, type), input), hash));
  const isOn = operation !== undefined || request !== undefined || resources.some(({ step }) => isAct(step));
  const around = aroundOf(found, input, type).map((candidate) => (isOn ? candidate : refused(candidate, { code: 'NeedsApproval', why: 'follows when the sync is approved', confirm: hash })));
  const stop = whyStopped(input, hash);
  const candidates = [...resources, ...around, ...cleanUp(all, around, input)].map((candidate) => (stop === undefined ? candidate : refused(candidate, stop)));

  const steps = inWaves(candidates);
  const begins = operation === undefined && stop === undefined && (request !== undefined || steps.some(isAct)) ? type : undefined;
  return { steps, hash, commit, content, hooks: states, ...(begins !== undefined && { begins }), ...(stop !== undefined && { stopped: { code: stop.code, why: stop.why } }) };
}

/** What there is to do, before anybody asks whether it may be done. */
interface Work {
  readonly resources: readonly Candidate[];
  /** Those of them that change what Git and the cluster differ in. */
  readonly changes: readonly Candidate[];
  readonly hooks: readonly Candidate[];
  readonly namespace: readonly Candidate[];
}

function findWork(input: PlanInput, all: readonly Hook[], states: Plan['hooks']): Work {
  const isFailing = input.operation?.state === 'failing';
  const due = all.filter(({ phase }) => (phase === 'SyncFail') === isFailing);
  const hooks = hookCandidates(due, input, states);
  const resources = isFailing ? [] : resourcesOf(input, hooks);
  const changes = resources.filter(({ step, reason }) => isAct(step) && reason !== 'adopt');
  return { resources, changes, hooks, namespace: namespaceCandidate(input, [...changes, ...hooks]) };
}

/** What has to wait for a second look is approved with the rest. */
function asIfSettled(input: PlanInput): PlanInput {
  return { ...input, render: { ...input.render, isSettled: true } };
}

/** The same whether it is asked for or not. What was confirmed by itself is not part of it: it was not in the plan that somebody saw. */
function hashOf({ changes, hooks, namespace }: Work, input: PlanInput): string {
  const seen = changes.length === 0 ? [] : [...changes, ...hooks, ...namespace];
  return planHash(input, seen.toSorted(inOrder).flatMap(({ step }) => (isAct(step) && !('confirmed' in step) ? [step] : [])));
}

/** The namespace and the hooks: there where a sync is under way or asked for, or where something is to be done. */
function aroundOf({ changes, hooks, namespace }: Work, { operation, request }: PlanInput, type: Operation['type'] | undefined): readonly Candidate[] {
  const isPartial = type === 'heal' || (operation === undefined ? request : operation.request)?.resources !== undefined;
  const isMeant = operation !== undefined || request !== undefined || changes.length > 0;
  return isMeant ? [...namespace, ...(isPartial ? [] : hooks)] : [];
}

function cleanUp(all: readonly Hook[], around: readonly Candidate[], input: PlanInput): readonly Candidate[] {
  const replaced = new Set(around.filter(({ step }) => isAct(step)).map(({ key }) => key));
  return input.operation === undefined ? [] : hookDeletions(all, input.operation, input).filter(({ key }) => !replaced.has(key));
}

function resourcesOf(input: PlanInput, hooks: readonly Candidate[]): readonly Candidate[] {
  const resources = resourceCandidates(input);
  const declared = new Set<ResourceKey>([...input.manifests.map(({ key }) => key), ...input.judged.keys()]);
  const lastWave = Math.max(0, ...[...resources, ...hooks].filter(({ phase }) => phase === 'Sync').map(({ wave }) => wave));
  return [...resources, ...pruneCandidates(input, declared, lastWave)];
}

function namesOf(hooks: readonly Hook[]): readonly string[] {
  return hooks.map(({ phase, manifest }) => hookName(phase, manifest.key));
}

function refused(candidate: Candidate, stop: Stop): Candidate {
  return isAct(candidate.step) ? { ...candidate, step: held(candidate, stop) } : candidate;
}

/** What is to be approved is named by the hash of the plan. */
function withConfirmation(candidate: Candidate, hash: string): Candidate {
  const { step } = candidate;
  return step?.type === 'hold' && step.code === 'NeedsApproval' ? { ...candidate, step: { ...step, confirm: hash } } : candidate;
}
