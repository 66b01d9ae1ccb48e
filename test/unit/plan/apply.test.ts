import { describe, expect, test } from 'vitest';
import type { FieldChange, Step } from '../../../src/model/index.ts';
import { trackingId } from '../../../src/plan/index.ts';
import { automatic, keyOf, operationOf, planOf, shown, type Declared, type Scene } from './scene.ts';

const a = 'ConfigMap shop/a';
const options = (text: string): NonNullable<Declared['annotations']> => ({ 'setpoint.dev/sync-options': text });
const change = (more: Partial<FieldChange>): FieldChange => ({ path: '/data/a', display: 'data.a', live: '1', desired: '2', owners: [], ...more });
const immutable = { obstacle: { type: 'replace', message: 'field is immutable' } } as const;

function first(scene: Scene): Step | undefined {
  return planOf(scene).steps[0];
}

describe('what is not applied is held, with its reason', () => {
  test.each<[string, Declared, string, RegExp]>([
    ['what the server refuses', { is: 'changed', diff: { obstacle: { type: 'denied', message: 'quota' } } }, 'Denied', /^quota$/],
    ['what is invalid', { is: 'invalid' }, 'Invalid', /no such kind/],
    ['what was not compared', { is: 'unknown' }, 'NotCompared', /not compared: may not be read/],
    ['what is being deleted', { is: 'terminating' }, 'Terminating', /being deleted/],
    ['what says something that cannot be read', { is: 'changed', annotations: { 'setpoint.dev/sync-wave': 'x' } }, 'Invalid', /sync-wave/],
    ['a field that a controller holds', { is: 'changed', diff: { changes: [change({ standing: 'contested', owners: [{ manager: 'operator', operation: 'Update' }] })] } }, 'Contested', /data\.a \(operator\)/],
    ['what another application applied', { is: 'changed', live: { trackedBy: trackingId('team/other', keyOf(a)) } }, 'Shared', /team\/other/],
    ['what Argo CD applies', { is: 'drifted', live: { trackedBy: undefined, holders: ['argocd-controller'] } }, 'OtherTool', /argocd-controller applies it/],
    ['what Flux applies', { is: 'changed', live: { trackedBy: undefined, holders: ['kustomize-controller'] } }, 'OtherTool', /kustomize-controller/],
    ['what Argo CD marked as its own, whoever wrote it last', { is: 'changed', live: { trackedBy: undefined, toolMark: 'Argo CD (shop)' } }, 'OtherTool', /Argo CD \(shop\) applies it/],
    ['a definition that nobody brings', { is: 'missing', diff: { waitsFor: 'CustomResourceDefinition x.y' } }, 'WaitsForDefinition', /waits for CustomResourceDefinition x\.y/],
    ['what can only be replaced', { is: 'changed', diff: immutable }, 'RequiresReplace', /for data\.a: field is immutable; .*Force=true/],
  ])('%s', (_name, declared, code, why) => {
    expect(first({ git: { [a]: declared } })).toMatchObject({ type: 'hold', code, why: expect.stringMatching(why) as string });
    expect(planOf({ git: { [a]: declared } }).begins).toBeUndefined();
  });
});

