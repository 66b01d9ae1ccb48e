import { expect, test } from 'vitest';
import type { Prediction, Target } from '../../../src/cluster/cluster.ts';
import { limitDryRuns } from '../../../src/cluster/limit-dry-runs.ts';
import { configMap, configMapKind, manifestOf } from '../diff/fixtures.ts';

const { signal } = new AbortController();
const target: Target = { manifest: manifestOf(configMap({})), kind: configMapKind };
const elsewhere: Target = { ...target, manifest: manifestOf(configMap({}, { namespace: 'other' })) };

function counted(answer: Prediction): { asked: number; predict: () => Promise<Prediction>; predictPatch: () => Promise<Prediction> } {
  const server = {
    asked: 0,
    predict: () => {
      server.asked += 1;
      return Promise.resolve(answer);
    },
    predictPatch: () => server.predict(),
  };
  return server;
}

test('a burst goes at once, what follows waits its turn', async () => {
  const server = counted({ type: 'predicted', object: configMap({}) });
  const { predict } = limitDryRuns(server, { perSecond: 200, burst: 3, now: () => 0 });
  const all = Promise.all(Array.from({ length: 5 }, () => predict(target, signal)));
  await Promise.resolve();
  expect(server.asked).toBe(3);
  await all;
  expect(server.asked).toBe(5);
});

test('a kind that the server cannot be asked about is not asked about again for ten minutes, in that namespace', async () => {
  let time = 0;
  const server = counted({ type: 'unconfirmed', scope: 'kind', code: 'Forbidden', message: 'not allowed to patch' });
  const { predict } = limitDryRuns(server, { perSecond: 100, burst: 100, now: () => time });
  await predict(target, signal);
  expect(await predict(target, signal)).toMatchObject({ type: 'unconfirmed' });
  expect(server.asked).toBe(1);
  await predict(elsewhere, signal);
  expect(server.asked).toBe(2);
  time = 10 * 60_000;
  await predict(target, signal);
  expect(server.asked).toBe(3);
});

test('an answer about the object alone is asked for every time', async () => {
  const server = counted({ type: 'denied', message: 'no' });
  const { predict } = limitDryRuns(server, { perSecond: 100, burst: 100, now: () => 0 });
  await predict(target, signal);
  await predict(target, signal);
  expect(server.asked).toBe(2);
});

test('who waits can be called off', async () => {
  const server = counted({ type: 'predicted', object: configMap({}) });
  const { predict } = limitDryRuns(server, { perSecond: 0.001, burst: 1, now: () => 0 });
  await predict(target, signal);
  const off = new AbortController();
  const waiting = predict(target, off.signal);
  off.abort();
  await expect(waiting).rejects.toThrow('aborted');
  expect(server.asked).toBe(1);
});
