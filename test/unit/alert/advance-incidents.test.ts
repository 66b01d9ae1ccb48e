import { describe, expect, test } from 'vitest';
import { advanceIncidents } from '../../../src/alert/index.ts';
import { emptyStatus, resourceKey, type AppStatus, type ResourceStatus, type Verdict } from '../../../src/model/index.ts';

type Observed = AppStatus & { readonly verdict: Verdict };
type Moment = readonly [verdict: 'Synced' | 'OutOfSync' | 'Unknown', path?: string, announce?: 'silent'];

const verdicts: Record<Moment[0], Verdict> = {
  Synced: { status: 'Synced' },
  OutOfSync: { status: 'OutOfSync', cause: 'live-changed' },
  Unknown: { status: 'Unknown', code: 'ClusterUnreachable', message: 'gone' },
};

function resource(path: string): ResourceStatus {
  const key = resourceKey({ group: '', kind: 'ConfigMap', namespace: 'shop', name: 'env' });
  return { key, origin: 'a.yaml#1', type: 'changed', cause: 'live-changed', since: 'then', changes: [{ path, display: path, owners: [] }] };
}

/** Lives through the moments one after the other, one second apart. */
function live(moments: readonly Moment[]): AppStatus {
  return moments.reduce<AppStatus>((before, [verdict, path = '/data/a', announce], second) => {
    const resources = verdict === 'Synced' ? [] : [resource(path)];
    const status: Observed = { ...before, verdict: verdicts[verdict], resources };
    return { ...status, ...advanceIncidents({ status, now: `t${second}`, newId: `e${second}`, announce: announce !== 'silent' }) };
  }, emptyStatus('web'));
}

describe('what is told', () => {
  test.each<[string, readonly Moment[], readonly string[]]>([
    ['nothing while all is in sync', [['Synced'], ['Synced']], []],
    ['a difference, once', [['OutOfSync'], ['OutOfSync'], ['OutOfSync']], ['e0-1 firing']],
    ['its end', [['OutOfSync'], ['Synced'], ['Synced']], ['e0-1 firing', 'e0-2 resolved']],
    ['another difference in the same incident', [['OutOfSync', '/data/a'], ['OutOfSync', '/data/b']], ['e0-1 firing', 'e0-2 changed']],
    ['nothing new through a spell of not knowing', [['OutOfSync'], ['Unknown'], ['OutOfSync']], ['e0-1 firing']],
    ['no end while nobody knows', [['OutOfSync'], ['Unknown']], ['e0-1 firing']],
    ['a second incident under a key of its own', [['OutOfSync'], ['Synced'], ['OutOfSync']], ['e0-1 firing', 'e0-2 resolved', 'e2-1 firing']],
    ['nothing of what was healed before it was told', [['OutOfSync', '/data/a', 'silent'], ['Synced']], []],
    ['what could not be healed', [['OutOfSync', '/data/a', 'silent'], ['OutOfSync']], ['e0-1 firing']],
    ['what changed silently, as soon as it may be told', [['OutOfSync', '/data/a'], ['OutOfSync', '/data/b', 'silent'], ['OutOfSync', '/data/b']], ['e0-1 firing', 'e0-2 changed']],
  ])('%s', (_name, moments, told) => {
    expect(live(moments).outbox.map(({ key, type }) => `${key} ${type}`)).toEqual(told);
  });
});

test('a difference that is healed at once is still recorded', () => {
  expect(live([['OutOfSync', '/data/a', 'silent'], ['Synced']]).incidents).toMatchObject([{ id: 'e0', openedAt: 't0', closedAt: 't1', transitions: 0 }]);
});

test('the list of incidents is bounded', () => {
  const flapping = Array.from({ length: 100 }, (_, at): Moment => [at % 2 === 0 ? 'OutOfSync' : 'Synced']);
  expect(live(flapping).incidents).toHaveLength(20);
});