describe('and what is not refused is applied', () => {
  test.each<[string, Declared, Scene['application']]>([
    ['a copied mark is nobody’s', { is: 'changed', live: { trackedBy: trackingId('team/other', keyOf('ConfigMap shop/b')) } }, {}],
    ['ownership moves by annotation', { is: 'changed', annotations: { 'setpoint.dev/adopt': 'true' }, live: { trackedBy: undefined, holders: ['argocd-controller'] } }, {}],
    ['ownership moves by option', { is: 'changed', live: { trackedBy: undefined, holders: ['argocd-controller'] } }, { syncOptions: ['Adopt=true'] }],
    ['ownership of what is marked moves, too', { is: 'changed', live: { trackedBy: undefined, toolMark: 'Flux (flux-system/shop)' } }, { syncOptions: ['Adopt=true'] }],
    ['ownership has moved', { is: 'changed', live: { holders: ['argocd-controller'] } }, {}],
    ['what Git dropped and an apply leaves', { is: 'changed', diff: { changes: [change({ standing: 'orphaned' })] } }, {}],
    ['what somebody added, and is to go', { is: 'drifted', diff: { changes: [change({ standing: 'foreign' })] } }, {}],
    ['other appliers are asked field by field', { is: 'changed', live: { trackedBy: undefined, holders: ['helm', 'someone'] } }, {}],
  ])('%s', (_name, declared, application) => {
    expect(first({ git: { [a]: declared }, application: { ...application } })).toMatchObject({ type: 'apply', why: 'changed' });
  });

  test('what others hold is left out, and the rest applied, but for a Secret', () => {
    const changes = [change({ standing: 'contested', owners: [{ manager: 'operator', operation: 'Update' }] }), change({ display: 'data.b' })];
    expect(first({ git: { [a]: { is: 'changed', diff: { changes } } } })).toMatchObject({ type: 'apply' });
    expect(first({ git: { 'Secret shop/s': { is: 'changed', diff: { changes } } } })).toMatchObject({ type: 'hold', code: 'Contested', why: expect.stringContaining('data.a (operator)') as string });
  });

  test.each<[string, Declared, Scene['application'], Partial<Extract<Step, { type: 'apply' }>>]>([
    ['Replace=true of the object', { is: 'changed', annotations: options('Replace=true') }, {}, { replace: true }],
    ['Replace=true of the application', { is: 'changed' }, { syncOptions: ['Replace=true'] }, { replace: true }],
    ['Validate=false', { is: 'changed' }, { syncOptions: ['Validate=false'] }, { skipValidation: true }],
  ])('as it says: %s', (_name, declared, application, wanted) => {
    expect(first({ git: { [a]: declared }, application: { ...application } })).toMatchObject(wanted);
  });

  test('the object has the last word', () => {
    expect(first({ git: { [a]: { is: 'changed', annotations: options('Replace=false') } }, application: { syncOptions: ['Replace=true'] } })).not.toHaveProperty('replace');
  });
});

describe('what another application marked', () => {
  const theirs = { is: 'changed', live: { trackedBy: trackingId('team/old', keyOf(a)) } } as const;
  const gone = new Set(['team/old']);
  test.each<[string, Scene, 'apply a' | 'hold Shared a']>([
    ['is left, though that one is gone, where nobody says otherwise', { git: { [a]: theirs }, goneApplications: gone }, 'hold Shared a'],
    ['is taken where that one is gone and Adopt=true says so', { git: { [a]: theirs }, goneApplications: gone, application: { syncOptions: ['Adopt=true'] } }, 'apply a'],
    ['is taken where the object says so', { git: { [a]: { ...theirs, annotations: { 'setpoint.dev/adopt': 'true' } } }, goneApplications: gone }, 'apply a'],
    ['is left where that one is there, or nobody knows', { git: { [a]: theirs }, application: { syncOptions: ['Adopt=true'] } }, 'hold Shared a'],
    ['is taken from one that is there where that one is named', { git: { [a]: { ...theirs, annotations: { 'setpoint.dev/adopt': 'team/old' } } } }, 'apply a'],
    ['is left where another one is named', { git: { [a]: { ...theirs, annotations: { 'setpoint.dev/adopt': 'team/other' } } }, goneApplications: gone }, 'hold Shared a'],
  ])('%s', (_name, scene, wanted) => {
    expect(shown(planOf(scene))).toEqual([wanted]);
  });

  test('is refused in the name of the one that has it', () => {
    expect(first({ git: { [a]: theirs } })).toMatchObject({ why: expect.stringContaining('setpoint.dev/adopt: team/old') as string });
  });
});

