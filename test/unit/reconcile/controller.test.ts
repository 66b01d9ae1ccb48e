import { describe, expect, test } from 'vitest';
import { emptyStatus, namedApplication, plainApplication, resourceKey, SetpointError, type Application, type AppStatus, type ResourceKey } from '../../../src/model/index.ts';
import { createController, type Declared, type Ports } from '../../../src/reconcile/index.ts';
import { StillAsking } from '../../../src/reconcile/still-asking.ts';
import { createMemoryQueue } from '../../../src/queue/index.ts';
import { manualClock } from '../../support/manual-clock.ts';

const key: ResourceKey = resourceKey({ group: '', kind: 'ConfigMap', namespace: 'shop', name: 'env' });
const pace = { intervalMs: 60_000, sweepMs: 30 * 60_000, lookMs: 10 * 60_000 };

function app(name: string, more: Partial<Application> = {}): Declared {
  const application = plainApplication({ id: `ns/${name}`, name, sources: [{ repository: 'r', revision: 'main', path: name, ref: undefined, options: {} }], ...more });
  return { type: 'application', application };
}

function invalid(more: Partial<Application>): Declared {
  return { type: 'invalid', application: namedApplication('ns/bad', more), message: 'spec.source is missing' };
}

/** Looks that end where Git is asked: what matters here is how often they happen, and what is recorded. */
function scene() {
  const clock = manualClock();
  const looks: string[] = [];
  const statuses = new Map<string, AppStatus>();
  const it = { clock, looks, statuses, hangs: new Set<string>(), asks: new Set<string>(), fails: false, refusesWrites: false, writes: 0, ended: 0, waits: [] as string[], reported: [] as string[], held: [] as string[] };
  const never = (): never => {
    throw new Error('not reached');
  };
  const ports = {
    desired: {
      async at({ id }, _lastSeen, signal) {
        looks.push(id);
        if (it.asks.has(id)) throw new StillAsking('not yet');
        if (it.hangs.has(id)) await new Promise((_resolve, reject) => signal.addEventListener('abort', () => reject(signal.reason as Error)));
        throw new SetpointError(it.fails ? 'RepositoryUnreachable' : 'PathNotFound', 'not today');
      },
    },
    ...{ cluster: {} as Ports['cluster'], standing: { of: never, applied: never, declarers: never }, ignoresOf: () => undefined, healthOf: never, tag: () => '', alerts: null },
    status: {
      salt: '',
      read: (id) => Promise.resolve(statuses.get(id) ?? emptyStatus(id)),
      update(id, change) {
        if (it.refusesWrites) return Promise.reject(new SetpointError('Forbidden', 'not allowed: update applications/status'));
        it.writes += 1;
        const after = change(statuses.get(id) ?? emptyStatus(id));
        statuses.set(id, after);
        return Promise.resolve(after);
      },
    },
    report: { observed: ({ id }, { verdict }) => void it.reported.push(`${id} ${verdict.status}`), synced: () => undefined },
    deletion: {
      hold(id, { isHeld }) {
        it.held.push(`${id} ${isHeld}`);
        return Promise.resolve();
      },
    },
    ...{ mayWrite: () => undefined, now: clock.now, staleAfterMs: 180_000, newId: () => 'id' },
  } satisfies Ports;
  const queue = createMemoryQueue({ concurrency: 4, now: clock.monotonic, setTimer: clock.setTimer, random: clock.random });
  const on = { ended: () => void (it.ended += 1), waits: (id: string) => void it.waits.push(id) };
  const controller = createController({ ports, standings: { declarers: (changed) => (changed === key ? ['ns/a'] : []) }, queue, clock, pace, on });
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

test('the end of every look is told, also of one that waits for Git or is refused', async () => {
  const it = scene();
  it.asks.add('ns/b');
  it.controller.declare(app('a'));
  it.controller.declare(app('b'));
  await it.clock.pass(1000);
  expect(it).toMatchObject({ ended: 2, waits: ['ns/b'] });
  it.controller.withdraw('ns/b');
  it.hangs.add('ns/a');
  it.refusesWrites = true;
  it.controller.ask('ns/a');
  await it.clock.pass(pace.lookMs - 1000);
  expect(it.ended).toBe(2);
  await it.clock.pass(2000);
  expect(it.ended).toBe(3);
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

test('one that has to wait for Git has nothing recorded, is looked at when Git answers, and now and then', async () => {
  const it = scene();
  it.asks.add('ns/a');
  it.controller.declare(app('a'));
  await it.clock.pass(1000);
  expect({ looks: it.count(), writes: it.writes }).toEqual({ looks: 1, writes: 0 });
  it.controller.moved(() => true);
  await it.clock.pass(3000);
  expect(it.count()).toBe(2);
  await it.clock.pass(2 * pace.intervalMs);
  expect(it.count()).toBe(4);
});

test('while it waits for so long that nobody knows any more, it says so', async () => {
  const it = scene();
  it.asks.add('ns/a');
  it.controller.declare(app('a'));
  await it.clock.pass(5 * pace.intervalMs);
  expect(it.statuses.get('ns/a')?.verdict).toMatchObject({ status: 'Unknown', code: 'NotObserved' });
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
  it.controller.declare(invalid({ generation: 7, refresh: 'now' }));
  it.controller.declare(app('a'));
  await it.clock.pass(1000);
  expect(it.statuses.get('ns/bad')).toMatchObject({ generation: 7, observedRefresh: 'now', verdict: { status: 'Unknown', code: 'ApplicationInvalid', message: 'spec.source is missing' } });
  expect(it.reported).toContain('ns/bad Unknown');
  expect(it.count()).toBe(1);
});

test.each([
  { what: 'is deleted and kept by our finalizer', more: { deleting: true, isHeld: true }, held: ['ns/bad false'] },
  { what: 'is deleted and not kept by us', more: { deleting: true, isHeld: false }, held: [] },
  { what: 'is not deleted', more: { deleting: false, isHeld: true }, held: [] },
])('one that cannot be read and $what is let go where it has to be', async ({ more, held }) => {
  const it = scene();
  it.controller.declare(invalid(more));
  await it.clock.pass(1000);
  expect(it.held).toEqual(held);
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
    expect(it.reported).toEqual(['ns/a Unknown']);
  });

  test('is on record once, with what is known of the application, and is no answer to who asked', async () => {
    const it = scene();
    it.hangs.add('ns/a');
    it.controller.declare(app('a', { refresh: 'now', warnings: ['spec.x has no effect'] }));
    await it.clock.pass(9 * 60_000);
    expect(it.writes).toBe(1);
    expect(it.statuses.get('ns/a')).toMatchObject({ observedRefresh: null, verdict: { message: 'a look that was wanted at 2026-01-01T00:00:00.000Z has not ended' } });
    expect(it.statuses.get('ns/a')?.conditions.map(({ type }) => type)).toContain('NotSupported');
    expect(it.controller.unrecorded()).toEqual([]);
  });

  test('does not make one forget that another look was asked for meanwhile', async () => {
    const it = scene();
    it.controller.declare(app('a'));
    await it.clock.pass(1000);
    // Four at once: the wish waits behind them.
    for (const name of ['w', 'x', 'y', 'z']) it.hangs.add(`ns/${name}`);
    it.hangs.add('ns/a');
    it.controller.ask('ns/a');
    await it.clock.pass(10);
    it.controller.ask('ns/a');
    for (const name of ['x', 'y', 'z']) it.controller.declare(app(name));
    await it.clock.pass(5 * 60_000);
    expect(it.statuses.get('ns/a')?.verdict).toMatchObject({ code: 'NotObserved' });
  });
});

test('an application whose status cannot be written is one that nobody should vouch for, until it can', async () => {
  const it = scene();
  it.controller.declare(app('a'));
  it.controller.declare(app('b'));
  await it.clock.pass(1000);
  it.refusesWrites = true;
  it.controller.ask('ns/a');
  await it.clock.pass(2 * 60_000);
  expect(it.controller.unrecorded()).toEqual([]);
  await it.clock.pass(3 * 60_000);
  expect(it.controller.unrecorded()).toEqual(['ns/a']);
  it.refusesWrites = false;
  await it.clock.pass(20 * 60_000);
  expect(it.controller.unrecorded()).toEqual([]);
  expect(it.statuses.get('ns/a')?.verdict).toMatchObject({ code: 'PathNotFound' });
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
