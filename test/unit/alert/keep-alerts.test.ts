import { describe, expect, test } from 'vitest';
import { advanceAlerts, replay } from '../../../src/alert/index.ts';
import { createScene, exampleRule, hours, minutes, seconds, start, type Scene } from './alert-scene.ts';

const quick = exampleRule({ forMs: 0, groupWaitMs: 0 });
const days = 24 * hours;

/** Drifts, each of them told and over, so long apart that each is an alert of its own. */
function drifts(scene: Scene, count: number, apartMs = 20 * minutes): void {
  for (let round = 0; round < count; round += 1) {
    scene.drift('web', ['a']);
    scene.pass(apartMs / 2);
    scene.end('web', 'a');
    scene.pass(apartMs / 2);
  }
}

describe('what is resolved and told', () => {
  test('is kept for a day', () => {
    const scene = createScene({ rules: [quick] });
    drifts(scene, 1);
    scene.pass(23 * hours);
    expect(scene.alertsOf('web')).toHaveLength(1);
    scene.pass(1 * hours);
    expect(scene.alertsOf('web')).toEqual([]);
    expect(scene.nextAt()).toBeUndefined();
  });

  test('is no more than ten alerts, and nothing is told again when the rest is forgotten', () => {
    const scene = createScene({ rules: [quick] });
    drifts(scene, 30);
    expect(scene.alertsOf('web')).toHaveLength(10);
    expect(scene.sent).toHaveLength(60);
    scene.pass(1 * days);
    expect(scene.sent).toHaveLength(60);
    expect(scene.alertsOf('web')).toEqual([]);
  });

  test('stays known as long as it is listed, also what was healed', () => {
    const scene = createScene({ rules: [exampleRule({ sendHealed: true })] });
    for (let round = 0; round < 18; round += 1) {
      scene.drift('web', ['a']);
      scene.pass(1 * minutes);
      scene.heal('web', 'a');
      scene.pass(20 * minutes);
    }
    scene.pass(3 * days);
    expect(scene.sent.flatMap(({ notification }) => notification.subjects.flatMap(({ resources }) => resources))).toHaveLength(18);
  });

  test('of one rule does not push out the last of another', () => {
    const scene = createScene({ rules: [quick, exampleRule({ name: 'done', match: { status: ['SyncSucceeded'] } })] });
    scene.sync('web', { state: 'succeeded', endedAt: new Date(start).toISOString() });
    scene.pass(1 * minutes);
    drifts(scene, 15);
    expect(scene.sent.filter(({ type }) => type === 'sync.succeeded')).toHaveLength(1);
  });
});

test('what is healed while one destination cannot be told is no more than three alerts', () => {
  const scene = createScene({ rules: [exampleRule({ sendHealed: true, destinations: ['chat', 'pager'] })], destinations: ['chat', 'pager'] });
  scene.fate = ({ destination }) => (destination === 'pager' ? { type: 'retry', why: 'no answer' } : { type: 'sent' });
  for (let round = 0; round < 12; round += 1) {
    scene.drift('web', ['a']);
    scene.pass(1 * minutes);
    scene.heal('web', 'a');
    scene.pass(20 * minutes);
  }
  expect(scene.alertsOf('web')).toHaveLength(3);
  scene.fate = () => ({ type: 'sent' });
  scene.pass(9 * hours);
  const paged = scene.sent.filter(({ destination }) => destination === 'pager').flatMap(({ members }) => members);
  expect(new Set(paged.map(({ alert }) => alert)).size).toBe(3);
});

describe('dead letters', () => {
  function refused(): Scene {
    const scene = createScene({ rules: [quick] });
    scene.fate = () => ({ type: 'refused', why: 'no such channel' });
    return scene;
  }

  test('are kept for 14 days', () => {
    const scene = refused();
    drifts(scene, 1);
    scene.pass(14 * days - 30 * minutes);
    expect(scene.alertsOf('web')).toHaveLength(1);
    scene.pass(1 * hours);
    expect(scene.alertsOf('web')).toEqual([]);
  });

  test('are told when they are replayed', () => {
    const scene = refused();
    drifts(scene, 1);
    const { id } = scene.attempts[0]?.planned ?? { id: '' };
    scene.fate = () => ({ type: 'sent' });
    scene.edit('web', (alert) => replay(alert, id, new Date(scene.now())));
    scene.pass(1 * hours);
    expect(scene.sent.map((one) => [one.id, one.type])).toEqual([
      [id, 'drift.firing'],
      [scene.sent[1]?.id, 'drift.resolved'],
    ]);
  });

  test('are no more than twenty alerts', () => {
    const scene = refused();
    drifts(scene, 40);
    expect(scene.alertsOf('web')).toHaveLength(20);
  });

  test('of what still fires go too, and that is no news', () => {
    const scene = createScene({ rules: [{ ...quick, repeatIntervalMs: 0 }] });
    scene.fate = () => ({ type: 'refused', why: 'no such channel' });
    scene.drift('web', ['a']);
    scene.pass(20 * days);
    expect(scene.attempts).toHaveLength(1);
    expect(scene.alertsOf('web')[0]?.deliveries).toEqual({ chat: { told: 1, toldAt: null, toldState: null } });
  });
});

