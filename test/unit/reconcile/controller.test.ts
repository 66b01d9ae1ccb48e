import { describe, expect, test } from 'vitest';
import { emptyStatus, plainApplication, resourceKey, SetpointError, type Application, type AppStatus, type ResourceKey } from '../../../src/model/index.ts';
import { createController, type Declared, type Ports } from '../../../src/reconcile/index.ts';
import { createMemoryQueue } from '../../../src/queue/index.ts';
import { manualClock } from '../../support/manual-clock.ts';

const key: ResourceKey = resourceKey({ group: '', kind: 'ConfigMap', namespace: 'shop', name: 'env' });
const pace = { intervalMs: 60_000, sweepMs: 30 * 60_000, lookMs: 10 * 60_000 };

function app(name: string, more: Partial<Application> = {}): Declared {
  const application = plainApplication({ id: `ns/${name}`, name, sources: [{ repository: 'r', revision: 'main', path: name, ref: undefined, options: {} }], ...more });
  return { type: 'application', application };
}

/** Looks that end where Git is asked: what matters here is how often they happen, and what is recorded. */
function scene() {
  const clock = manualClock();
  const looks: string[] = [];
  const statuses = new Map<string, AppStatus>();
  const it = { clock, looks, statuses, hangs: new Set<string>(), fails: false, letGo: [] as string[] };
  const never = (): never => {
    throw new Error('not reached');
  };
  const ports = {
    desired: {
      async at({ id }, _lastSeen, signal) {
        looks.push(id);
        if (it.hangs.has(id)) await new Promise((_resolve, reject) => signal.addEventListener('abort', () => reject(signal.reason as Error)));
        throw new SetpointError(it.fails ? 'RepositoryUnreachable' : 'PathNotFound', 'not today');
      },
    },
    ...{ cluster: {} as Ports['cluster'], standing: { of: never, applied: never }, ignoresOf: () => undefined, healthOf: never, tag: () => '', alerts: null },
    status: {
      salt: '',
      read: (id) => Promise.resolve(statuses.get(id) ?? emptyStatus(id)),
      update(id, change) {
        const after = change(statuses.get(id) ?? emptyStatus(id));
        statuses.set(id, after);
        return Promise.resolve(after);
      },
    },
    deletion: { hold: (id, { isHeld }) => Promise.resolve(void (isHeld || it.letGo.push(id))) },
    report: { observed: () => undefined, synced: () => undefined },
    ...{ mayWrite: () => undefined, now: clock.now, staleAfterMs: 180_000, newId: () => 'id' },
  } satisfies Ports;
  const queue = createMemoryQueue({ concurrency: 4, now: clock.monotonic, setTimer: clock.setTimer, random: clock.random });
  const controller = createController({ ports, standings: { declarers: (changed) => (changed === key ? ['ns/a'] : []) }, queue, clock, pace });
  controller.start();
  return Object.assign(it, { controller, count: (id = 'ns/a') => looks.filter((look) => look === id).length });
}

test('what is declared is looked at, once', async () => {
  const it = scene();
  it.controller.declare(app('a'));
  it.controller.declare(app('b'));
  it.controller.declare(app('a'));
  await it.clock.pass(1000);
  expect(it.looks.toSorted()).toEqual(['ns/a', 'ns/b']);
});

test('one that cannot be read and is being deleted is let go, and nothing is deleted for it', async () => {
  const it = scene();
  it.controller.declare({ type: 'invalid', id: 'ns/a', generation: 1, message: 'no source' });
  it.controller.declare({ type: 'invalid', id: 'ns/b', generation: 1, message: 'no source', isLeaving: true });
  await it.clock.pass(1000);
  expect(it.letGo).toEqual(['ns/b']);
});

test('another declaration of it is looked at again, and the same one is not', async () => {
  const it = scene();
  it.controller.declare(app('a'));
  await it.clock.pass(1000);
  it.controller.declare(app('a'));
  await it.clock.pass(1000);
  expect(it.count()).toBe(1);
  it.controller.declare(app('a', { generation: 2 }));
  await it.clock.pass(1000);
  expect(it.count()).toBe(2);
});

