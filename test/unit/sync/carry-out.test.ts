import { expect, test } from 'vitest';
import { carryOut, type Applier } from '../../../src/sync/index.ts';
import type { ResourceKey, Step } from '../../../src/model/index.ts';

const steps: readonly Step[] = ['a', 'b', 'c'].map((name) => ({ type: 'apply', key: `/ConfigMap/shop/${name}` as ResourceKey }));
const signal = new AbortController().signal;

function applier(answer: (name: string, force: boolean) => Awaited<ReturnType<Applier['apply']>>, onConflict: Applier['onConflict']): Applier {
  return { apply: (key, { force }) => Promise.resolve(answer(key.split('/').at(-1) ?? '', force)), onConflict };
}

const never: Applier['onConflict'] = () => {
  throw new Error('no conflict was expected');
};

test('one that fails does not keep the others back', async () => {
  const outcomes = await carryOut(steps, applier((name) => (name === 'b' ? { type: 'invalid', message: 'no' } : { type: 'applied' }), never), signal);
  expect(outcomes.map(({ type }) => type)).toEqual(['applied', 'failed', 'applied']);
});

test('one that throws does not either', async () => {
  const throwing: Applier = { apply: () => Promise.reject(new Error('reset')), onConflict: never };
  expect(await carryOut(steps.slice(0, 1), throwing, signal)).toEqual([{ type: 'failed', key: '/ConfigMap/shop/a', why: 'reset' }]);
});

test('force is used only after a conflict that may be taken over', async () => {
  const forced: string[] = [];
  const answer = (name: string, force: boolean): Awaited<ReturnType<Applier['apply']>> => {
    if (force) forced.push(name);
    return force || name === 'a' ? { type: 'applied' } : { type: 'conflict', conflicts: [{ field: '.x', manager: name }] };
  };
  const outcomes = await carryOut(steps, applier(answer, ([conflict]) => (conflict?.manager === 'b' ? { type: 'take' } : { type: 'leave', why: 'theirs' })), signal);
  expect(forced).toEqual(['b']);
  expect(outcomes.map(({ type }) => type)).toEqual(['applied', 'applied', 'held']);
});

test('a hold is passed on with its reason', async () => {
  const hold: Step = { type: 'hold', key: '/ConfigMap/shop/a' as ResourceKey, why: 'because' };
  expect(await carryOut([hold], applier(() => ({ type: 'applied' }), never), signal)).toEqual([{ type: 'held', key: hold.key, why: 'because' }]);
});
