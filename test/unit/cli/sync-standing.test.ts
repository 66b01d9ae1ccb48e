import { expect, test } from 'vitest';
import { exitCodeOfSync, isWell, leftUndone, syncStanding, type SyncStanding } from '../../../src/cli/sync-standing.ts';
import { emptyStatus, type AppStatus, type HeldStep, type Operation } from '../../../src/model/index.ts';
import { ago, deployment } from './status-items.ts';

const operation = (parts: Partial<Operation> = {}): Operation => ({ id: 'op', type: 'manual', revision: 'a'.repeat(40), startedAt: ago(9), request: { id: 'mine', by: 'ada' }, hooks: {}, state: 'running', ...parts });
const held = (code: HeldStep['code'], confirm?: string): HeldStep => ({ key: deployment, code, why: 'so', ...(confirm !== undefined && { confirm }) });
const status = (parts: Partial<AppStatus>): AppStatus => ({ ...emptyStatus('shop/web'), ...parts });

test.each<[string, Partial<AppStatus>, SyncStanding['type']]>([
  ['nothing is on record', {}, 'unanswered'],
  ['another request was answered', { answered: { request: 'other', message: 'no' } }, 'unanswered'],
  ['the sync of another request is under way', { operation: operation({ request: { id: 'other', by: '' } }) }, 'unanswered'],
  ['a sync that nobody asked for is under way', { operation: { ...operation(), request: undefined as never } }, 'unanswered'],
  ['it was refused', { answered: { request: 'mine', message: 'paused' } }, 'refused'],
  ['it is under way', { operation: operation(), answered: { request: 'mine' } }, 'running'],
  ['it fails, and its hooks for that run', { operation: operation({ state: 'failing' }) }, 'running'],
  ['it has succeeded', { operation: operation({ state: 'succeeded' }) }, 'ended'],
  ['it has failed', { operation: operation({ state: 'failed' }) }, 'ended'],
  ['it was ended', { operation: operation({ state: 'terminated' }) }, 'ended'],
  ['it was begun, and a later one is on record', { operation: operation({ id: 'later', request: { id: 'other', by: '' } }), answered: { request: 'mine' } }, 'followed'],
])('%s', (_name, parts, type) => {
  expect(syncStanding(status(parts), 'mine').type).toBe(type);
});

test('a refusal names the plan that is due, and not what another hold asks for', () => {
  const answered = { request: 'mine', message: 'another plan' };
  expect(syncStanding(status({ answered, held: [held('PruneBudget', 'prune-1'), held('NeedsApproval', 'plan-1')] }), 'mine')).toEqual({ type: 'refused', message: 'another plan', approve: 'plan-1' });
  expect(syncStanding(status({ answered, held: [held('PruneBudget', 'prune-1')] }), 'mine')).toEqual({ type: 'refused', message: 'another plan' });
});

test.each<[number, string, SyncStanding, readonly HeldStep[]]>([
  [0, 'begun', { type: 'running', operation: operation() }, []],
  [0, 'done', { type: 'ended', operation: operation({ state: 'succeeded' }) }, []],
  [0, 'done, and the rest was not selected', { type: 'ended', operation: operation({ state: 'succeeded' }) }, [held('NotSelected')]],
  [0, 'done, and nothing is to be pruned', { type: 'ended', operation: operation({ state: 'succeeded' }) }, [held('PruneDisabled')]],
  [3, 'done, and something was held', { type: 'ended', operation: operation({ state: 'succeeded' }) }, [held('NotSelected'), held('Contested')]],
  [3, 'begun, and how it ended is no longer known', { type: 'followed' }, []],
  [2, 'done, but to another commit than was asked for', { type: 'ended', operation: operation({ state: 'succeeded', request: { id: 'mine', by: '', revision: 'b'.repeat(40) } }) }, []],
  [2, 'failed', { type: 'ended', operation: operation({ state: 'failed' }) }, []],
  [2, 'ended by hand', { type: 'ended', operation: operation({ state: 'terminated' }) }, []],
  [2, 'refused', { type: 'refused', message: 'paused' }, []],
  [5, 'not answered', { type: 'unanswered' }, []],
])('%i: %s', (code, _name, standing, holds) => {
  expect(exitCodeOfSync(standing, { held: holds })).toBe(code);
});

test('what somebody wanted to be left is not undone', () => {
  expect(leftUndone({ held: [held('NotSelected'), held('Denied'), held('PruneDisabled')] }).map(({ code }) => code)).toEqual(['Denied']);
});

test.each<[boolean, string, Partial<AppStatus>, readonly string[] | undefined]>([
  [true, 'nothing has a health', { health: null }, undefined],
  [true, 'all are healthy', { health: { status: 'Healthy' } }, undefined],
  [true, 'one is suspended', { health: { status: 'Suspended' } }, undefined],
  [false, 'one is on its way', { health: { status: 'Progressing' } }, undefined],
  [false, 'one is missing', { health: { status: 'Missing' } }, undefined],
  [true, 'one is missing that was not asked for', { health: { status: 'Missing' }, unhealthy: [{ key: deployment, status: 'Missing', since: ago(1) }] }, ['/ConfigMap/prod/x']],
  [false, 'one is missing that was asked for', { health: { status: 'Missing' }, unhealthy: [{ key: deployment, status: 'Missing', since: ago(1) }] }, [deployment]],
])('well: %s, where %s', (isSo, _name, parts, resources) => {
  expect(isWell(status(parts), resources === undefined ? {} : { resources: resources as readonly (typeof deployment)[] })).toBe(isSo);
});
