import { describe, expect, test } from 'vitest';
import { describeNotification, type PlannedNotification } from '../../../src/alert/index.ts';
import { resourceKey, type Episode, type Notification, type ResourceStatus } from '../../../src/model/index.ts';
import { createScene, exampleRule, hours, keyOf, minutes, start, type Scene } from './alert-scene.ts';

const at = (ms: number): string => new Date(start + ms).toISOString();
const quick = { forMs: 0, groupWaitMs: 0 };

function told(scene: Scene): readonly Notification[] {
  return scene.sent.map(({ notification }) => notification);
}

const subjectIn = (notification: Notification | undefined) => notification?.subjects[0];

test('a message names the application, the commit, the resource, both values, who did it and the patch', () => {
  const scene = createScene({ describe: () => ({ id: 'prod/web', namespace: 'prod', labels: { team: 'shop' } }), applications: ['web'] });
  scene.change('prod/web', (status) => ({ ...status, commit: 'c1' }));
  scene.drift('prod/web', ['a']);
  scene.pass(6 * minutes);
  const [alert] = scene.alertsOf('prod/web');
  expect(told(scene)).toEqual([
    {
      id: scene.sent[0]?.id,
      type: 'drift.firing',
      at: at(330_000),
      rule: { name: 'drift', severity: 'warning' },
      cluster: 'prod',
      subjects: [
        {
          rule: { name: 'drift', severity: 'warning' },
          alert: { id: alert?.id, fingerprint: alert?.fingerprint, startedAt: at(0), endedAt: null },
          application: { namespace: 'prod', name: 'web', labels: { team: 'shop' } },
          cause: 'live-changed',
          revision: { repo: 'https://git.example.com/fleet', ref: 'main', sha: 'c1', path: 'web' },
          resources: [
            {
              group: 'apps',
              kind: 'Deployment',
              namespace: 'shop',
              name: 'a',
              change: 'changed',
              cause: 'live-changed',
              since: at(0),
              by: 'kubectl-edit',
              fields: [{ path: '/spec/replicas', display: 'spec.replicas', desired: 3, live: 5, actor: { manager: 'kubectl-edit', operation: 'Update' } }],
              patch: [{ op: 'replace', path: '/spec/replicas', value: 3 }],
            },
          ],
          truncatedResources: 0,
        },
      ],
      truncatedSubjects: 0,
    },
  ]);
});

