import { setImmediate } from 'node:timers/promises';
import { expect, test } from 'vitest';
import type { Cluster, Prediction, Target } from '../../../src/cluster/cluster.ts';
import type { Right } from '../../../src/cluster/may.ts';
import { SetpointError } from '../../../src/model/index.ts';
import { limitDryRuns } from '../../../src/cluster/limit-dry-runs.ts';
import { configMap, configMapKind, manifestOf } from '../diff/fixtures.ts';

const { signal } = new AbortController();
const target: Target = { manifest: manifestOf(configMap({})), kind: configMapKind };
const elsewhere: Target = { ...target, manifest: manifestOf(configMap({}, { namespace: 'other' })) };

const named = (name: string): Target => ({ ...target, manifest: manifestOf(configMap({}, { name })) });

interface Counted extends Pick<Cluster, 'predict' | 'predictPatch' | 'may'> {
  asked: number;
  readonly rights: Right[];
}

function counted(answer: Prediction, mayPatch: (right: Right) => Promise<boolean> = () => Promise.resolve(true)): Counted {
  const server: Counted = {
    asked: 0,
    rights: [],
    predict: () => {
      server.asked += 1;
      return Promise.resolve(answer);
    },
    predictPatch: (of, _patch, given) => server.predict(of, given),
    may: (right) => {
      server.rights.push(right);
      return mayPatch(right);
    },
  };
  return server;
}

test('a burst goes at once, what follows waits its turn', async () => {
  const server = counted({ type: 'predicted', object: configMap({}) });
  const { predict } = limitDryRuns(server, { perSecond: 200, burst: 3, now: () => 0 });
  const all = Promise.all(Array.from({ length: 5 }, () => predict(target, signal)));
  await setImmediate();
  expect(server.asked).toBe(3);
  await all;
  expect(server.asked).toBe(5);
});

test('a kind that the server cannot be asked about is not asked about again for ten minutes, in that namespace', async () => {
  let time = 0;
  const server = counted({ type: 'unconfirmed', scope: 'kind', code: 'ClusterError', message: 'the server cannot apply configmaps server-side' });
  const { predict } = limitDryRuns(server, { perSecond: 100, burst: 100, now: () => time });
  await predict(target, signal);
  expect(await predict(named('other'), signal)).toMatchObject({ type: 'unconfirmed' });
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

const predicted: Prediction = { type: 'predicted', object: configMap({}) };
const namespaced = (namespace: string): Right => ({ verb: 'patch', group: '', resource: 'configmaps', namespace });

test('whether dry runs are allowed is asked once for a kind and a namespace, however many want to know', async () => {
  const server = counted(predicted);
  const { predict } = limitDryRuns(server, { perSecond: 100, burst: 100, now: () => 0 });
  await Promise.all([predict(target, signal), predict(target, signal), predict(elsewhere, signal)]);
  await predict(target, signal);
  expect(server.asked).toBe(4);
  expect(server.rights).toEqual([namespaced('shop'), namespaced('other')]);
});

test('what is not allowed is not tried, and asked for again after ten minutes', async () => {
  let time = 0;
  let isAllowed = false;
  const server = counted(predicted, () => Promise.resolve(isAllowed));
  const { predict } = limitDryRuns(server, { perSecond: 100, burst: 100, now: () => time });
  const refusal = { type: 'unconfirmed', scope: 'kind', code: 'Forbidden', message: 'not allowed to patch configmaps in namespace shop (the comparison is a dry run, which needs the right to patch): ask for that right' };
  expect(await predict(target, signal)).toEqual(refusal);
  isAllowed = true;
  time = 10 * 60_000 - 1;
  expect(await predict(target, signal)).toEqual(refusal);
  expect(server.asked).toBe(0);
  time = 10 * 60_000;
  expect(await predict(target, signal)).toBe(predicted);
  expect(server.rights).toEqual([namespaced('shop'), { ...namespaced('shop'), name: 'env' }, namespaced('shop')]);
});

test('a right to one object by its name is enough for that one, before and after others are refused', async () => {
  const server = counted(predicted, ({ name }) => Promise.resolve(name === 'env'));
  const { predict } = limitDryRuns(server, { perSecond: 100, burst: 100, now: () => 0 });
  expect(await predict(target, signal)).toBe(predicted);
  expect(await predict(named('other'), signal)).toMatchObject({ code: 'Forbidden' });
  expect(await predict(target, signal)).toBe(predicted);
  expect(server.asked).toBe(2);
});

test('a dry run that is refused although it seemed to be allowed says nothing about other names', async () => {
  const server = counted({ type: 'unconfirmed', scope: 'kind', code: 'Forbidden', message: 'not allowed to patch' });
  const { predict } = limitDryRuns(server, { perSecond: 100, burst: 100, now: () => 0 });
  await predict(target, signal);
  await predict(target, signal);
  expect(server.asked).toBe(1);
  await predict(named('other'), signal);
  expect(server.asked).toBe(2);
});

test('after ten minutes the right to all is asked for once, however many names were refused', async () => {
  let time = 0;
  const server = counted(predicted, () => Promise.resolve(time > 0));
  const { predict } = limitDryRuns(server, { perSecond: 100, burst: 100, now: () => time });
  const names = ['a', 'b', 'c'];
  for (const name of names) expect(await predict(named(name), signal)).toMatchObject({ code: 'Forbidden' });
  time = 10 * 60_000;
  for (const name of names) expect(await predict(named(name), signal)).toBe(predicted);
  expect(server.rights.filter(({ name }) => name === undefined)).toHaveLength(2);
});

test.each(['Forbidden', 'ClusterError'] as const)('a server that does not say what is allowed (%s) is tried', async (code) => {
  const server = counted(predicted, () => Promise.reject(new SetpointError(code, 'no such review')));
  const { predict } = limitDryRuns(server, { perSecond: 100, burst: 100, now: () => 0 });
  expect(await predict(target, signal)).toBe(predicted);
  await predict(target, signal);
  expect(server.rights).toHaveLength(1);
});

test('a server that is out of reach is an error, and is asked again', async () => {
  let isAway = true;
  const server = counted(predicted, () => (isAway ? Promise.reject(new SetpointError('ClusterUnreachable', 'no route')) : Promise.resolve(true)));
  const { predict } = limitDryRuns(server, { perSecond: 100, burst: 100, now: () => 0 });
  await expect(predict(target, signal)).rejects.toThrow('no route');
  isAway = false;
  expect(await predict(target, signal)).toBe(predicted);
});
