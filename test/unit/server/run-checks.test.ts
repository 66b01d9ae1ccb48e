import { expect, test } from 'vitest';
import { SetpointError } from '../../../src/model/index.ts';
import { runChecks, type Check } from '../../../src/server/run-checks.ts';
import { fakeClock } from './fake-clock.ts';

test.each<[string, Check['check'], string | undefined]>([
  ['says nothing', () => undefined, undefined],
  ['says nothing after a while', async () => undefined, undefined],
  ['says what is wrong', () => 'Redis does not answer', 'Redis does not answer'],
  ['throws one of our errors', () => Promise.reject(new SetpointError('ClusterUnreachable', 'the API server is away')), 'the API server is away'],
  [
    'throws something else',
    () => {
      throw new Error('canary');
    },
    'the check failed',
  ],
])('a check that %s', async (_name, check, reason) => {
  const { setTimer, timers } = fakeClock();
  expect(await runChecks([{ name: 'one', check }], setTimer)).toEqual(reason === undefined ? [] : [{ check: 'one', reason }]);
  expect(timers()).toBe(0);
});

test('a check that hangs has failed after 2 seconds, is told so, and holds up no other', async () => {
  const clock = fakeClock();
  const signals: AbortSignal[] = [];
  const hanging: Check = {
    name: 'hanging',
    check(signal) {
      signals.push(signal);
      return new Promise(() => undefined);
    },
  };
  const complaints = runChecks([hanging, { name: 'bad', check: () => 'broken' }, { name: 'good', check: () => undefined }], clock.setTimer);
  await new Promise((resolve) => setImmediate(resolve));
  clock.advance(2_000);
  expect(await complaints).toEqual([
    { check: 'hanging', reason: 'no answer within 2 s' },
    { check: 'bad', reason: 'broken' },
  ]);
  expect(signals.map(({ aborted }) => aborted)).toEqual([true]);
});
