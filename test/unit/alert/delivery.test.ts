import { describe, expect, test } from 'vitest';
import { claimAlert, recordOutcome, replay, type PlannedNotification } from '../../../src/alert/index.ts';
import type { Alert, Delivery, SendOutcome } from '../../../src/model/index.ts';
import { createScene, exampleRule, hours, minutes, seconds, type Fate, type Scene } from './alert-scene.ts';

const t0 = new Date('2026-11-16T10:00:00.000Z');
const alert: Alert = { id: 'drf_1', rule: 'drift', severity: 'warning', startedAt: 't', firedAt: 't', resolvedAt: null, fingerprint: 'f', episodes: [], transition: 1, transitionAt: 't', deliveries: {} };
const planned: PlannedNotification = { id: 'evt_1', destination: 'chat', type: 'drift.firing', members: [{ application: 'web', alert: 'drf_1', transition: 1, state: 'firing' }], isClaimed: false };
const claimed = claimAlert(alert, planned, t0);

function tried(outcomes: readonly SendOutcome[], { random = 0.5, of = claimed, tookMs = 0 } = {}): Delivery | undefined {
  return outcomes.reduce((one, outcome) => recordOutcome(one, 'chat', { outcome, describedAt: t0, now: new Date(t0.getTime() + tookMs), random: () => random }), of).deliveries['chat'];
}

const retry: SendOutcome = { type: 'retry', why: 'no answer' };
const waits = (delivery: Delivery | undefined): number => (Date.parse(delivery?.claim?.nextTryAt ?? '') - t0.getTime()) / seconds;

describe('a claim', () => {
  test('is on record with what is told and when', () => {
    expect(claimed.deliveries['chat']).toEqual({ told: 0, toldAt: null, toldState: null, claim: { notification: 'evt_1', transition: 1, state: 'firing', at: t0.toISOString(), attempts: 0, nextTryAt: t0.toISOString() } });
  });

  test('is of what was planned, whatever has happened since', () => {
    const since = claimAlert({ ...alert, transition: 2, resolvedAt: 't' }, planned, t0);
    expect(since.deliveries['chat']?.claim).toMatchObject({ transition: 1, state: 'firing' });
  });

  test('is not made twice, nor by a notification that is not about the alert', () => {
    expect(claimAlert(claimed, { ...planned, id: 'evt_2' }, t0)).toBe(claimed);
    expect(claimAlert({ ...alert, id: 'drf_2' }, planned, t0)).toMatchObject({ deliveries: {} });
  });
});

describe('an attempt', () => {
  test.each<[string, number, readonly number[]]>([
    ['waits longer each time', 0.5, [5, 30, 120, 600, 1800, 3600, 7200, 21_600]],
    ['waits a fifth less at least', 0, [4, 24, 96, 480, 1440, 2880, 5760, 17_280]],
    ['waits a fifth more at most', 1, [6, 36, 144, 720, 2160, 4320, 8640, 25_920]],
  ])('%s', (_name, random, expected) => {
    expect(expected.map((_, at) => waits(tried(Array.from({ length: at + 1 }, () => retry), { random })))).toEqual(expected);
  });

  test.each<[string, number, number]>([
    ['waits as long as it is asked to', 90, 90],
    ['does not come sooner because it may', 1, 5],
    ['waits no longer than a day', 1e9, 86_400],
  ])('%s', (_name, asked, expected) => {
    expect(waits(tried([{ ...retry, afterMs: asked * seconds }]))).toBe(expected);
  });

  test.each<[string, readonly SendOutcome[], Partial<Delivery>]>([
    ['that succeeds is told', [{ type: 'sent', ref: 'm1' }], { told: 1, toldAt: t0.toISOString(), toldState: 'firing', ref: 'm1' }],
    ['that succeeds at last is told', [retry, retry, { type: 'sent' }], { told: 1, toldState: 'firing' }],
    ['after the last is a dead letter', Array.from({ length: 9 }, () => retry), { told: 0, dead: { notification: 'evt_1', transition: 1, state: 'firing', at: t0.toISOString(), error: 'no answer' } }],
    ['that is refused is a dead letter at once', [{ type: 'refused', why: 'no such channel' }], { told: 0, dead: { notification: 'evt_1', transition: 1, state: 'firing', at: t0.toISOString(), error: 'no such channel' } }],
    ['at a place that is gone is a dead letter', [{ type: 'gone', why: '410' }], { told: 0, dead: { notification: 'evt_1', transition: 1, state: 'firing', at: t0.toISOString(), error: '410' } }],
  ])('%s', (_name, outcomes, expected) => {
    const delivery = tried(outcomes);
    expect(delivery).toMatchObject(expected);
    expect(delivery?.claim).toBeUndefined();
  });

  test('that took long has told how it was when it began', () => {
    expect(tried([{ type: 'sent' }], { tookMs: 20 * seconds })).toMatchObject({ told: 1, toldAt: t0.toISOString() });
    expect(waits(tried([retry], { tookMs: 20 * seconds }))).toBe(25);
  });

  test('keeps the name of an earlier message and little of a long error', () => {
    expect(tried([{ type: 'sent' }], { of: { ...claimed, deliveries: { chat: { ...claimed.deliveries['chat'], ref: 'm0' } as Delivery } } })).toMatchObject({ ref: 'm0' });
    expect(tried([{ type: 'retry', why: 'x'.repeat(10_000) }])?.claim?.error).toHaveLength(300);
  });

  test('at what nobody claimed changes nothing', () => {
    expect(recordOutcome(alert, 'chat', { outcome: { type: 'sent' }, describedAt: t0, now: t0, random: () => 0 })).toBe(alert);
  });
});

