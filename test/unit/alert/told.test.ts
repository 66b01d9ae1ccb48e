import { describe, expect, test } from 'vitest';
import { createScene, exampleRule, hours, minutes, seconds, type Scene, type SceneOptions } from './alert-scene.ts';

type Story = readonly [name: string, options: SceneOptions, happens: (scene: Scene) => void, told: readonly string[]];

const quick = exampleRule({ forMs: 0, groupWaitMs: 0 });

function tell(options: SceneOptions, happens: (scene: Scene) => void): Scene {
  const scene = createScene(options);
  scene.pass(0);
  happens(scene);
  return scene;
}

describe('drift', () => {
  test.each<Story>([
    ['is told when it has lasted long enough and the group has waited', {}, (s) => { s.drift('web', ['a']); s.pass(1 * hours); }, ['330 chat drift.firing web']],
    ['is not told when it is over sooner', {}, (s) => { s.drift('web', ['a']); s.pass(4 * minutes); s.end('web', 'a'); s.pass(1 * hours); }, []],
    ['is told to be over, not sooner after the first message than the interval', {}, (s) => { s.drift('web', ['a']); s.pass(6 * minutes); s.end('web', 'a'); s.pass(1 * hours); }, ['330 chat drift.firing web', '630 chat drift.resolved web']],
    ['is told once where it was over before its first message left', {}, (s) => { s.drift('web', ['a']); s.pass(310 * seconds); s.end('web', 'a'); s.pass(1 * hours); }, ['330 chat drift.resolved web']],
    ['is told once even so where nobody wants to hear of ends', { rules: [exampleRule({ sendResolved: false })] }, (s) => { s.drift('web', ['a']); s.pass(310 * seconds); s.end('web', 'a'); s.pass(1 * hours); }, ['330 chat drift.resolved web']],
    ['has no end for those who do not want to hear of it', { rules: [exampleRule({ sendResolved: false })] }, (s) => { s.drift('web', ['a']); s.pass(6 * minutes); s.end('web', 'a'); s.pass(1 * hours); }, ['330 chat drift.firing web']],
    ['is told where it lasted long enough while nobody looked', {}, (s) => { s.drift('web', ['a']); s.stop(10 * minutes); s.end('web', 'a'); s.pass(1 * hours); }, ['630 chat drift.resolved web']],
    ['is told to be another one when a second resource has lasted long enough', {}, (s) => { s.drift('web', ['a']); s.pass(10 * minutes); s.drift('web', ['b']); s.pass(1 * hours); }, ['330 chat drift.firing web', '900 chat drift.changed web']],
    ['is told to be another one when other fields differ', {}, (s) => { s.drift('web', ['a']); s.pass(15 * minutes); s.drift('web', ['a'], { path: '/spec/paused' }); s.pass(1 * hours); }, ['330 chat drift.firing web', '900 chat drift.changed web']],
    ['is not told again when one of several resources is as it should be', {}, (s) => { s.drift('web', ['a', 'b']); s.pass(15 * minutes); s.end('web', 'a'); s.pass(1 * hours); }, ['330 chat drift.firing web']],
    ['is told to be another one, although it is over and ends are not wanted, where that was not told yet', { rules: [exampleRule({ forMs: 0, groupWaitMs: 0, sendResolved: false })] }, (s) => { s.drift('web', ['a']); s.pass(1 * minutes); s.drift('web', ['b']); s.pass(1 * minutes); s.end('web', 'a', 'b'); s.pass(1 * hours); }, ['0 chat drift.firing web', '300 chat drift.resolved web']],
    ['is repeated while it lasts', {}, (s) => { s.drift('web', ['a']); s.pass(50 * hours); }, ['330 chat drift.firing web', '86730 chat drift.repeated web', '173130 chat drift.repeated web']],
    ['is never repeated where there is no interval', { rules: [exampleRule({ repeatIntervalMs: 0 })] }, (s) => { s.drift('web', ['a']); s.pass(50 * hours); }, ['330 chat drift.firing web']],
    ['is told to every destination of the rule', { rules: [exampleRule({ destinations: ['chat', 'pager'] })], destinations: ['chat', 'pager', 'mail'] }, (s) => { s.drift('web', ['a']); s.pass(1 * hours); }, ['330 chat drift.firing web', '330 pager drift.firing web']],
    ['is not told to what is not there', { rules: [exampleRule({ destinations: ['gone', 'chat'] })] }, (s) => { s.drift('web', ['a']); s.pass(1 * hours); }, ['330 chat drift.firing web']],
    ['of a deploy is not told', {}, (s) => { s.drift('web', ['a'], { cause: 'git-ahead' }); s.pass(1 * hours); }, []],
    ['of a deploy is told where a rule asks for it', { rules: [exampleRule({ match: { cause: ['git-ahead'] } })] }, (s) => { s.drift('web', ['a'], { cause: 'git-ahead' }); s.pass(1 * hours); }, ['330 chat drift.firing web']],
    ['in a deploy is told', {}, (s) => { s.drift('web', ['a'], { cause: 'both' }); s.pass(1 * hours); }, ['330 chat drift.firing web']],
    ['is nobody’s business where the application says so', {}, (s) => { s.drift('web', ['a']); s.change('web', (status) => ({ ...status, episodes: status.episodes.map((episode) => ({ ...episode, ignored: true })) })); s.pass(1 * hours); }, []],
  ])('%s', (_name, options, happens, told) => {
    expect(tell(options, happens).lines()).toEqual(told);
  });
});