describe('a rule that is gone', () => {
  test('takes its alerts with it, without a word', () => {
    const scene = createScene({ rules: [quick] });
    scene.drift('web', ['a']);
    scene.pass(10 * minutes);
    scene.rules = [];
    scene.pass(1 * minutes);
    expect(scene.alertsOf('web')).toMatchObject([{ resolvedAt: new Date(start + 10 * minutes).toISOString(), transition: 1 }]);
    scene.pass(2 * days);
    expect(scene.lines()).toEqual(['0 chat drift.firing web']);
    expect(scene.alertsOf('web')).toEqual([]);
  });

  test('leaves nothing on its way', () => {
    const scene = createScene({ rules: [quick] });
    scene.fate = () => ({ type: 'retry', why: 'no answer' });
    scene.drift('web', ['a']);
    scene.pass(1 * minutes);
    scene.rules = [];
    scene.fate = () => ({ type: 'sent' });
    scene.pass(2 * days);
    expect(scene.lines()).toEqual([]);
    expect(scene.alertsOf('web')).toEqual([]);
  });

  test('that is about something else now is another rule', () => {
    const scene = createScene({ rules: [quick] });
    scene.drift('web', ['a']);
    scene.pass(10 * minutes);
    scene.rules = [{ ...quick, match: { status: ['Unknown'] } }];
    scene.pass(1 * hours);
    expect(scene.lines()).toEqual(['0 chat drift.firing web']);
    expect(scene.alertsOf('web')[0]?.resolvedAt).not.toBeNull();
  });
});

describe('what is over while it is put off', () => {
  test('is told when the sync ends', () => {
    const scene = createScene();
    scene.drift('web', ['a']);
    scene.sync('web', {});
    scene.pass(1 * hours);
    scene.end('web', 'a');
    scene.pass(1 * hours);
    expect(scene.lines()).toEqual([]);
    scene.sync('web', { state: 'succeeded' });
    scene.pass(1 * hours);
    expect(scene.lines()).toEqual(['7230 chat drift.resolved web']);
  });

  test('is told after half a day even if the sync never ends', () => {
    const scene = createScene();
    scene.drift('web', ['a']);
    scene.sync('web', {});
    scene.pass(1 * hours);
    scene.end('web', 'a');
    scene.pass(3 * days);
    expect(scene.lines()).toEqual(['46830 chat drift.resolved web']);
  });

  test('and long ago is no news', () => {
    const scene = createScene();
    scene.drift('web', ['a']);
    scene.stop(1 * hours);
    scene.end('web', 'a');
    scene.stop(1 * days);
    scene.pass(1 * hours);
    expect(scene.lines()).toEqual([]);
  });
});

test('a status that says nothing new gives the very same list', () => {
  const scene = createScene();
  scene.drift('web', ['a', 'b']);
  scene.pass(10 * minutes);
  const place = scene.place('web');
  const { alerts, nextAt } = advanceAlerts({ ...place, rules: scene.rules, now: new Date(scene.now() + 1 * seconds), newId: () => 'x' });
  expect(alerts).toBe(place.alerts);
  expect(nextAt).toBeNull();
});

test('an alert knows what fired, since when, and keeps its number when values change', () => {
  const scene = createScene();
  scene.drift('web', ['a']);
  scene.pass(4 * minutes);
  scene.drift('web', ['b']);
  scene.pass(3 * minutes);
  const [first] = scene.alertsOf('web');
  expect(first).toMatchObject({ rule: 'drift', severity: 'warning', startedAt: new Date(start).toISOString(), firedAt: new Date(start + 5 * minutes).toISOString(), resolvedAt: null, transition: 1 });
  expect(first?.episodes).toHaveLength(1);
  scene.change('web', (status) => ({ ...status, resources: status.resources.map((resource) => ({ ...resource, changes: (resource.changes ?? []).map((change) => ({ ...change, live: 9 })) })) }));
  scene.pass(1 * minutes);
  expect(scene.alertsOf('web')[0]).toBe(first);
  scene.pass(2 * minutes);
  const [second] = scene.alertsOf('web');
  expect(second).toMatchObject({ id: first?.id, transition: 2 });
  expect(second?.episodes).toHaveLength(2);
  expect(second?.fingerprint).not.toBe(first?.fingerprint);
});