describe('a dead letter', () => {
  const dead = recordOutcome(claimed, 'chat', { outcome: { type: 'refused', why: 'no' }, describedAt: t0, now: t0, random: () => 0 });

  test('that is replayed is due under its own id', () => {
    const { claim, dead: letter } = replay(dead, 'evt_1', new Date(t0.getTime() + 1 * hours)).deliveries['chat'] ?? {};
    expect(claim).toMatchObject({ notification: 'evt_1', transition: 1, state: 'firing', attempts: 0, nextTryAt: '2026-11-16T11:00:00.000Z' });
    expect(letter).toBeUndefined();
  });

  test('of another id stays dead, and so does one behind which something is on its way', () => {
    expect(replay(dead, 'evt_2', t0)).toBe(dead);
    const busy = claimAlert(dead, { ...planned, id: 'evt_2' }, t0);
    expect(replay(busy, 'evt_1', t0)).toBe(busy);
  });

  test('does not make known again what was told since', () => {
    const later: Alert = { ...replay(dead, 'evt_1', t0), transition: 3 };
    const told: Alert = { ...later, deliveries: { chat: { ...(later.deliveries['chat'] as Delivery), told: 3, toldState: 'resolved' } } };
    expect(tried([{ type: 'sent' }], { of: told })).toMatchObject({ told: 3, toldState: 'resolved' });
  });
});

/** The fates in turn, then all goes well. */
function story(fates: readonly Fate[], happens: (scene: Scene) => void, scene = createScene({ rules: [exampleRule({ groupWaitMs: 0, forMs: 0 })] })): Scene {
  const left = [...fates];
  scene.fate = () => left.shift() ?? { type: 'sent' };
  happens(scene);
  return scene;
}

const drifts = (scene: Scene): void => {
  scene.drift('web', ['a']);
  scene.pass(2 * hours);
};

describe('after a crash', () => {
  test.each<[string, Fate, readonly string[]]>([
    ['before it was sent it is sent', { type: 'crash', at: 'sending' }, ['1 chat drift.firing web']],
    ['while it was claimed it is sent', { type: 'crash', at: 'claiming' }, ['1 chat drift.firing web']],
    ['before it was recorded it is sent again', { type: 'crash', at: 'recording' }, ['0 chat drift.firing web', '1 chat drift.firing web']],
  ])('%s, under the same id', (_name, fate, told) => {
    const scene = story([fate], drifts);
    expect(scene.lines()).toEqual(told);
    expect(new Set(scene.attempts.map(({ planned: { id } }) => id)).size).toBe(1);
  });

  test('only those that were not recorded are told again, and those that were not claimed get an id of their own', () => {
    const both = (): Scene => createScene({ rules: [exampleRule({ groupWaitMs: 0, forMs: 0, groupBy: [] })], applications: ['a', 'b'] });
    const happens = (scene: Scene): void => {
      scene.drift('a', ['x']);
      scene.drift('b', ['x']);
      scene.pass(1 * hours);
    };
    expect(story([{ type: 'crash', at: 'half recorded' }], happens, both()).lines()).toEqual(['0 chat drift.firing a b', '1 chat drift.firing b']);
    const halfClaimed = story([{ type: 'crash', at: 'claiming' }], happens, both());
    expect(halfClaimed.lines()).toEqual(['1 chat drift.firing a', '301 chat drift.firing b']);
    expect(new Set(halfClaimed.sent.map(({ id }) => id)).size).toBe(2);
  });
});