describe('drift that comes and goes', () => {
  test('is one alert, and no more than one message in an interval', () => {
    const scene = tell({ rules: [quick] }, (s) => {
      for (let round = 0; round < 300; round += 1) {
        s.drift('web', ['a']);
        s.pass(1 * seconds);
        s.end('web', 'a');
        s.pass(1 * seconds);
      }
      s.pass(1 * hours);
    });
    expect(scene.lines()).toEqual(['0 chat drift.firing web', '300 chat drift.resolved web', '600 chat drift.resolved web']);
    expect(scene.alertsOf('web')).toHaveLength(1);
  });

  test('is the same alert when it began again within the interval, and another one later', () => {
    const scene = tell({}, (s) => {
      s.drift('web', ['a']);
      s.pass(20 * minutes);
      s.end('web', 'a');
      s.pass(4 * minutes);
      s.drift('web', ['a']);
      s.pass(20 * minutes);
      s.end('web', 'a');
      s.pass(6 * minutes);
      s.drift('web', ['a']);
      s.pass(20 * minutes);
    });
    expect(scene.lines().map((line) => line.split(' ')[2])).toEqual(['drift.firing', 'drift.resolved', 'drift.firing', 'drift.resolved', 'drift.firing']);
    expect(scene.alertsOf('web').map(({ transition }) => transition)).toEqual([1, 4]);
  });
});

describe('while a sync is under way', () => {
  test.each<Story>([
    ['nothing fires, and what still lasts afterwards does', {}, (s) => { s.drift('web', ['a']); s.sync('web', {}); s.pass(10 * minutes); s.sync('web', { state: 'succeeded' }); s.pass(1 * hours); }, ['630 chat drift.firing web']],
    ['nothing becomes another one', {}, (s) => { s.drift('web', ['a']); s.pass(10 * minutes); s.sync('web', {}); s.drift('web', ['a'], { path: '/spec/paused' }); s.pass(1 * hours); }, ['330 chat drift.firing web']],
    ['what it puts right is resolved', {}, (s) => { s.drift('web', ['a']); s.pass(15 * minutes); s.sync('web', {}); s.heal('web', 'a'); s.pass(1 * hours); }, ['330 chat drift.firing web', '900 chat drift.resolved web']],
    ['what is put right at once is told to nobody', { rules: [quick] }, (s) => { s.drift('web', ['a']); s.sync('web', {}); s.pass(10 * seconds); s.heal('web', 'a'); s.sync('web', { state: 'succeeded' }); s.pass(1 * hours); }, []],
    ['an agent that sees nothing says so', { rules: [exampleRule({ match: { status: ['Unknown'] } })] }, (s) => { s.sync('web', {}); s.blind('web', 'RepositoryUnreachable'); s.pass(1 * hours); }, ['330 chat agent.blind web']],
  ])('%s', (_name, options, happens, told) => {
    expect(tell(options, happens).lines()).toEqual(told);
  });
});

