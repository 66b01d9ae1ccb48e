import { describe, expect, test } from 'vitest';
import type { Health, Step } from '../../../src/model/index.ts';
import { trackingId } from '../../../src/plan/index.ts';
import { automatic, keyOf, operationOf, planOf, shown, type Scene } from './scene.ts';

const old = 'ConfigMap shop/old';
const kept = { 'ConfigMap shop/kept': {} };
const many = (count: number): NonNullable<Scene['gone']> => Object.fromEntries(Array.from({ length: count }, (_, index) => [`ConfigMap shop/old-${String(index).padStart(3, '0')}`, {}]));

function holdOf(scene: Scene): Extract<Step, { type: 'hold' }> | undefined {
  return planOf(scene).steps.find((step) => step.type === 'hold');
}

test('what Git no longer has is deleted by the UID that was recorded', () => {
  const plan = planOf({ git: kept, gone: { [old]: {} } });
  expect(plan.steps).toEqual([{ type: 'prune', key: keyOf(old), phase: 'Sync', wave: 0, uid: `uid of ${keyOf(old)}`, propagation: 'foreground' }]);
  expect(plan.begins).toBe('deploy');
});

describe('each guard keeps it, and says so', () => {
  test.each<[string, Scene, string, RegExp]>([
    ['pruning is off', { git: kept, gone: { [old]: {} }, application: { policy: { ...automatic, prune: false } } }, 'PruneDisabled', /pruning is off/],
    ['not all was rendered', { git: kept, gone: { [old]: {} }, render: { isWhole: false, isSettled: true } }, 'HalfRead', /not all of the source was rendered/],
    ['a document cannot be read', { git: kept, gone: { [old]: {} }, findings: [{ severity: 'error', origin: 'b.yaml#1', message: 'broken' }] }, 'HalfRead', /b\.yaml#1/],
    ['nothing is declared', { gone: { [old]: {} } }, 'EmptyRender', /declares nothing at all/],
    ['nothing but hooks is declared', { gone: { [old]: {} }, git: { 'batch/Job shop/h': { is: 'hook', annotations: { 'setpoint.dev/hook': 'PreSync' } } } }, 'EmptyRender', /nothing at all/],
    ['it is missing for the first time', { git: kept, gone: { [old]: {} }, render: { isWhole: true, isSettled: false } }, 'NotSettled', /a second look/],
    ['it carries no mark', { git: kept, gone: { [old]: { trackedBy: undefined } } }, 'NotOurs', /no tracking annotation/],
    ['its mark was copied from another object', { git: kept, gone: { [old]: { trackedBy: trackingId('setpoint/checkout', keyOf('ConfigMap shop/other')) } } }, 'NotOurs', /ConfigMap\/shop\/other/],
    ['it is marked as another application’s', { git: kept, gone: { [old]: { trackedBy: trackingId('setpoint/other', keyOf(old)) } } }, 'NotOurs', /setpoint\/other/],
    ['it was made anew by somebody', { git: kept, gone: { [old]: { recorded: 'first' } } }, 'NotOurs', /the UID first/],
    ['it says Prune=false', { git: kept, gone: { [old]: { annotations: { 'argocd.argoproj.io/sync-options': 'Prune=false' } } } }, 'PruneDisabled', /Prune=false/],
    ['Helm is told to keep it', { git: kept, gone: { [old]: { annotations: { 'helm.sh/resource-policy': 'keep' } } } }, 'PruneDisabled', /Prune=false/],
    ['the application says Prune=false', { git: kept, gone: { [old]: {} }, application: { syncOptions: ['Prune=false'] } }, 'PruneDisabled', /Prune=false/],
    ['what it says cannot be read', { git: kept, gone: { [old]: { annotations: { 'setpoint.dev/sync-options': 'Prune=flase' } } } }, 'PruneDisabled', /cannot be read/],
    ['it says Prune=confirm', { git: kept, gone: { [old]: { annotations: { 'setpoint.dev/sync-options': 'Prune=confirm' } } } }, 'PruneNeedsConfirmation', /Prune=confirm/],
    ['it is a Namespace', { git: kept, gone: { 'Namespace old': {} } }, 'PruneNeedsConfirmation', /all that is in it/],
    ['it is a definition', { git: kept, gone: { 'apiextensions.k8s.io/CustomResourceDefinition widgets.example.com': {} } }, 'PruneNeedsConfirmation', /every object of its kind/],
    ['it is a volume', { git: kept, gone: { 'PersistentVolume old': {} } }, 'PruneNeedsConfirmation', /the data/],
    ['it is a claim', { git: kept, gone: { 'PersistentVolumeClaim shop/old': {} } }, 'PruneNeedsConfirmation', /the data/],
    ['it is our own Application', { git: kept, gone: { 'setpoint.dev/Application setpoint/checkout': {} } }, 'NotOurs', /Setpoint itself/],
    ['it is the definition of Applications', { git: kept, gone: { 'apiextensions.k8s.io/CustomResourceDefinition applications.setpoint.dev': {} } }, 'NotOurs', /Setpoint itself/],
    ['it is the agent', { git: kept, gone: { 'apps/Deployment setpoint/agent': {} }, self: new Set([keyOf('apps/Deployment setpoint/agent')]) }, 'NotOurs', /Setpoint itself/],
    ['it is the namespace of the agent', { git: kept, gone: { 'Namespace setpoint': {} }, self: new Set([keyOf('Namespace setpoint')]) }, 'NotOurs', /Setpoint itself/],
    ['it is a part of Setpoint beside the agent', { git: kept, gone: { 'ServiceAccount setpoint/agent': { partOf: 'setpoint' } }, self: new Set([keyOf('Namespace setpoint')]) }, 'NotOurs', /Setpoint itself/],
    ['it is a right of the agent in the whole cluster', { git: kept, gone: { 'rbac.authorization.k8s.io/ClusterRole setpoint': { partOf: 'setpoint' } } }, 'NotOurs', /Setpoint itself/],
    ['it is any definition of ours', { git: kept, gone: { 'apiextensions.k8s.io/CustomResourceDefinition others.setpoint.dev': {} } }, 'NotOurs', /Setpoint itself/],
    ['Argo CD has taken it over', { git: kept, gone: { [old]: { toolMark: 'Argo CD (shop)' } } }, 'PruneNeedsConfirmation', /Argo CD \(shop\) applies it, too/],
    ['Flux applies it by now', { git: kept, gone: { [old]: { holders: ['kustomize-controller'] } } }, 'PruneNeedsConfirmation', /kustomize-controller applies it, too/],
    ['another application declares it', { git: kept, gone: { [old]: {} }, otherDeclarer: () => 'setpoint/other' }, 'DeclaredElsewhere', /the application setpoint\/other declares it, too.*setpoint\.dev\/adopt: setpoint\/checkout/],
    ['too many would go', { git: kept, gone: many(6) }, 'PruneBudget', /6 objects would be deleted, and at most 5/],
    ['the application is paused', { git: kept, gone: { [old]: {} }, application: { pause: { until: undefined, reason: 'fair' } } }, 'Paused', /paused: fair/],
  ])('%s', (_name, scene, code, why) => {
    expect(holdOf(scene)).toMatchObject({ code, why: expect.stringMatching(why) as string });
    expect(planOf(scene).steps.filter(({ type }) => type === 'prune')).toEqual([]);
    expect(planOf(scene).begins).toBeUndefined();
  });
});

test('what was taken from another tool goes like anything else, where it is said whose it is', () => {
  const gone = { [old]: { toolMark: 'Argo CD (shop)', holders: ['argocd-controller'] } };
  expect(shown(planOf({ git: kept, gone, application: { syncOptions: ['Adopt=true'] } }))).toEqual(['prune old']);
  expect(shown(planOf({ git: kept, gone: { [old]: { ...gone[old], annotations: { 'setpoint.dev/adopt': 'true' } } } }))).toEqual(['prune old']);
});

describe('what is Setpoint’s own', () => {
  const self = new Set([keyOf('Namespace setpoint')]);
  const agent = 'apps/Deployment setpoint/agent';

  test('does not go when the application that declares it is deleted', () => {
    expect(shown(planOf({ git: { [agent]: { live: { partOf: 'setpoint' } } }, self, operation: operationOf({ type: 'delete' }) }))).toEqual(['hold NotOurs agent']);
  });

  test('is not deleted to be made anew', () => {
    const obstacle = { obstacle: { type: 'replace', message: 'immutable' } } as const;
    expect(holdOf({ git: { [agent]: { is: 'changed', diff: obstacle, annotations: { 'setpoint.dev/sync-options': 'Force=true' }, live: { partOf: 'setpoint' } } }, self })).toMatchObject({ code: 'RequiresReplace', why: expect.stringContaining('Setpoint itself needs it') as string });
  });

  test('is not deleted for a hook, whoever confirms it', () => {
    expect(holdOf({ git: { 'ConfigMap shop/a': { is: 'changed' }, 'Namespace setpoint': { is: 'hook', annotations: { 'setpoint.dev/hook': 'PreSync' }, live: {} } }, self, operation: operationOf({ confirmed: [keyOf('Namespace setpoint')] }) })).toMatchObject({ code: 'NotOurs' });
  });

  test('is another matter where only the label says so, in a namespace of somebody else', () => {
    expect(shown(planOf({ git: kept, gone: { 'ConfigMap shop/old': { partOf: 'setpoint' } }, self }))).toEqual(['prune old']);
  });
});

describe('the budget', () => {
  const declared = (count: number): NonNullable<Scene['git']> => Object.fromEntries(Array.from({ length: count }, (_, index) => [`ConfigMap shop/kept-${index}`, {}]));
  test.each([
    ['five of a few', 1, 5, 5],
    ['a fifth of many', 80, 20, 20],
    ['not more than a fifth of many', 79, 21, 0],
  ])('lets %s go', (_name, keptCount, goneCount, wanted) => {
    expect(planOf({ git: declared(keptCount), gone: many(goneCount) }).steps.filter(({ type }) => type === 'prune')).toHaveLength(wanted);
  });

  test('does not count what is kept for other reasons', () => {
    const volumes = Object.fromEntries(Array.from({ length: 9 }, (_, index) => [`PersistentVolumeClaim shop/v${index}`, {}]));
    expect(planOf({ git: kept, gone: { ...many(5), ...volumes } }).steps.filter(({ type }) => type === 'prune')).toHaveLength(5);
  });
});

describe('a confirmation', () => {
  const scene: Scene = { git: kept, gone: { ...many(8), 'PersistentVolumeClaim shop/data': {} } };
  const confirm = holdOf(scene)?.confirm ?? '';
  const ask = (more: Partial<Scene>): number => planOf({ ...scene, ...more, request: { id: 'r', by: 'me', approve: [confirm] } }).steps.filter(({ type }) => type === 'prune').length;

  test('of exactly this commit and list lets all of it go', () => {
    expect(ask({})).toBe(9);
  });

  test.each<[string, Partial<Scene>]>([
    ['another commit', { commit: 'c2' }],
    ['one more', { gone: { ...scene.gone, 'ConfigMap shop/more': {} } }],
    ['one less', { gone: { ...many(8) } }],
    ['another object of the same name', { gone: { ...scene.gone, 'PersistentVolumeClaim shop/data': { uid: 'other', recorded: 'other' } } }],
  ])('does not cover %s', (_name, more) => {
    expect(ask(more)).toBe(0);
  });

  test('holds for what is left of the list after a crash', () => {
    const operation = operationOf({ type: 'manual', confirmed: Object.keys(many(8)).map(keyOf), request: { id: 'r', by: 'me', approve: [confirm] } });
    expect(planOf({ git: kept, gone: many(7), operation }).steps.filter(({ type }) => type === 'prune')).toHaveLength(7);
  });

  test('is not part of the hash that is approved, for it was not in the plan that was seen', () => {
    expect(planOf({ ...scene, request: { id: 'r', by: 'me', approve: [confirm] } }).hash).toBe(planOf(scene).hash);
  });
});

describe('in order', () => {
  const wave = (number: number, options?: string): { annotations: Record<string, string> } => ({ annotations: { 'setpoint.dev/sync-wave': String(number), ...(options !== undefined && { 'setpoint.dev/sync-options': options }) } });
  test.each<[string, Scene, readonly string[]]>([
    ['the last waves go first, and each is gone before the next', { git: kept, gone: { 'ConfigMap shop/base': wave(0), 'ConfigMap shop/top': wave(5) } }, ['prune top', 'wait top', 'prune base']],
    ['what needs others goes before them', { git: kept, gone: { 'ConfigMap shop/env': {}, 'apps/Deployment shop/web': {} } }, ['prune web', 'prune env']],
    ['before what is applied in the same wave', { git: { 'ConfigMap shop/new': { is: 'missing' } }, gone: { 'ConfigMap shop/old': {} } }, ['prune old', 'apply new']],
    ['PruneLast: after all that is applied', { git: { 'ConfigMap shop/new': { is: 'missing', annotations: { 'setpoint.dev/sync-wave': '3' } } }, gone: { 'ConfigMap shop/old': {} }, application: { syncOptions: ['PruneLast=true'] } }, ['apply new', 'wait new', 'prune old']],
    ['what is being deleted is waited for', { git: kept, gone: { 'ConfigMap shop/base': wave(0), 'ConfigMap shop/top': { ...wave(5), isDeleting: true } } }, ['wait top', 'prune base']],
  ])('%s', (_name, scene, wanted) => {
    expect(shown(planOf(scene))).toEqual(wanted);
  });
});

test.each<[string, Health, { readonly why: string; readonly limitMs?: number }]>([
  ['as long as it makes progress', { status: 'Progressing', message: 'being deleted' }, { why: 'is being deleted' }],
  ['for a while after that: its finalizer may be of somebody who is gone', { status: 'Degraded', isOverdue: true, message: 'for 12 min: being deleted; waits for finalizer example.com/a' }, { why: 'is Degraded: for 12 min: being deleted; waits for finalizer example.com/a', limitMs: 30_000 }],
])('what is being deleted is waited for %s', (_name, health, wanted) => {
  const top = { annotations: { 'setpoint.dev/sync-wave': '5' }, isDeleting: true, health };
  const { steps } = planOf({ application: { syncTimeoutMs: 30_000 }, git: kept, gone: { 'ConfigMap shop/base': {}, 'ConfigMap shop/top': top } });
  expect(steps[0]).toEqual({ type: 'wait', key: keyOf('ConfigMap shop/top'), phase: 'Sync', wave: 0, ...wanted });
});

test('how its dependents go is the object’s to say, then the application’s', () => {
  const application = { syncOptions: ['PrunePropagationPolicy=background'] };
  expect(planOf({ git: kept, gone: { [old]: {} }, application }).steps[0]).toMatchObject({ propagation: 'background' });
  expect(planOf({ git: kept, gone: { [old]: { annotations: { 'setpoint.dev/sync-options': 'PrunePropagationPolicy=orphan' } } }, application }).steps[0]).toMatchObject({ propagation: 'orphan' });
});

test('asked for with a sync, it is pruned though the policy does not', () => {
  const scene: Scene = { git: kept, gone: { [old]: {} }, application: { policy: { ...automatic, deploy: 'manual', prune: false } } };
  expect(shown(planOf({ ...scene, request: { id: 'r', by: 'me', prune: true } }))).toEqual(['prune old']);
  expect(shown(planOf({ ...scene, request: { id: 'r', by: 'me' } }))).toEqual(['hold PruneDisabled old']);
});

test('healing prunes nothing', () => {
  expect(shown(planOf({ git: kept, gone: { [old]: {} }, operation: operationOf({ type: 'heal' }) }))).toEqual(['hold NotSelected old']);
});

test('what Git declares and cannot be placed is not pruned', () => {
  expect(shown(planOf({ git: { ...kept, [old]: { is: 'invalid', isUnplaced: true } }, gone: { [old]: {} } }))).toEqual(['hold Invalid old']);
});
