import { describe, expect, test } from 'vitest';
import { confirmOperation } from '../../../src/plan/index.ts';
import { keyOf, operationOf, planOf, shown, type Declared, type Scene } from './scene.ts';

const deleting = operationOf({ type: 'delete' });
const hook = (phase: string): Declared => ({ is: 'hook', annotations: { 'helm.sh/hook': phase } });
const hooks = { 'batch/Job shop/before': hook('pre-delete'), 'batch/Job shop/after': hook('post-delete') };
const options = (text: string): NonNullable<Declared['annotations']> => ({ 'setpoint.dev/sync-options': text });

describe('a deletion with all that was applied', () => {
  test.each<[string, Scene, readonly string[]]>([
    ['runs its hooks before and after', { git: { ...hooks, 'ConfigMap shop/a': {} } }, ['hook before', 'wait before', 'prune a', 'wait a', 'hook after', 'wait after']],
    ['runs no others', { git: { 'batch/Job shop/h': { is: 'hook', annotations: { 'setpoint.dev/hook': 'PreSync,PostSync,SyncFail' } }, 'ConfigMap shop/a': {} } }, ['prune a', 'wait a']],
    ['takes the last wave first', { git: { 'ConfigMap shop/a': {}, 'ConfigMap shop/b': { annotations: { 'setpoint.dev/sync-wave': '1' } } } }, ['prune b', 'wait b', 'prune a', 'wait a']],
    ['asks neither Git nor a budget', { gone: Object.fromEntries(Array.from({ length: 30 }, (_, index) => [`ConfigMap shop/a${index}`, {}])), render: { isWhole: false, isSettled: false } }, expect.objectContaining({ length: 60 }) as string[]],
    ['waits until all is gone', { git: { 'ConfigMap shop/a': { live: { isDeleting: true } } } }, ['wait a']],
    ['is over when it is', { git: { 'ConfigMap shop/a': { is: 'missing' } } }, []],
    ['leaves what says Delete=false', { git: { 'ConfigMap shop/a': { annotations: options('Delete=false') } } }, ['hold PruneDisabled a']],
    ['does not mind Prune=false', { git: { 'ConfigMap shop/a': { annotations: options('Prune=false') } } }, ['prune a', 'wait a']],
    ['waits for a confirmation of what says Delete=confirm', { git: { 'ConfigMap shop/a': { annotations: options('Delete=confirm') } } }, ['hold PruneNeedsConfirmation a', 'wait a']],
    ['leaves data, and does not wait for anybody to confirm it', { git: { 'PersistentVolumeClaim shop/a': {} } }, ['hold PruneNeedsConfirmation a']],
    ['leaves what is not ours', { git: { 'ConfigMap shop/a': { live: { trackedBy: undefined } } } }, ['hold NotOurs a']],
    ['leaves what was made anew', { git: { 'ConfigMap shop/a': { live: { uid: 'other' } } } }, ['hold NotOurs a']],
    ['leaves what another application declares', { git: { 'ConfigMap shop/a': {} }, otherDeclarer: () => 'setpoint/other' }, ['hold DeclaredElsewhere a']],
    ['leaves what Argo CD has taken over', { git: { 'ConfigMap shop/a': { live: { toolMark: 'Argo CD (shop)' } } } }, ['hold PruneNeedsConfirmation a']],
    ['does nothing while it is paused', { git: { 'ConfigMap shop/a': {} }, application: { pause: { until: undefined, reason: undefined } } }, ['hold Paused a', 'wait a']],
  ])('%s', (_name, scene, wanted) => {
    expect(shown(planOf({ ...scene, operation: deleting }))).toEqual(wanted);
  });
});

test('a confirmation lets go what asks for one', () => {
  const git = { 'ConfigMap shop/a': { annotations: options('Delete=confirm') } };
  const confirm = planOf({ git, operation: deleting }).steps.flatMap((step) => (step.type === 'hold' ? (step.confirm ?? []) : []));
  expect(shown(planOf({ git, operation: { ...deleting, request: { id: 'r', by: 'me', approve: confirm } } }))).toEqual(['prune a', 'wait a']);
});

test('a confirmation is for what asks for one, whatever Git says by now, and holds while the list gets shorter', () => {
  const asking = { annotations: options('Delete=confirm') };
  const git = { 'ConfigMap shop/a': asking, 'ConfigMap shop/b': { annotations: { ...asking.annotations, 'setpoint.dev/sync-wave': '1' } } };
  const confirm = planOf({ git: { ...git, 'ConfigMap shop/plain': {} }, operation: deleting }).steps.flatMap((step) => (step.type === 'hold' ? (step.confirm ?? []) : []));
  const said = { ...deleting, request: { id: 'r', by: 'me', approve: confirm } };
  const plan = planOf({ git, commit: 'c2', operation: said });
  expect(shown(plan)).toEqual(['prune b', 'wait b', 'prune a', 'wait a']);
  const confirmed = confirmOperation(said, plan) ?? undefined;
  expect(confirmed).toMatchObject({ confirmed: [keyOf('ConfigMap shop/b'), keyOf('ConfigMap shop/a')] });
  expect(shown(planOf({ git: { 'ConfigMap shop/a': asking }, commit: null, operation: confirmed }))).toEqual(['prune a', 'wait a']);
  expect(shown(planOf({ git: { 'ConfigMap shop/c': asking }, operation: confirmed }))).toEqual(['hold PruneNeedsConfirmation c', 'wait c']);
});

test('a hook before it that failed stops it', () => {
  const operation = operationOf({ type: 'delete', state: 'failing', hooks: { [`PreDelete ${keyOf('batch/Job shop/before')}`]: 'failed' } });
  expect(shown(planOf({ git: { ...hooks, 'ConfigMap shop/a': {} }, operation }))).toEqual([]);
});
