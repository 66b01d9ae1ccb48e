import { describe, expect, test } from 'vitest';
import { activeMutes, planNotifications, type PlanInput } from '../../../src/alert/index.ts';
import { createScene, exampleRule, hours, minutes, seconds, type Scene, type SceneOptions } from './alert-scene.ts';

const many = (count: number): readonly string[] => Array.from({ length: count }, (_, at) => `app${String(at).padStart(3, '0')}`);
const quick = { forMs: 0, groupWaitMs: 0 };

describe('what belongs together', () => {
  test.each<[string, SceneOptions['rules'], readonly string[]]>([
    ['is each application', [exampleRule()], ['330 chat drift.firing a', '340 chat drift.firing b', '340 chat drift.firing c']],
    ['is a namespace', [exampleRule({ groupBy: ['namespace'] })], ['330 chat drift.firing a b', '340 chat drift.firing c']],
    ['is all', [exampleRule({ groupBy: ['cluster'] })], ['330 chat drift.firing a b c']],
    ['is all where nothing is said', [exampleRule({ groupBy: [] })], ['330 chat drift.firing a b c']],
  ])('%s', (_name, rules, told) => {
    const scene = createScene({ ...(rules === undefined ? {} : { rules }), applications: ['a', 'b', 'c'], describe: (id) => ({ id, namespace: id === 'c' ? 'two' : 'one' }) });
    scene.drift('a', ['x']);
    scene.pass(10 * seconds);
    scene.drift('b', ['x']);
    scene.drift('c', ['x']);
    scene.pass(1 * hours);
    expect(scene.lines()).toEqual(told);
  });

  test('waits for the interval where its first message has left', () => {
    const scene = createScene({ rules: [exampleRule({ groupBy: [] })], applications: ['a', 'b', 'c'] });
    scene.drift('a', ['x']);
    scene.pass(2 * minutes);
    scene.drift('b', ['x']);
    scene.pass(4 * minutes);
    scene.end('a', 'x');
    scene.drift('c', ['x']);
    scene.pass(1 * hours);
    expect(scene.lines()).toEqual(['330 chat drift.firing a', '630 chat drift.firing a b', '930 chat drift.firing c']);
  });

  test('is told as the weightiest of its news, each with its own state', () => {
    const scene = createScene({ rules: [exampleRule({ ...quick, groupBy: [] })], applications: ['a', 'b', 'c'] });
    scene.drift('a', ['x']);
    scene.drift('b', ['x']);
    scene.pass(1 * minutes);
    scene.end('a', 'x');
    scene.drift('b', ['y']);
    scene.pass(1 * hours);
    expect(scene.lines()).toEqual(['0 chat drift.firing a b', '300 chat drift.changed a b']);
    expect(scene.sent[1]?.members.map(({ state }) => state)).toEqual(['resolved', 'firing']);
  });
});

describe('a storm', () => {
  test('of ten is ten messages, and of eleven is one digest', () => {
    const told = (count: number): number => {
      const scene = createScene({ applications: many(count) });
      for (const id of many(count)) scene.drift(id, ['x']);
      scene.pass(1 * hours);
      return scene.sent.length;
    };
    expect([told(10), told(11)]).toEqual([10, 1]);
  });

  test('of five hundred that are found one after the other is one digest for each destination, and one for its end', () => {
    const ids = many(500);
    const scene = createScene({ rules: [exampleRule({ destinations: ['chat', 'pager'] })], applications: ids, destinations: ['chat', 'pager'] });
    for (const [at, id] of ids.entries()) {
      scene.drift(id, ['x']);
      scene.stop(at % 25 === 0 ? 1 * seconds : 0);
    }
    scene.pass(20 * minutes);
    expect(scene.sent.map(({ destination, type, members }) => [destination, type, members.length])).toEqual([
      ['chat', 'drift.firing', 500],
      ['pager', 'drift.firing', 500],
    ]);
    for (const id of ids) scene.end(id, 'x');
    scene.pass(20 * minutes);
    expect(scene.sent.slice(2).map(({ type, members }) => [type, members.length])).toEqual([
      ['drift.resolved', 500],
      ['drift.resolved', 500],
    ]);
  });

  test('does not call drift what is something else', () => {
    const ids = many(8);
    const scene = createScene({ rules: [exampleRule(quick), exampleRule({ ...quick, name: 'sync', match: { status: ['SyncFailed'] } })], applications: ids });
    for (const id of ids) {
      scene.drift(id, ['x']);
      scene.sync(id, { state: 'failed', endedAt: new Date(scene.now()).toISOString() });
    }
    scene.pass(1 * minutes);
    expect(scene.sent.map(({ type, members }) => [type, members.length])).toEqual([
      ['drift.firing', 8],
      ['sync.failed', 8],
    ]);
  });
});

describe('a plan', () => {
  function input(scene: Scene): PlanInput {
    let count = 0;
    return { applications: ['a', 'b', 'c'].map((id) => scene.place(id)), rules: scene.rules, destinations: { names: ['chat', 'pager'], disabled: [] }, now: new Date(scene.now()), newId: () => String((count += 1)) };
  }
  function waiting(): Scene {
    const scene = createScene({ rules: [exampleRule({ destinations: ['chat', 'pager'] })], applications: ['a', 'b', 'c'], destinations: ['chat', 'pager'] });
    for (const id of ['c', 'a', 'b']) scene.drift(id, ['x']);
    scene.pass(5 * minutes);
    scene.stop(30 * seconds);
    return scene;
  }

  test('is the same for the same, in whatever order the applications come', () => {
    const scene = waiting();
    const plan = planNotifications(input(scene));
    expect(plan.due.map(({ id, destination, members }) => [id, destination, members[0]?.application])).toEqual([
      ['evt_1', 'chat', 'a'],
      ['evt_2', 'chat', 'b'],
      ['evt_3', 'chat', 'c'],
      ['evt_4', 'pager', 'a'],
      ['evt_5', 'pager', 'b'],
      ['evt_6', 'pager', 'c'],
    ]);
    const given = input(scene);
    expect(planNotifications({ ...given, applications: given.applications.toReversed() })).toEqual(plan);
  });

  test('says when something will be due, and nothing when nothing will', () => {
    const scene = createScene({ applications: ['a', 'b', 'c'] });
    scene.drift('a', ['x']);
    scene.pass(5 * minutes);
    expect(planNotifications(input(scene))).toEqual({ due: [], nextAt: new Date(scene.now() + 30 * seconds) });
    scene.rules = [];
    expect(planNotifications(input(scene))).toEqual({ due: [], nextAt: null });
  });

  test('says when a silence ends that holds something back', () => {
    const scene = waiting();
    const until = new Date(scene.now() + 1 * hours);
    const silence = { id: 's', match: {}, from: new Date(0).toISOString(), until: until.toISOString(), author: 'ada', reason: '' };
    const mutes = activeMutes({ silences: [silence] }, new Date(scene.now()));
    expect(planNotifications({ ...input(scene), mutesOf: () => mutes })).toEqual({ due: [], nextAt: until });
  });

  test('is nothing for those that are gone', () => {
    expect(planNotifications({ ...input(waiting()), destinations: { names: ['chat', 'pager'], disabled: ['chat'] } }).due.map(({ destination }) => destination)).toEqual(['pager', 'pager', 'pager']);
  });
});