test('a live change looks at those who declare the object, and at nobody else', async () => {
  const it = scene();
  for (const name of ['a', 'b']) it.controller.declare(app(name));
  await it.clock.pass(1000);
  it.controller.liveChanged(key);
  it.controller.liveChanged(resourceKey({ group: '', kind: 'ConfigMap', namespace: 'other', name: 'x' }));
  await it.clock.pass(1000);
  expect([it.count('ns/a'), it.count('ns/b')]).toEqual([2, 1]);
});

test('an object that never comes to rest costs a look every two seconds', async () => {
  const it = scene();
  it.controller.declare(app('a'));
  for (let tick = 0; tick < 1200; tick += 1) {
    it.controller.liveChanged(key);
    await it.clock.pass(50);
  }
  expect(it.count()).toBeLessThan(45);
  expect(it.count()).toBeGreaterThan(35);
});

test('a reference that moved looks at those that use it', async () => {
  const it = scene();
  it.controller.declare(app('a'));
  it.controller.declare(app('b', { sources: [{ repository: 'other', revision: 'main', path: 'b', ref: undefined, options: {} }] }));
  await it.clock.pass(1000);
  it.controller.moved(({ repository }) => repository === 'r');
  await it.clock.pass(1000);
  expect([it.count('ns/a'), it.count('ns/b')]).toEqual([2, 1]);
});

test('without a reason everything is looked at about every half hour', async () => {
  const it = scene();
  it.controller.declare(app('a'));
  await it.clock.pass(5 * 60 * 60_000);
  expect(it.count()).toBeGreaterThanOrEqual(10);
  expect(it.count()).toBeLessThanOrEqual(12);
});

test('what may heal by itself is tried again, less and less often, and never given up', async () => {
  const it = scene();
  it.fails = true;
  it.controller.declare(app('a'));
  await it.clock.pass(60_000);
  const inAMinute = it.count();
  expect(inAMinute).toBeGreaterThanOrEqual(5);
  expect(inAMinute).toBeLessThanOrEqual(9);
  await it.clock.pass(24 * 60 * 60_000);
  expect(it.count() - inAMinute).toBeGreaterThan(90);
});

test('one that is withdrawn is not looked at any more', async () => {
  const it = scene();
  it.controller.declare(app('a'));
  await it.clock.pass(1000);
  it.controller.withdraw('ns/a');
  it.controller.liveChanged(key);
  await it.clock.pass(24 * 60 * 60_000);
  expect(it.count()).toBe(1);
  expect(it.controller.ask('ns/a')).toBe(false);
});

test('one that cannot be read says why, and hurts nobody else', async () => {
  const it = scene();
  it.controller.declare({ type: 'invalid', id: 'ns/bad', generation: 7, message: 'spec.source is missing' });
  it.controller.declare(app('a'));
  await it.clock.pass(1000);
  expect(it.statuses.get('ns/bad')).toMatchObject({ generation: 7, verdict: { status: 'Unknown', code: 'ApplicationInvalid', message: 'spec.source is missing' } });
  expect(it.count()).toBe(1);
});

describe('a look that hangs', () => {
  test('is called off after its time, and tried again', async () => {
    const it = scene();
    it.hangs.add('ns/a');
    it.controller.declare(app('a'));
    await it.clock.pass(12 * 60_000);
    it.hangs.clear();
    await it.clock.pass(20 * 60_000);
    expect(it.count()).toBeGreaterThanOrEqual(2);
    expect(it.statuses.get('ns/a')?.verdict).toMatchObject({ code: 'PathNotFound' });
  });

  test('does not leave an old verdict standing for longer than three intervals', async () => {
    const it = scene();
    it.statuses.set('ns/a', { ...emptyStatus('ns/a'), verdict: { status: 'Synced' } });
    it.hangs.add('ns/a');
    it.controller.declare(app('a'));
    await it.clock.pass(5 * 60_000);
    expect(it.statuses.get('ns/a')?.verdict).toMatchObject({ status: 'Unknown', code: 'NotObserved' });
  });
});

test('after the stop nothing is left behind', async () => {
  const it = scene();
  for (let at = 0; at < 20; at += 1) it.controller.declare(app(`a${at}`));
  await it.clock.pass(1000);
  const stopped = it.controller.stop();
  await it.clock.pass(20_000);
  await stopped;
  expect(it.clock.timers()).toBe(0);
});