describe('a message', () => {
  test('says of what is over when that was, and who put it right', () => {
    const scene = createScene({ rules: [exampleRule(quick)] });
    scene.drift('web', ['a']);
    scene.pass(10 * minutes);
    scene.heal('web', 'a');
    scene.pass(1 * hours);
    expect(subjectIn(told(scene)[1])).toMatchObject({
      alert: { endedAt: at(10 * minutes) },
      resources: [{ name: 'a', since: at(0), endedAt: at(10 * minutes), correctedAt: at(10 * minutes), by: 'kubectl-edit', fields: [{ display: 'spec.replicas' }] }],
    });
  });

  test('names what was over before the last one was sent, and was only found to have lasted after it', () => {
    const scene = createScene();
    scene.drift('web', ['a']);
    scene.pass(10_000);
    scene.drift('web', ['b']);
    scene.pass(295_000);
    scene.sync('web', {});
    scene.pass(15_000);
    scene.end('web', 'b');
    scene.pass(1 * minutes);
    scene.sync('web', null);
    scene.pass(1 * hours);
    expect(told(scene).map((notification) => subjectIn(notification)?.resources.map(({ name }) => name))).toEqual([['a'], ['a', 'b']]);
  });

  test('lists what still differs first, and what is over only until that was told', () => {
    const scene = createScene({ rules: [exampleRule(quick)] });
    for (const [end, begin] of [['', 'a'], ['a', 'b'], ['', 'c']] as const) {
      scene.drift('web', [begin]);
      scene.end('web', end);
      scene.pass(10 * minutes);
    }
    const listed = told(scene).map((one) => subjectIn(one)?.resources.map(({ name, endedAt }) => `${name} ${endedAt === undefined ? 'lasts' : 'over'}`));
    expect(listed).toEqual([['a lasts'], ['b lasts', 'a over'], ['b lasts', 'c lasts']]);
  });

  test('has the fields alone where values are not kept', () => {
    const scene = createScene({ rules: [exampleRule({ forMs: 1 * minutes })] });
    scene.drift('web', ['a']);
    scene.change('web', (status) => ({ ...status, resources: status.resources.map(({ changes: _changes, patch: _patch, ...rest }) => ({ ...rest, fields: ['spec.replicas', 'spec.paused'] })) }));
    scene.pass(10 * minutes);
    expect(subjectIn(told(scene)[0])?.resources[0]).toMatchObject({ fields: [{ display: 'spec.replicas' }, { display: 'spec.paused' }] });
    expect(subjectIn(told(scene)[0])?.resources[0]).not.toHaveProperty('patch');
  });

  test('never has a value of a Secret, not even what stands for it', () => {
    const scene = createScene({ rules: [exampleRule(quick)] });
    const key = resourceKey({ group: '', kind: 'Secret', namespace: 'shop', name: 'token' });
    const episode: Episode = { id: 'e1', key, cause: 'live-changed', openedAt: at(0), closedAt: null, fingerprint: 'f', fields: ['data.token'] };
    const mask = '*** (before, 1234)';
    const resource: ResourceStatus = { key, origin: 's.yaml#1', type: 'changed', cause: 'live-changed', since: at(0), changes: [{ path: '/data/token', display: 'data.token', live: mask, desired: '*** (after, 5678)', owners: [] }], patch: [{ op: 'replace', path: '/data/token', value: mask }] };
    scene.change('web', (status) => ({ ...status, verdict: { status: 'OutOfSync', cause: 'live-changed' }, resources: [resource], episodes: [episode] }));
    scene.pass(1 * minutes);
    expect(subjectIn(told(scene)[0])?.resources).toMatchObject([{ kind: 'Secret', name: 'token', fields: [{ path: '/data/token', display: 'data.token' }] }]);
    expect(JSON.stringify(told(scene))).not.toContain('***');
  });

  test.each<[string, NonNullable<ReturnType<typeof exampleRule>['match']['status']>[number], (scene: Scene) => void, string]>([
    ['what could not be found out', 'Unknown', (s) => s.blind('web', 'RenderFailed'), 'RenderFailed, said the scene'],
    ['why a sync failed', 'SyncFailed', (s) => s.sync('web', { state: 'failed', endedAt: at(0), message: 'the hook failed' }), 'the hook failed'],
    ['what is not well', 'Degraded', (s) => s.change('web', (status) => ({ ...status, health: { status: 'Degraded', message: 'no image' } })), 'no image'],
    ['what is contested', 'Contested', (s) => s.change('web', (status) => ({ ...status, held: [{ key: keyOf('a'), code: 'Contested', why: 'an autoscaler holds it' }] })), 'an autoscaler holds it'],
  ])('says %s, and no cause', (_name, state, happens, message) => {
    const scene = createScene({ rules: [exampleRule({ ...quick, match: { status: [state] } })] });
    happens(scene);
    scene.pass(1 * minutes);
    expect(subjectIn(told(scene)[0])).toMatchObject({ cause: null, message, resources: [] });
  });

  test('is bounded, and says what it leaves out', () => {
    const names = Array.from({ length: 130 }, (_, index) => `r${index}`);
    const ids = Array.from({ length: 30 }, (_, index) => `app${index}`);
    const scene = createScene({ rules: [exampleRule({ ...quick, groupBy: [] })], applications: ids });
    for (const id of ids) scene.drift(id, names);
    scene.pass(1 * minutes);
    const [message] = told(scene);
    expect([message?.subjects.length, message?.truncatedSubjects]).toEqual([20, 10]);
    expect([subjectIn(message)?.resources.length, subjectIn(message)?.truncatedResources]).toEqual([10, 120]);
  });

  test('has ten fields of a resource at most', () => {
    const scene = createScene({ rules: [exampleRule({ forMs: 1 * minutes })] });
    scene.drift('web', ['a']);
    scene.change('web', (status) => ({ ...status, resources: status.resources.map((resource) => ({ ...resource, changes: Array.from({ length: 30 }, (_, index) => ({ path: `/${index}`, display: String(index), owners: [] })) })) }));
    scene.pass(10 * minutes);
    expect(subjectIn(told(scene)[0])?.resources[0]?.fields).toHaveLength(10);
  });

  test('of several rules has the names of all and the gravest severity', () => {
    const scene = createScene({ rules: [exampleRule(quick), exampleRule({ ...quick, name: 'also', severity: 'critical' })], applications: ['a', 'b', 'c', 'd', 'e', 'f'] });
    for (const id of ['a', 'b', 'c', 'd', 'e', 'f']) scene.drift(id, ['x']);
    scene.pass(1 * minutes);
    expect(told(scene)).toMatchObject([{ rule: { name: 'also, drift', severity: 'critical' } }]);
  });

  test('is of nothing where the alerts are gone', () => {
    const planned: PlannedNotification = { id: 'evt_1', destination: 'chat', type: 'drift.firing', members: [{ application: 'web', alert: 'drf_1', transition: 1, state: 'firing' }], isClaimed: true };
    expect(describeNotification(planned, [createScene().place('web')], { cluster: 'prod', now: new Date(start) })).toBeUndefined();
  });
});

describe('an earlier message', () => {
  function refs(groupBy: readonly 'app'[]): readonly (string | undefined)[] {
    const scene = createScene({ rules: [exampleRule({ ...quick, groupBy })], applications: ['a', 'b'] });
    scene.fate = ({ id }) => ({ type: 'sent', ref: `message of ${id}` });
    scene.drift('a', ['x']);
    scene.drift('b', ['x']);
    scene.pass(10 * minutes);
    scene.end('a', 'x');
    scene.pass(10 * minutes);
    return told(scene).map(({ ref }) => ref);
  }

  test('of the same alert is named', () => {
    expect(refs(['app'])).toEqual([undefined, undefined, expect.stringMatching('message of evt_')]);
  });

  test('that told of others too is not', () => {
    expect(refs([])).toEqual([undefined, undefined]);
  });
});

test('an end that is sent late says nothing of what has come back since', () => {
  const scene = createScene({ rules: [exampleRule({ ...quick, groupIntervalMs: 1 * hours })] });
  scene.drift('web', ['a']);
  scene.pass(6 * minutes);
  scene.end('web', 'a');
  scene.pass(1 * minutes);
  scene.drift('web', ['b']);
  scene.pass(6 * minutes);
  const place = scene.place('web');
  const [alert] = place.alerts;
  const member = { application: 'web', alert: alert?.id ?? '', transition: 2, state: 'resolved' } as const;
  const message = describeNotification({ id: 'evt_1', destination: 'chat', type: 'drift.resolved', members: [member], isClaimed: true }, [place], { cluster: 'prod', now: new Date() });
  expect(alert?.resolvedAt).toBeNull();
  expect(message?.subjects[0]).toMatchObject({ alert: { endedAt: expect.any(String) as string }, resources: [{ name: 'a', endedAt: expect.any(String) as string }] });
});