describe('while a destination cannot be told', () => {
  const down: Fate = { type: 'retry', why: 'no answer' };

  test('what is claimed stays what it was, and its end follows it', () => {
    const scene = story(Array.from({ length: 5 }, () => down), (s) => {
      s.drift('web', ['a']);
      s.pass(1 * minutes);
      s.end('web', 'a');
      s.pass(5 * hours);
    });
    expect(scene.lines()).toEqual(['2555 chat drift.firing web', '2855 chat drift.resolved web']);
    expect(scene.sent[0]?.notification.subjects[0]?.alert.endedAt).not.toBeNull();
  });

  test('an end that is claimed stays an end, although it fires again', () => {
    const scene = story([{ type: 'sent' }, down], (s) => {
      s.drift('web', ['a']);
      s.pass(10 * minutes);
      s.end('web', 'a');
      s.pass(1 * seconds);
      s.drift('web', ['a']);
      s.pass(1 * hours);
    });
    expect(scene.lines()).toEqual(['0 chat drift.firing web', '605 chat drift.resolved web', '905 chat drift.firing web']);
  });

  test('other destinations and other applications hear of theirs', () => {
    const scene = createScene({ rules: [exampleRule({ groupWaitMs: 0, forMs: 0, destinations: ['chat', 'pager'] })], applications: ['a', 'b'], destinations: ['chat', 'pager'] });
    scene.fate = ({ destination, members }) => (destination === 'chat' && members[0]?.application === 'a' ? down : { type: 'sent' });
    scene.drift('a', ['x']);
    scene.drift('b', ['x']);
    scene.pass(1 * minutes);
    expect(scene.lines()).toEqual(['0 chat drift.firing b', '0 pager drift.firing a', '0 pager drift.firing b']);
  });

  test('nothing newer of the same application overtakes it', () => {
    const quick = { groupWaitMs: 0, forMs: 0 };
    const scene = createScene({ rules: [exampleRule(quick), exampleRule({ ...quick, name: 'sync', match: { status: ['SyncFailed'] } })] });
    story(Array.from({ length: 3 }, () => down), (s) => {
      s.drift('web', ['a']);
      s.pass(1 * seconds);
      s.sync('web', { state: 'failed', endedAt: new Date(s.now()).toISOString() });
      s.pass(1 * hours);
    }, scene);
    expect(scene.lines()).toEqual(['155 chat drift.firing web', '155 chat sync.failed web']);
  });

  test('drift that comes and goes for hours is one alert, and told when it can be', () => {
    const scene = createScene({ rules: [exampleRule({ forMs: 0, groupWaitMs: 0 })] });
    scene.fate = () => down;
    for (let round = 0; round < 12; round += 1) {
      scene.drift('web', ['a']);
      scene.pass(20 * minutes);
      scene.end('web', 'a');
      scene.pass(20 * minutes);
    }
    expect(scene.alertsOf('web')).toHaveLength(1);
    scene.fate = () => ({ type: 'sent' });
    scene.pass(9 * hours);
    expect(scene.lines().map((line) => line.split(' ')[2])).toEqual(['drift.firing', 'drift.resolved']);
  });

  test('what is given up and still fires is tried again when it would be repeated', () => {
    const scene = story([{ type: 'refused', why: 'no such channel' }], (s) => {
      s.drift('web', ['a']);
      s.pass(25 * hours);
    });
    expect(scene.lines()).toEqual(['86400 chat drift.firing web']);
  });

  test('what is given up has no end', () => {
    const scene = story([{ type: 'refused', why: 'no such channel' }], (s) => {
      s.drift('web', ['a']);
      s.pass(1 * hours);
      s.end('web', 'a');
      s.pass(25 * hours);
    });
    expect(scene.lines()).toEqual([]);
  });

  test('one that is gone is left alone, and owed nothing', () => {
    const scene = createScene({ rules: [exampleRule({ forMs: 0, groupWaitMs: 0, destinations: ['chat', 'gone'] })], destinations: ['chat', 'gone'] });
    scene.disabled = ['gone'];
    scene.drift('web', ['a']);
    scene.pass(1 * hours);
    scene.end('web', 'a');
    scene.pass(48 * hours);
    expect(scene.lines()).toEqual(['0 chat drift.firing web', '3600 chat drift.resolved web']);
    expect(scene.alertsOf('web')).toEqual([]);
  });
});