describe('deleting and creating again', () => {
  test('is done where the object says so, by its UID', () => {
    expect(first({ git: { 'batch/Job shop/j': { is: 'changed', diff: immutable, annotations: options('Force=true') } } })).toMatchObject({ type: 'recreate', uid: `uid of ${keyOf('batch/Job shop/j')}`, propagation: 'foreground' });
  });

  test('leaves the pods of a StatefulSet, and their volumes', () => {
    expect(first({ git: { 'apps/StatefulSet shop/db': { is: 'changed', diff: immutable, annotations: options('Force=true') } } })).toMatchObject({ type: 'recreate', propagation: 'orphan' });
  });

  test('is not done where only the application says so', () => {
    expect(first({ git: { [a]: { is: 'changed', diff: immutable } }, application: { syncOptions: ['Force=true'] } })).toMatchObject({ type: 'hold', code: 'RequiresReplace' });
  });

  test.each(['PersistentVolumeClaim shop/d', 'PersistentVolume d', 'Namespace shop', 'apiextensions.k8s.io/CustomResourceDefinition x.y'])('is never done to %s', (key) => {
    expect(first({ git: { [key]: { is: 'changed', diff: immutable, annotations: options('Force=true') } } })).toMatchObject({ type: 'hold', code: 'RequiresReplace', why: expect.stringContaining('never done here') as string });
  });

  test('is finished after a crash, though it looks like drift that is only told', () => {
    const policy = { ...automatic, drift: 'Alert' } as const;
    const forced = (is: 'deleted' | 'terminating'): Scene => ({ git: { [a]: { is, annotations: options('Force=true') } }, application: { policy }, operation: operationOf() });
    expect(shown(planOf(forced('terminating')))).toEqual(['wait a']);
    expect(shown(planOf(forced('deleted')))).toEqual(['apply a']);
    expect(shown(planOf({ ...forced('deleted'), operation: undefined }))).toEqual(['hold NeedsApproval a']);
  });
});

describe('what is as Git says and not marked as ours', () => {
  const unmarked: Declared = { live: { trackedBy: undefined } };
  test.each<[string, Scene, readonly string[]]>([
    ['is marked with the next deployment', { git: { [a]: unmarked, 'ConfigMap shop/b': { is: 'changed' } } }, ['apply a', 'apply b']],
    ['is no reason for one', { git: { [a]: unmarked } }, []],
    ['is marked by a sync that is asked for', { git: { [a]: unmarked }, request: { id: 'r', by: 'me' } }, ['apply a']],
    ['is not marked when drift is healed', { git: { [a]: unmarked, 'ConfigMap shop/b': { is: 'drifted' } } }, ['apply b']],
    ['is left where another application has it', { git: { [a]: { live: { trackedBy: trackingId('team/other', keyOf(a)) } } }, request: { id: 'r', by: 'me' } }, []],
    ['is left where another tool applies it', { git: { [a]: { live: { trackedBy: undefined, holders: ['argocd-controller'] } } }, request: { id: 'r', by: 'me' } }, []],
  ])('%s', (_name, scene, wanted) => {
    expect(shown(planOf(scene))).toEqual(wanted);
  });
});

test('FailOnSharedResource holds everything', () => {
  const git = { [a]: { is: 'same', live: { trackedBy: trackingId('team/other', keyOf(a)) } }, 'ConfigMap shop/b': { is: 'changed' } } as const;
  expect(shown(planOf({ git, application: { syncOptions: ['FailOnSharedResource=true'] } }))).toEqual(['hold Shared b']);
  expect(shown(planOf({ git }))).toEqual(['apply b']);
});

test('half a commit is not applied, and a warning holds nothing back', () => {
  const git = { [a]: { is: 'missing' } } as const;
  expect(first({ git, findings: [{ severity: 'error', origin: 'b.yaml#1', message: 'broken' }] })).toMatchObject({ code: 'HalfRead', why: expect.stringContaining('b.yaml#1') as string });
  expect(first({ git, findings: [{ severity: 'warning', origin: 'b.yaml#1', message: 'odd' }] })).toMatchObject({ type: 'apply' });
});
