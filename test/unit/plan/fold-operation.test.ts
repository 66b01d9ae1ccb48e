import { describe, expect, test } from 'vitest';
import type { HoldCode, Operation, Plan, Step, StepOutcome } from '../../../src/model/index.ts';
import { beginOperation, foldOperation } from '../../../src/plan/index.ts';
import { keyOf, now, operationOf } from './scene.ts';

const [a, job] = [keyOf('ConfigMap shop/a'), keyOf('batch/Job shop/migrate')];
const place = { key: a, phase: 'Sync', wave: 0 } as const;
const apply: Step = { type: 'apply', ...place, why: 'changed' };
const hook: Step = { type: 'hook', key: job, phase: 'PreSync', wave: 0, run: 'op1 PreSync' };
const wait: Step = { type: 'wait', ...place, why: 'is Progressing' };
const stuck: Step = { type: 'wait', ...place, why: 'is held: no', isStuck: true };
const hold = (code: HoldCode): Step => ({ type: 'hold', ...place, code, why: 'no' });
const applied = (key = a): StepOutcome => ({ type: 'applied', key });
const failed = (retry: 'soon' | 'later', key = a): StepOutcome => ({ type: 'failed', key, why: 'refused', retry });
const name = `PreSync ${job}`;

function planned(steps: readonly Step[], more: Partial<Plan> = {}): Plan {
  return { steps, hash: 'plan-1', commit: 'c1', content: 'n1', hooks: {}, ...more };
}

describe('an operation that runs', () => {
  test.each<[string, Plan, readonly StepOutcome[], Operation['state'], string | undefined]>([
    ['is done where nothing is left', planned([]), [], 'succeeded', undefined],
    ['is done when all that was due is', planned([apply]), [applied()], 'succeeded', undefined],
    ['goes on where an outcome was lost', planned([apply]), [], 'running', 'ConfigMap shop/a is not done yet'],
    ['goes on where something may work soon', planned([apply]), [failed('soon')], 'running', 'ConfigMap shop/a is not done yet'],
    ['fails where something was refused for good', planned([apply]), [failed('later')], 'failing', 'ConfigMap shop/a: refused'],
    ['names how many were', planned([apply]), [failed('later'), failed('later', job)], 'failing', 'ConfigMap shop/a: refused (and 1 more)'],
    ['is done where the rest was left to others', planned([apply]), [{ type: 'held', key: a, code: 'Contested', why: 'no' }], 'succeeded', undefined],
    ['goes on while something is waited for', planned([apply, wait, apply]), [applied()], 'running', 'ConfigMap shop/a is Progressing'],
    ['fails where waiting does not help', planned([stuck, apply]), [], 'failing', 'ConfigMap shop/a is held: no'],
    ['does what is due before it says so', planned([hook, stuck]), [applied(job)], 'running', 'ConfigMap shop/a is held: no'],
    ['fails where the commit cannot be had', planned([hold('Denied')]), [], 'failing', 'ConfigMap shop/a is held: no'],
    ['fails where only a replacement would do', planned([apply, hold('RequiresReplace')]), [applied()], 'failing', 'ConfigMap shop/a is held: no'],
    ['goes on when a pause ends', planned([hold('Paused')]), [], 'running', 'ConfigMap shop/a is held: no'],
    ['goes on when a second look has settled what to prune', planned([hold('NotSettled')]), [], 'running', 'ConfigMap shop/a is held: no'],
    ['is done though something is contested, and says so', planned([hold('Contested')]), [], 'succeeded', 'ConfigMap shop/a is held: no'],
    ['is done though something is not pruned, and says so', planned([hold('PruneBudget'), hold('PruneBudget')]), [], 'succeeded', 'ConfigMap shop/a is held: no (and 1 more)'],
    ['is done though something is not ours to prune', planned([hold('NotOurs')]), [], 'succeeded', 'ConfigMap shop/a is held: no'],
    ['ends where a newer commit came', planned([], { commit: 'c2' }), [], 'terminated', 'a newer commit took its place: c2'],
    ['lets its hooks finish where a newer commit came', planned([wait], { commit: 'c2' }), [], 'running', 'ConfigMap shop/a is Progressing'],
  ])('%s', (_name, plan, outcomes, state, message) => {
    const next = foldOperation(operationOf({ message: 'earlier' }), { plan, outcomes, now });
    expect(next.state).toBe(state);
    expect(next.message).toBe(message);
    expect(next.endedAt).toBe(['succeeded', 'terminated'].includes(state) ? now.toISOString() : undefined);
  });
});

