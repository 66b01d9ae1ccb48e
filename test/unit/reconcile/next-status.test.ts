import { describe, expect, test } from 'vitest';
import { driftIn, emptyStatus, plainApplication, resourceKey, type AppStatus, type Cause, type JudgedResource } from '../../../src/model/index.ts';
import { nextStatus } from '../../../src/reconcile/next-status.ts';

const application = plainApplication({ name: 'web', sources: [] });

function differing(name: string, cause: Cause): JudgedResource {
  return { diff: { type: 'missing', key: resourceKey({ group: '', kind: 'ConfigMap', namespace: 'shop', name }), origin: 'a.yaml#1' }, cause } as JudgedResource;
}

function deployOf(count: number): readonly JudgedResource[] {
  return Array.from({ length: count }, (_, index) => differing(`new-${String(index).padStart(3, '0')}`, 'git-ahead'));
}

function look(resources: readonly JudgedResource[], before: AppStatus = emptyStatus('web')): AppStatus {
  let made = 0;
  const judgement = { verdict: { status: 'OutOfSync', cause: 'both' }, commit: null, resources, findings: [] } as const;
  return nextStatus(before, { application, judgement, compared: [], trouble: undefined, health: () => undefined, now: new Date('2026-01-01T00:00:00Z'), newId: () => `e${(made += 1)}` });
}

const nameIn = (key: string): string => key.split('/').at(-1) ?? '';

describe('of more resources than a status lists', () => {
  test('those that drifted are listed first: a deploy of many hides none', () => {
    const { resources, notListed } = look([...deployOf(60), differing('drifted', 'live-changed')]);
    expect(resources.slice(0, 2).map(({ key }) => nameIn(key))).toEqual(['drifted', 'new-000']);
    expect({ listed: resources.length, notListed, drift: driftIn({ resources, notListed }) }).toEqual({ listed: 50, notListed: 11, drift: { count: 1, since: '2026-01-01T00:00:00.000Z' } });
  });

  test('one that drifted has an episode of its own', () => {
    const { episodes } = look([...deployOf(120), differing('drifted', 'live-changed')]);
    expect(episodes.find(({ key }) => nameIn(key) === 'drifted')).toMatchObject({ cause: 'live-changed', closedAt: null });
    expect(episodes.at(-1)).toMatchObject({ key: '*', cause: 'git-ahead', fields: ['21 more resources'] });
  });

  test('all count as drift where nothing else is listed', () => {
    const status = look(Array.from({ length: 70 }, (_, index) => differing(`drifted-${index}`, 'live-changed')));
    expect(driftIn(status).count).toBe(70);
  });
});

test('as many resources as a status lists stay in the order of Git', () => {
  const { resources } = look([differing('b', 'git-ahead'), differing('a', 'live-changed')]);
  expect(resources.map(({ key }) => nameIn(key))).toEqual(['b', 'a']);
});
