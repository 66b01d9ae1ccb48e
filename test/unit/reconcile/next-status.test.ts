import { describe, expect, test } from 'vitest';
import { driftIn, emptyStatus, plainApplication, resourceKey, type AgreedState, type AppStatus, type Cause, type Finding, type JudgedResource } from '../../../src/model/index.ts';
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

const at = (day: number): string => `2026-01-0${day}T00:00:00.000Z`;
const key = resourceKey({ group: '', kind: 'ConfigMap', namespace: 'shop', name: 'x' });

interface Moment {
  readonly diff?: JudgedResource['diff'];
  readonly cause?: Cause;
  readonly findings?: readonly Finding[];
}

const missing = (day?: number): JudgedResource['diff'] => ({ type: 'missing', key, origin: `a.yaml#${day ?? 1}` }) as JudgedResource['diff'];
const changed = { type: 'changed', key, origin: 'a.yaml#1', changes: [], patch: [], foreign: [] } as unknown as JudgedResource['diff'];
const unknown = { type: 'unknown', key, origin: 'a.yaml#1', code: 'ObjectUnsettled', message: 'it was written to' } as JudgedResource['diff'];
const same = { type: 'same', key, origin: 'a.yaml#1', foreign: [] } as unknown as JudgedResource['diff'];
const broken: readonly Finding[] = [{ severity: 'error', origin: 'x.yaml', message: 'it is no YAML' }];
const agreed = { desired: 'd', live: {} } as unknown as AgreedState;

/** One look a day, from the first of January on. */
function days(moments: readonly Moment[], before: AppStatus = { ...emptyStatus('web'), agreed: { [key]: agreed } }): AppStatus {
  let made = 0;
  return moments.reduce((status, { diff, cause, findings = [] }, day) => {
    const resources: readonly JudgedResource[] = [...(diff === undefined ? [] : [{ diff, ...(cause !== undefined && { cause }) }]), differing('other', 'git-ahead')];
    const judgement = { verdict: { status: 'OutOfSync', cause: 'both' }, commit: null, resources, findings } as const;
    const compared = resources.map((each) => ({ diff: each.diff, state: null }));
    return nextStatus(status, { application, judgement, compared, trouble: undefined, health: () => undefined, now: new Date(at(day + 1)), newId: () => `e${(made += 1)}` });
  }, before);
}

const sinceOf = (status: AppStatus): string | undefined => status.resources.find((resource) => resource.key === key)?.since;

test.each<[string, readonly Moment[], string]>([
  ['as long as it does', [{ diff: changed, cause: 'live-changed' }, { diff: changed, cause: 'live-changed' }], at(1)],
  ['also before a look that could not compare it', [{ diff: changed, cause: 'live-changed' }, { diff: unknown }, { diff: changed, cause: 'live-changed' }], at(1)],
  ['whether it is changed or gone', [{ diff: changed, cause: 'live-changed' }, { diff: missing(), cause: 'live-changed' }], at(1)],
  ['also when a deploy joins it', [{ diff: changed, cause: 'live-changed' }, { diff: changed, cause: 'both' }], at(1)],
  ['and no longer, where a deploy was on its way before', [{ diff: changed, cause: 'git-ahead' }, { diff: changed, cause: 'both' }], at(2)],
  ['anew after it did not', [{ diff: changed, cause: 'live-changed' }, { diff: same }, { diff: changed, cause: 'live-changed' }], at(3)],
])('a resource has drifted %s', (_name, moments, since) => {
  expect(sinceOf(days(moments))).toBe(since);
});

describe('a document that cannot be read', () => {
  const lost: Moment = { findings: broken };

  test('ends no drift of what it may declare', () => {
    const { episodes } = days([{ diff: changed, cause: 'live-changed' }, lost]);
    expect(episodes.find((episode) => episode.key === key)).toMatchObject({ openedAt: at(1), closedAt: null });
  });

  test('takes nothing away from what was agreed on, so that drift is not taken for a deploy afterwards', () => {
    expect(days([lost]).agreed).toEqual({ [key]: agreed });
  });

  test('is not the same as one that Git no longer has', () => {
    const { episodes, agreed: left } = days([{ diff: changed, cause: 'live-changed' }, {}]);
    expect(episodes.find((episode) => episode.key === key)).toMatchObject({ closedAt: at(2) });
    expect(left).toEqual({});
  });
});