describe('waiting', () => {
  const ill: Step = { type: 'wait', ...place, why: 'is Degraded: no', limitMs: 600_000 };
  const ago = (ms: number): string => new Date(now.getTime() - ms).toISOString();

  test.each<[string, Plan, string | undefined, Operation['state'], string | undefined]>([
    ['begins when nothing can be done', planned([ill, apply]), undefined, 'running', now.toISOString()],
    ['goes on', planned([ill, apply]), ago(599_999), 'running', ago(599_999)],
    ['ends with its time', planned([ill, apply]), ago(600_000), 'failing', undefined],
    ['has no end for what makes progress', planned([wait, apply]), ago(6_000_000), 'running', ago(6_000_000)],
    ['is none while something can be done', planned([apply, ill]), ago(6_000_000), 'running', undefined],
    ['is none while it is paused', planned([hold('Paused')]), ago(6_000_000), 'running', undefined],
  ])('%s', (_name, plan, since, state, after) => {
    const next = foldOperation(operationOf({ ...(since !== undefined && { waitingSince: since }) }), { plan, outcomes: [], now });
    expect(next.state).toBe(state);
    expect(next.waitingSince).toBe(after);
  });

  test('that was in vain is the reason of the failure', () => {
    expect(foldOperation(operationOf({ waitingSince: ago(600_000) }), { plan: planned([ill, apply]), outcomes: [], now }).message).toBe('ConfigMap shop/a is Degraded: no; it was waited for 600 s');
  });
});

describe('hooks on record', () => {
  test.each<[string, Plan, readonly StepOutcome[], Operation['hooks'], Operation['state']]>([
    ['one that was created runs', planned([hook, wait]), [applied(job)], { [name]: 'running' }, 'running'],
    ['one whose creation was not answered is not on record', planned([hook, wait]), [], {}, 'running'],
    ['one that may be created soon is not either', planned([hook, wait]), [failed('soon', job)], {}, 'running'],
    ['one that was refused for good has failed', planned([hook, wait]), [failed('later', job)], { [name]: 'failed' }, 'failing'],
    ['what was seen is recorded', planned([wait], { hooks: { [name]: 'succeeded' } }), [], { [name]: 'succeeded' }, 'running'],
    ['the look in which a success is recorded is not the last', planned([], { hooks: { [name]: 'succeeded' } }), [], { [name]: 'succeeded' }, 'running'],
    ['one that failed fails the operation', planned([wait], { hooks: { [name]: 'failed' } }), [], { [name]: 'failed' }, 'failing'],
  ])('%s', (_name, plan, outcomes, hooks, state) => {
    expect(foldOperation(operationOf(), { plan, outcomes, now })).toMatchObject({ hooks, state });
  });
});

describe('an operation that fails', () => {
  const failing = operationOf({ state: 'failing', message: 'the hook failed', hooks: { [name]: 'failed' } });
  const tell: Step = { ...hook, phase: 'SyncFail' };
  test.each<[string, Plan, readonly StepOutcome[], Operation['state']]>([
    ['has failed where nothing is left to do about it', planned([]), [], 'failed'],
    ['runs the hooks for it first', planned([tell, wait]), [applied(job)], 'failing'],
    ['waits for them', planned([wait]), [], 'failing'],
    ['has failed too where they cannot run', planned([stuck]), [], 'failed'],
    ['has failed where a newer commit came', planned([], { commit: 'c2' }), [], 'failed'],
    ['waits while it is paused', planned([hold('Paused')]), [], 'failing'],
  ])('%s', (_name, plan, outcomes, state) => {
    expect(foldOperation(failing, { plan, outcomes, now })).toMatchObject({ state, message: 'the hook failed' });
  });
});

test.each(['succeeded', 'failed', 'terminated'] as const)('one that is %s stays so', (state) => {
  const ended = operationOf({ state });
  expect(foldOperation(ended, { plan: planned([apply]), outcomes: [failed('later')], now })).toBe(ended);
});

test('a deletion ends though something is left behind', () => {
  expect(foldOperation(operationOf({ type: 'delete' }), { plan: planned([hold('NotOurs'), hold('PruneNeedsConfirmation')]), outcomes: [], now })).toMatchObject({ state: 'succeeded', message: 'ConfigMap shop/a is held: no (and 1 more)' });
});

test('what was begun for other sources ends when its hooks have', () => {
  const begun = operationOf({ content: 'n1' });
  expect(foldOperation(begun, { plan: planned([], { content: 'n2' }), outcomes: [], now })).toMatchObject({ state: 'terminated', message: 'its sources were changed meanwhile' });
  expect(foldOperation(begun, { plan: planned([wait], { content: 'n2' }), outcomes: [], now })).toMatchObject({ state: 'running' });
  expect(foldOperation(begun, { plan: planned([], { content: 'n1' }), outcomes: [], now })).toMatchObject({ state: 'succeeded' });
  expect(foldOperation(operationOf(), { plan: planned([]), outcomes: [], now })).toMatchObject({ state: 'succeeded' });
});

describe('the beginning', () => {
  const request = { id: 'r', by: 'me' };
  test('is of the type that the plan says, at its commit', () => {
    expect(beginOperation(planned([apply], { begins: 'manual' }), { id: 'op1', spec: 's1', request, now })).toEqual({ id: 'op1', type: 'manual', revision: 'c1', content: 'n1', spec: 's1', startedAt: now.toISOString(), request, hooks: {}, state: 'running' });
  });

  test('keeps what was confirmed', () => {
    const prune = { type: 'prune', ...place, uid: 'u', propagation: 'foreground' } as const;
    expect(beginOperation(planned([{ ...prune, confirmed: true }, { ...prune, key: job }], { begins: 'manual' }), { id: 'op1', spec: 's1', now })?.confirmed).toEqual([a]);
  });

  test('is none where the plan has nothing to begin', () => {
    expect(beginOperation(planned([hold('Paused')]), { id: 'op1', spec: 's1', request, now })).toBeUndefined();
  });
});
