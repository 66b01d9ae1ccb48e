import { fieldManager, type Operation } from '../model/index.ts';
import { held, isAct, type Candidate } from './candidate.ts';
import type { Stop } from './why-stopped.ts';
import type { PlanInput } from './plan-input.ts';

type OperationType = Operation['type'];

/** The kind of operation that this is, or would be; undefined where nothing would be done without being asked for. */
export function operationType(candidates: readonly Candidate[], input: PlanInput): OperationType | undefined {
  if (input.operation !== undefined) return input.operation.type;
  if (input.request !== undefined) return 'manual';
  const acted = candidates.filter((candidate) => isAct(candidate.step) && candidate.reason !== 'adopt' && refusalOf(candidate, input, undefined) === undefined);
  if (acted.some(({ reason }) => reason !== 'drift')) return 'deploy';
  return acted.length > 0 ? 'heal' : undefined;
}

/** What the policies of the application leave of a resource's step. */
export function underPolicy(candidate: Candidate, input: PlanInput, type: OperationType | undefined): Candidate {
  if (!isAct(candidate.step)) return candidate;
  // Nobody asked for what is as Git says: that it is marked as ours comes with the next deployment.
  if (candidate.reason === 'adopt' && type !== 'deploy' && type !== 'manual') return { ...candidate, step: undefined };
  const refusal = refusalOf(candidate, input, type);
  return refusal === undefined ? candidate : { ...candidate, step: held(candidate, refusal) };
}

function refusalOf(candidate: Candidate, { application: { policy }, operation, fights }: PlanInput, type: OperationType | undefined): Stop | undefined {
  if (type === 'manual') return undefined;
  if (candidate.reason !== 'drift') {
    if (policy.deploy !== 'automatic') return { code: 'NeedsApproval', why: 'new commits are not applied unasked' };
    return type === 'heal' ? { code: 'NotSelected', why: 'follows when what was changed live is put back' } : undefined;
  }
  // An operation that recreates it has deleted it: that is no drift.
  if (operation?.type === 'deploy' && candidate.step?.type === 'apply' && candidate.step.why === 'missing' && candidate.isForced === true) return undefined;
  if (candidate.isHealed !== true) return { code: 'NeedsApproval', why: `what was changed live is not put back: drift.mode is ${policy.drift}${policy.rules === undefined ? '' : ', or drift.rules say so'}` };
  return fights.has(candidate.key) ? { code: 'Fighting', why: whyFighting(candidate, fights) } : undefined;
}

function whyFighting({ key }: Candidate, fights: PlanInput['fights']): string {
  const other = 'get' in fights ? fights.get(key) : undefined;
  return `${other === undefined || other === '' ? 'somebody' : other} changes it again each time ${fieldManager} puts it back, so it is left: settle which of them has it`;
}

/** Of a selective sync: the others are left, and nobody waits for them. */
export function selected(candidate: Candidate, input: PlanInput): Candidate {
  const chosen = (input.operation === undefined ? input.request : input.operation.request)?.resources;
  if (chosen === undefined || chosen.includes(candidate.key)) return candidate;
  const step = isAct(candidate.step) && candidate.reason !== 'adopt' ? held(candidate, { code: 'NotSelected', why: 'not among the resources that this sync is for' }) : undefined;
  return { ...candidate, step, lacks: undefined };
}
