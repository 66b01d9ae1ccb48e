import { describe, expect, test } from 'vitest';
import { emptyStatus, plainApplication, resourceKey, type Application, type AppStatus, type Operation, type ResourceKey } from '../../../src/model/index.ts';
import { sourcesName, specName } from '../../../src/plan/index.ts';
import { nextLook } from '../../../src/reconcile/next-look.ts';
import type { Observed } from '../../../src/reconcile/next-status.ts';
import type { Observation } from '../../../src/reconcile/observe.ts';
import { terminated, wantsPlan, whyGitIsSilent } from '../../../src/reconcile/operation.ts';

const endedAt = '2026-01-31T12:00:00.000Z';
const after = (seconds: number): Date => new Date(Date.parse(endedAt) + seconds * 1000);
const key = (name: string): ResourceKey => resourceKey({ group: '', kind: 'ConfigMap', namespace: 'shop', name });
const application: Application = plainApplication({ name: 'web', sources: [], policy: { deploy: 'automatic', drift: 'Heal', foreignFields: 'Report', prune: false } });
const differing = { diff: { type: 'missing', key: key('a') }, cause: 'git-ahead' };
const observation = { judgement: { verdict: { status: 'OutOfSync', cause: 'git-ahead' }, commit: 'c1', resources: [differing], findings: [] }, commits: ['c1'], targets: [], hooks: [], trouble: undefined, retrySoon: false } as unknown as Observation;
const operation = (more: Partial<Operation>): Operation => ({ id: 'o', type: 'deploy', revision: 'c1', content: sourcesName(application, ['c1']), spec: specName(application), startedAt: endedAt, hooks: {}, state: 'failed', endedAt, ...more });
/** Something was applied once that Git no longer has, as is usual with pruning off. */
const status: AppStatus = { ...emptyStatus('web'), inventory: { [key('old')]: { uid: 'u', version: 'v1' } }, resources: [{ key: key('a'), origin: '', type: 'missing', cause: 'git-ahead', since: endedAt }] };

describe('a plan is wanted', () => {
  test.each<[string, Operation | null, number, boolean]>([
    ['for what is left, where nothing was begun', null, 0, true],
    ['not before the pause after a failure is over', operation({}), 4, false],
    ['and then', operation({}), 5, true],
    ['not where somebody ended it', operation({ state: 'terminated', isEndedByHand: true }), 3600, false],
    ['where a newer commit did', operation({ state: 'terminated', revision: 'c0' }), 0, true],
    ['while it is under way', { ...operation({ state: 'running' }), endedAt: undefined } as unknown as Operation, 0, true],
  ])('%s', (_name, current, seconds, expected) => {
    const history: AppStatus['history'] = current === null ? [] : [{ id: 1, at: endedAt, state: 'failed', revision: 'c1', cause: 'git-ahead', applied: 0, held: 0, failed: 1 }];
    expect(wantsPlan({ application, observation, status: { ...status, history }, operation: current, request: undefined, now: after(seconds) })).toBe(expected);
  });

  test('not in the look that ends it, whatever is on record until then', () => {
    const running = { ...operation({ state: 'running' }), endedAt: undefined } as unknown as Operation;
    const ended = terminated(running, { ...application, terminate: 'o' }, after(0));
    expect(ended).toMatchObject({ state: 'terminated', isEndedByHand: true });
    expect(wantsPlan({ application, observation, status: { ...status, operation: running }, operation: ended, request: undefined, now: after(0) })).toBe(false);
  });
});

describe('the next look', () => {
  const next = (current: Operation, seconds: number, before: AppStatus = { ...status, operation: current }): { readonly lookAgainSoon: boolean; readonly waitMs?: number } => {
    const seen = { ...status, verdict: { status: 'OutOfSync', cause: 'git-ahead' }, operation: current } as Observed;
    const { lookAgainSoon, waitMs } = nextLook(application, { status: seen, observation, operation: current, before }, after(seconds));
    return { lookAgainSoon, ...(waitMs !== undefined && { waitMs }) };
  };

  test('comes when what failed may be tried again', () => {
    expect(next(operation({}), 0)).toEqual({ lookAgainSoon: false, waitMs: 5000 });
    expect(next(operation({}), 3)).toEqual({ lookAgainSoon: false, waitMs: 2000 });
    expect(next(operation({}), 6)).toEqual({ lookAgainSoon: true });
  });

  test('comes at once when a sync was ended, and not for ever', () => {
    const ended = operation({ state: 'terminated', isEndedByHand: true });
    expect(next(ended, 0, { ...status, operation: { ...ended, state: 'running' } })).toEqual({ lookAgainSoon: false, waitMs: 0 });
    expect(next(ended, 0)).toEqual({ lookAgainSoon: false });
  });

  test.each([['was of some resources only', undefined], ['left one for another time', 'NotSelected'], ['could not compare one', 'NotCompared']] as const)('comes soon when a sync is over that %s, once', (_name, code) => {
    const over = operation({ state: 'succeeded', ...(code === undefined && { request: { id: 'r', by: 'me', resources: [key('b')] } }) });
    const left: AppStatus = { ...status, held: code === undefined ? [] : [{ key: key('a'), code, why: 'it says' }] };
    const waitAfter = (before: AppStatus): number | undefined => nextLook(application, { status: { ...left, verdict: { status: 'OutOfSync', cause: 'git-ahead' }, operation: over }, observation, operation: over, before }, after(60)).waitMs;
    expect(waitAfter(left)).toBe(2000);
    expect(waitAfter({ ...left, operation: { ...over, state: 'running', endedAt: undefined } as unknown as Operation })).toBe(2000);
    expect(waitAfter({ ...left, operation: over })).toBeUndefined();
  });

  test('comes at once when a sync to a commit that only a request wanted is over, also where it failed', () => {
    const asked = { request: { id: 'r', by: 'me', revision: 'c0' } };
    const running: AppStatus = { ...status, operation: { ...operation(asked), state: 'running' } };
    for (const state of ['failed', 'succeeded'] as const) {
      expect(next(operation({ ...asked, state }), 60, running)).toEqual({ lookAgainSoon: false, waitMs: 0 });
      expect(next(operation({ ...asked, state }), 60)).not.toHaveProperty('waitMs', 0);
    }
    expect(next(operation({}), 60, { ...running, operation: { ...operation({}), state: 'running' } })).toEqual({ lookAgainSoon: true });
  });
});

test('who asks for what Git says now is told where it does not answer; who names a commit is not', () => {
  const trouble = { since: 0, code: 'RepositoryUnreachable' as const, message: 'no route' };
  const asked = { id: 'r', by: 'me' };
  expect(whyGitIsSilent(asked, { ...observation, trouble })).toBe('what Git says now is not known: RepositoryUnreachable: no route; what it said last is --revision c1');
  expect(whyGitIsSilent({ ...asked, revision: 'f'.repeat(40) }, { ...observation, trouble })).toBeUndefined();
  expect(whyGitIsSilent(asked, observation)).toBeUndefined();
  expect(whyGitIsSilent(undefined, { ...observation, trouble })).toBeUndefined();
});