describe('not knowing', () => {
  const blind = exampleRule({ name: 'blind', match: { status: ['Unknown'] }, forMs: 15 * minutes, severity: 'critical' });
  test.each<Story>([
    ['fires no drift', {}, (s) => { s.drift('web', ['a']); s.pass(1 * minutes); s.blind('web', 'RenderFailed'); s.pass(1 * hours); }, []],
    ['fires it as soon as somebody knows', {}, (s) => { s.drift('web', ['a']); s.pass(1 * minutes); s.blind('web', 'RenderFailed'); s.pass(1 * hours); s.see('web'); s.pass(1 * minutes); }, ['3690 chat drift.firing web']],
    ['resolves none', {}, (s) => { s.drift('web', ['a']); s.pass(6 * minutes); s.blind('web', 'RenderFailed'); s.pass(5 * hours); }, ['330 chat drift.firing web']],
    ['resolves none that was over the moment before, until somebody knows', {}, (s) => { s.drift('web', ['a']); s.pass(15 * minutes); s.end('web', 'a'); s.blind('web', 'RenderFailed'); s.pass(1 * hours); s.see('web'); s.pass(1 * minutes); }, ['330 chat drift.firing web', '4500 chat drift.resolved web']],
    ['is told itself where a rule asks for it, with its end', { rules: [blind] }, (s) => { s.blind('web', 'RenderFailed'); s.pass(1 * hours); s.see('web'); s.pass(1 * hours); }, ['930 chat agent.blind web', '3600 chat agent.recovered web']],
    ['is not told when it is short', { rules: [blind] }, (s) => { s.blind('web', 'RenderFailed'); s.pass(14 * minutes); s.see('web'); s.pass(1 * hours); }, []],
    ['is told to be another one when the reason is', { rules: [blind] }, (s) => { s.blind('web', 'RenderFailed'); s.pass(1 * hours); s.blind('web', 'PathNotFound'); s.pass(1 * hours); }, ['930 chat agent.blind web', '3600 chat agent.blind web']],
    [
      'of a whole cluster is told once, however late some find out, and once when all see again',
      { rules: [blind], applications: ['a', 'b', 'c'] },
      (s) => {
        s.blind('a', 'ClusterUnreachable');
        s.pass(1 * seconds);
        s.blind('b', 'ClusterUnreachable');
        s.pass(5 * minutes);
        s.blind('c', 'ClusterUnreachable');
        s.pass(2 * hours);
        s.see('a');
        s.pass(20 * minutes);
        s.see('b');
        s.see('c');
        s.pass(2 * hours);
      },
      ['930 chat agent.blind a b', '8701 chat agent.recovered a b c'],
    ],
    [
      'of a cluster is told anew the next time, also where ends are not wanted',
      { rules: [{ ...blind, sendResolved: false }] },
      (s) => { s.blind('web', 'ClusterUnreachable'); s.pass(1 * hours); s.see('web'); s.pass(1 * hours); s.blind('web', 'ClusterUnreachable'); s.pass(1 * hours); },
      ['930 chat agent.blind web', '8130 chat agent.blind web'],
    ],
  ])('%s', (_name, options, happens, told) => {
    expect(tell(options, happens).lines()).toEqual(told);
  });
});

