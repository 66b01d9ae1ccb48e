import { expect, test } from 'vitest';
import { resourceKey, type Health, type JudgedResource, type ResourceKey, type UnhealthyResource } from '../../../src/model/index.ts';
import { healthAfter, progressOf } from '../../../src/reconcile/health-after.ts';

const key = (name: string): ResourceKey => resourceKey({ group: 'apps', kind: 'Deployment', namespace: 'shop', name });
const judged = (name: string): JudgedResource => ({ diff: { type: 'terminating', key: key(name), origin: 'a.yaml#1', message: '' } });
const at = (minutes: number): Date => new Date(Date.UTC(2026, 0, 31, 12, minutes));
const progressing: Health = { status: 'Progressing', message: 'waits for pods' };

function after(health: Readonly<Record<string, Health | undefined>>, now: Date, before: readonly UnhealthyResource[] = []): ReturnType<typeof healthAfter> {
  const byKey = new Map(Object.entries(health).map(([name, value]) => [key(name), value]));
  return healthAfter(before, { resources: Object.keys(health).map(judged), health: (each) => byKey.get(each), now });
}

test('where nobody judges, nothing is said', () => {
  expect(after({ a: undefined }, at(0))).toEqual({ health: null, unhealthy: [] });
});

test('the application is as its worst resource, and those that are not well are listed', () => {
  expect(after({ a: { status: 'Healthy' }, b: progressing }, at(0))).toMatchObject({
    health: { status: 'Progressing' },
    unhealthy: [{ key: key('b'), status: 'Progressing', message: 'waits for pods', since: at(0).toISOString() }],
  });
});

test('progress keeps its beginning, also when it has become too long', () => {
  const overdue: Health = { status: 'Degraded', isOverdue: true, message: 'for 10 min: waits for pods' };
  const first = after({ a: progressing }, at(0));
  const second = after({ a: progressing }, at(9), first.unhealthy);
  expect(second.unhealthy).toMatchObject([{ status: 'Progressing', since: at(0).toISOString() }]);
  const third = after({ a: overdue }, at(10), second.unhealthy);
  expect(third).toMatchObject({ health: { status: 'Degraded' }, unhealthy: [{ status: 'Degraded', isOverdue: true, since: at(0).toISOString() }] });
  expect(progressOf(third.unhealthy)).toEqual(new Map([[key('a'), at(0)]]));
  expect(after({ a: progressing }, at(11), third.unhealthy).unhealthy).toMatchObject([{ status: 'Progressing', since: at(0).toISOString() }]);
});

test('how long something may take is not decided here', () => {
  const first = after({ job: progressing }, at(0));
  expect(after({ job: progressing }, at(59), first.unhealthy)).toMatchObject({ health: { status: 'Progressing' }, unhealthy: [{ status: 'Progressing', since: at(0).toISOString() }] });
});

test('what failed by itself makes no progress, and begins anew when it does', () => {
  const failed = after({ a: { status: 'Degraded', message: 'its load balancer refuses a port' } }, at(0));
  expect(progressOf(failed.unhealthy)).toEqual(new Map());
  expect(after({ a: progressing }, at(30), failed.unhealthy).unhealthy).toMatchObject([{ status: 'Progressing', since: at(30).toISOString() }]);
});

test('what was well in between begins anew', () => {
  const first = after({ a: progressing }, at(0));
  const well = after({ a: { status: 'Healthy' } }, at(5), first.unhealthy);
  expect(after({ a: progressing }, at(11), well.unhealthy).unhealthy).toMatchObject([{ status: 'Progressing', since: at(11).toISOString() }]);
});
