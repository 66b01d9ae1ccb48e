import { describe, expect, test } from 'vitest';
import { syncEndText, syncReport } from '../../../src/cli/sync-report.ts';
import type { AppStatus, Operation } from '../../../src/model/index.ts';
import { ago, deployment, drifted, item, synced } from './status-items.ts';

const operation: Operation = { id: 'op', type: 'manual', revision: '4e9c917'.padEnd(40, 'a'), startedAt: ago(9), request: { id: 'mine', by: 'ada' }, hooks: {}, state: 'succeeded', done: { applied: 2, pruned: 1, held: 0, failed: 0 } };
const healthy: Partial<AppStatus> = { ...synced, health: { status: 'Healthy' } };
const at = item(healthy);

describe('for people', () => {
  test.each<[string, Parameters<typeof syncEndText>[0], string]>([
    ['done', { item: at, standing: { type: 'ended', operation } }, 'prod/checkout was synced to 4e9c917: 2 applied, 1 pruned; Healthy\n'],
    ['nothing to do', { item: at, standing: { type: 'ended', operation: { ...operation, done: undefined as never } } }, 'prod/checkout was synced to 4e9c917: nothing to change; Healthy\n'],
    [
      'done, and something was held',
      { item: item({ ...healthy, held: [{ key: deployment, code: 'PruneBudget', why: 'too many', confirm: 'prune-1' }] }), standing: { type: 'ended', operation } },
      'prod/checkout was synced to 4e9c917: 2 applied, 1 pruned; Healthy\n1 held\n  apps/Deployment prod/checkout  PruneBudget: too many\n      setpoint sync prod/checkout --prune --approve prune-1\n',
    ],
    ['another commit', { item: at, standing: { type: 'ended', operation: { ...operation, request: { id: 'mine', by: '', revision: 'b'.repeat(40) } } } }, `prod/checkout was synced to 4e9c917, and not to ${'b'.repeat(40)}: 2 applied, 1 pruned; Healthy\n`],
    ['done and not healthy', { item: item({ ...healthy, health: { status: 'Degraded', message: 'no image' } }), standing: { type: 'ended', operation }, timedOut: '5m' }, 'prod/checkout was synced to 4e9c917: 2 applied, 1 pruned; still Degraded after 5m: no image\n'],
    ['failed', { item: at, standing: { type: 'ended', operation: { ...operation, state: 'failed', message: 'the hook\nfailed' } } }, 'prod/checkout: the sync failed: the hook failed (2 applied, 1 pruned)\n'],
    ['ended', { item: at, standing: { type: 'ended', operation: { ...operation, state: 'terminated', message: 'ended by hand' } } }, 'prod/checkout: the sync was ended: ended by hand (2 applied, 1 pruned)\n'],
    ['begun', { item: at, standing: { type: 'running', operation } }, 'prod/checkout: the sync has begun\n  see how it goes on: setpoint status prod/checkout\n'],
    ['late', { item: at, standing: { type: 'running', operation: { ...operation, message: 'x waits' } }, timedOut: '5m' }, 'prod/checkout: the sync goes on after 5m: x waits\n  end it: setpoint terminate prod/checkout\n'],
    ['refused', { item: at, standing: { type: 'refused', message: 'paused: freeze' } }, 'prod/checkout is not synced: paused: freeze\n'],
    [
      'another plan',
      { item: at, standing: { type: 'refused', message: 'another plan was approved', approve: 'plan-1' } },
      'prod/checkout is not synced: another plan was approved: it is plan-1\n  the same command with --approve plan-1 has exactly that done\n',
    ],
    ['followed', { item: at, standing: { type: 'followed' } }, 'prod/checkout: the sync was begun, and another one has followed it: setpoint history prod/checkout\n'],
    ['not answered', { item: item(drifted()), standing: { type: 'unanswered' }, timedOut: '5m' }, 'prod/checkout is not synced after 5m: the agent has not answered: is it running? setpoint doctor tells\n'],
    ['not answered: busy', { item: item({ ...drifted(), operation: { ...operation, state: 'running' } }), standing: { type: 'unanswered' }, timedOut: '5m' }, 'prod/checkout is not synced after 5m: it waits for the sync under way\n'],
    ['not answered: blind', { item: item(synced, { beat: { type: 'absent' } }), standing: { type: 'unanswered' }, timedOut: '5m' }, 'prod/checkout is not synced after 5m: the agent has not answered; it is Unknown: no agent has been seen; before that it was Synced\n'],
  ])('%s', (_name, end, text) => {
    expect(syncEndText(end)).toBe(text);
  });
});

test('for scripts', () => {
  expect(syncReport({ item: at, standing: { type: 'ended', operation } }, 'mine')).toMatchObject({ apiVersion: 'setpoint.dev/v1', kind: 'SyncReport', application: 'prod/checkout', request: 'mine', outcome: 'succeeded', timedOut: false, message: null, operation: { id: 'op' }, health: { status: 'Healthy' } });
  expect(syncReport({ item: at, standing: { type: 'refused', message: 'no', approve: 'plan-1' } }, 'mine')).toMatchObject({ outcome: 'refused', message: 'no', approve: 'plan-1', operation: null });
  expect(syncReport({ item: at, standing: { type: 'unanswered' }, timedOut: '5m' }, 'mine')).toMatchObject({ outcome: 'unanswered', timedOut: true });
});