describe('states of an application', () => {
  const about = (status: NonNullable<ReturnType<typeof exampleRule>['match']['status']>): SceneOptions => ({ rules: [exampleRule({ match: { status }, forMs: 0, groupWaitMs: 0 })] });
  const ended = (at: number) => ({ endedAt: new Date(at).toISOString() });
  test.each<Story>([
    ['a sync that failed, until one succeeds', about(['SyncFailed']), (s) => { s.sync('web', { state: 'failed', ...ended(s.now()) }); s.pass(1 * hours); s.sync('web', { id: 'op2' }); s.pass(1 * hours); s.sync('web', { id: 'op2', state: 'succeeded' }); s.pass(1 * hours); }, ['0 chat sync.failed web', '7200 chat sync.succeeded web']],
    ['a sync that failed once, however often it is tried', about(['SyncFailed']), (s) => { for (const id of ['op1', 'op2', 'op3']) { s.sync('web', { id, state: 'failed', ...ended(s.now()) }); s.pass(1 * hours); } }, ['0 chat sync.failed web']],
    ['a sync that failed, until all is in sync otherwise', about(['SyncFailed']), (s) => { s.drift('web', ['a'], { cause: 'git-ahead' }); s.sync('web', { state: 'failed', ...ended(s.now()) }); s.pass(1 * hours); s.end('web', 'a'); s.pass(1 * hours); }, ['0 chat sync.failed web', '3600 chat sync.succeeded web']],
    ['a sync that succeeded, once', about(['SyncSucceeded']), (s) => { s.sync('web', { state: 'succeeded', ...ended(s.now()) }); s.pass(40 * hours); }, ['0 chat sync.succeeded web']],
    ['each sync that succeeded', about(['SyncSucceeded']), (s) => { for (const id of ['op1', 'op2']) { s.sync('web', { id, state: 'succeeded', ...ended(s.now()) }); s.pass(1 * hours); } }, ['0 chat sync.succeeded web', '3600 chat sync.succeeded web']],
    ['an application that is not well', about(['Degraded']), (s) => { s.change('web', (status) => ({ ...status, health: { status: 'Degraded', message: 'no image' } })); s.pass(1 * hours); s.change('web', (status) => ({ ...status, health: { status: 'Healthy' } })); s.pass(1 * hours); }, ['0 chat drift.firing web', '3600 chat drift.resolved web']],
    ['resources that others fight over', about(['Contested']), (s) => { s.drift('web', ['a']); s.change('web', (status) => ({ ...status, held: status.resources.map(({ key }) => ({ key, code: 'Fighting', why: 'put back three times' })) })); s.pass(1 * hours); s.change('web', (status) => ({ ...status, held: [] })); s.pass(1 * hours); }, ['0 chat drift.firing web', '3600 chat drift.resolved web']],
    ['different states apart', about(['SyncFailed', 'Unknown']), (s) => { s.drift('web', ['a']); s.sync('web', { state: 'failed', ...ended(s.now()) }); s.blind('web', 'RenderFailed'); s.pass(1 * hours); s.see('web'); s.pass(1 * hours); }, ['0 chat agent.blind web', '0 chat sync.failed web', '3600 chat agent.recovered web']],
  ])('are told: %s', (_name, options, happens, told) => {
    expect(tell(options, happens).lines()).toEqual(told);
  });
});

describe('healed drift', () => {
  const rules = [exampleRule({ sendHealed: true })];
  test.each<Story>([
    ['is told as one digest of all applications', { rules, applications: ['a', 'b'] }, (s) => { s.drift('a', ['x']); s.drift('b', ['y']); s.pass(1 * seconds); s.heal('a', 'x'); s.pass(1 * seconds); s.heal('b', 'y'); s.pass(40 * hours); }, ['31 chat drift.healed a b']],
    ['is told exactly once although it stays listed', { rules }, (s) => { s.drift('web', ['x']); s.pass(1 * seconds); s.heal('web', 'x'); s.pass(1 * hours); s.drift('web', ['y']); s.pass(1 * seconds); s.heal('web', 'y'); s.pass(40 * hours); }, ['31 chat drift.healed web', '3632 chat drift.healed web']],
    ['is not told where nobody asks for it', {}, (s) => { s.drift('web', ['x']); s.pass(1 * seconds); s.heal('web', 'x'); s.pass(1 * hours); }, []],
    ['is no deploy', { rules: [exampleRule({ sendHealed: true, match: { cause: ['git-ahead'] } })] }, (s) => { s.drift('web', ['x'], { cause: 'git-ahead' }); s.pass(1 * seconds); s.heal('web', 'x'); s.pass(1 * hours); }, []],
    ['is told as drift where it had fired', { rules }, (s) => { s.drift('web', ['x']); s.pass(10 * minutes); s.heal('web', 'x'); s.pass(1 * hours); }, ['330 chat drift.firing web', '630 chat drift.resolved web']],
    ['does not hold up what fires', { rules }, (s) => { s.drift('web', ['y']); s.pass(260 * seconds); s.drift('web', ['x']); s.pass(1 * seconds); s.heal('web', 'x'); s.pass(1 * hours); }, ['291 chat drift.healed web', '330 chat drift.firing web']],
  ])('%s', (_name, options, happens, told) => {
    expect(tell(options, happens).lines()).toEqual(told);
  });

  test('lists in each message only what was healed since the last', () => {
    const { sent } = tell({ rules }, (s) => {
      for (const name of ['x', 'y']) {
        s.drift('web', [name]);
        s.pass(1 * seconds);
        s.heal('web', name);
        s.pass(1 * hours);
      }
    });
    expect(sent.map(({ notification }) => notification.subjects.flatMap(({ resources }) => resources.map(({ name }) => name)))).toEqual([['x'], ['y']]);
    expect(sent.map(({ notification }) => notification.rule.severity)).toEqual(['info', 'info']);
  });
});
