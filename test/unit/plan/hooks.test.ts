import { describe, expect, test } from 'vitest';
import type { HookState, Operation, Plan } from '../../../src/model/index.ts';
import { beginOperation, trackingId, type LiveFacts } from '../../../src/plan/index.ts';
import { keyOf, now, operationOf, planOf, shown, type Declared, type Scene } from './scene.ts';

const migrate = 'batch/Job shop/migrate';
const name = `PreSync ${keyOf(migrate)}`;
const hook = (phase: string, live?: Partial<LiveFacts>, policy?: string): Declared => ({
  is: 'hook',
  annotations: { 'setpoint.dev/hook': phase, ...(policy !== undefined && { 'setpoint.dev/hook-delete-policy': policy }) },
  ...(live !== undefined && { live }),
});
const ran = (status: LiveFacts['health']['status'], run = 'op1 PreSync'): Partial<LiveFacts> => ({ hookRun: run, health: { status } });
const recorded = (state: HookState, more: Partial<Operation> = {}): Operation => operationOf({ hooks: { [name]: state }, ...more });

function plan(hooks: Record<string, Declared>, more: Partial<Scene> = {}): Plan {
  return planOf({ operation: operationOf(), ...more, git: { 'ConfigMap shop/a': { is: 'changed' }, ...hooks } });
}

describe('a hook runs once in an operation', () => {
  test.each<[string, Declared, Operation, readonly string[], HookState | undefined]>([
    ['it is begun where nothing is there and nothing on record', hook('PreSync'), operationOf(), ['hook migrate', 'wait migrate', 'apply a'], undefined],
    ['it is not begun again where only its object says that it was', hook('PreSync', ran('Progressing')), operationOf(), ['wait migrate', 'apply a'], 'running'],
    ['it is waited for while it runs', hook('PreSync', ran('Progressing')), recorded('running'), ['wait migrate', 'apply a'], 'running'],
    ['it is waited for while it is suspended', hook('PreSync', ran('Suspended')), recorded('running'), ['wait migrate', 'apply a'], 'running'],
    ['its success counts when it is on record', hook('PreSync', ran('Healthy')), recorded('running'), ['wait migrate', 'apply a'], 'succeeded'],
    ['then the sync goes on', hook('PreSync', ran('Healthy')), recorded('succeeded'), ['apply a'], 'succeeded'],
    ['even where its object is gone by then', hook('PreSync'), recorded('succeeded'), ['apply a'], 'succeeded'],
    ['its failure is seen', hook('PreSync', ran('Degraded')), recorded('running'), ['wait migrate', 'apply a'], 'failed'],
    ['one that vanished before its end was seen has failed', hook('PreSync'), recorded('running'), ['wait migrate', 'apply a'], 'failed'],
    ['one of an earlier operation is replaced', hook('PreSync', ran('Healthy', 'op0 PreSync')), operationOf(), ['hook migrate', 'wait migrate', 'apply a'], undefined],
    ['one that is being deleted is waited for', hook('PreSync', { ...ran('Healthy', 'op0 PreSync'), isDeleting: true }), operationOf(), ['wait migrate', 'apply a'], undefined],
    ['what it was as a resource of ours is replaced', hook('PreSync', { health: { status: 'Healthy' } }), operationOf(), ['hook migrate', 'wait migrate', 'apply a'], undefined],
    ['what somebody else made is not deleted for it', hook('PreSync', { trackedBy: undefined, health: { status: 'Healthy' } }), operationOf(), ['hold NotOurs migrate', 'wait migrate', 'apply a'], undefined],
  ])('%s', (_name, declared, operation, wanted, state) => {
    const made = plan({ [migrate]: declared }, { operation });
    expect(shown(made)).toEqual(wanted);
    expect(made.hooks[name]).toBe(state);
  });

  test('what is left of it and never goes is waited for as long as a wave waits', () => {
    const health = { status: 'Degraded', isOverdue: true, message: 'for 12 min: being deleted' } as const;
    const made = plan({ [migrate]: hook('PreSync', { ...ran('Healthy', 'op0 PreSync'), isDeleting: true, health }) });
    expect(made.steps[0]).toMatchObject({ type: 'wait', why: 'what an earlier sync left of this hook is Degraded: for 12 min: being deleted', limitMs: 600_000 });
  });

  test('what it replaces is named by its UID, and its own run is told', () => {
    const made = plan({ [migrate]: hook('PreSync', { ...ran('Healthy', 'op0 PreSync'), uid: 'old' }) });
    expect(made.steps[0]).toEqual({ type: 'hook', key: keyOf(migrate), phase: 'PreSync', wave: 0, run: 'op1 PreSync', replaces: 'old' });
  });

  test('what somebody else made goes when that is confirmed', () => {
    const declared = hook('PreSync', { trackedBy: undefined, health: { status: 'Healthy' }, uid: 'theirs' });
    const confirm = plan({ [migrate]: declared }).steps.flatMap((step) => (step.type === 'hold' ? (step.confirm ?? []) : []));
    const operation = operationOf({ type: 'manual', request: { id: 'r', by: 'me', approve: confirm } });
    expect(plan({ [migrate]: declared }, { operation }).steps[0]).toMatchObject({ type: 'hook', replaces: 'theirs' });
  });

  test('one of two phases runs in both', () => {
    const both = { [migrate]: hook('PreSync,PostSync', ran('Healthy')) };
    expect(shown(planOf({ operation: recorded('succeeded'), git: { 'ConfigMap shop/a': {}, ...both } }))).toEqual(['hook migrate', 'wait migrate']);
  });
});

describe('an object that bears its name', () => {
  const left = (more: Partial<LiveFacts>): Declared => hook('PreSync', { ...ran('Healthy', 'op0 PreSync'), ...more });
  const of = (application: string, key = migrate): string => trackingId(application, keyOf(key));
  test.each<[string, Partial<LiveFacts>, Partial<Scene>, RegExp | undefined]>([
    ['is replaced where it is marked as ours', {}, {}, undefined],
    ['is kept where it is the hook of another application', { trackedBy: of('team/other') }, {}, /^NotOurs: .*the application team\/other made it/],
    ['is replaced where that application is gone and Adopt=true says so', { trackedBy: of('team/other') }, { goneApplications: new Set(['team/other']), application: { syncOptions: ['Adopt=true'] } }, undefined],
    ['is kept where it carries a copied mark', { trackedBy: of('setpoint/checkout', 'batch/Job shop/other') }, { runs: new Set(['op0']) }, /^NotOurs: .*somebody else made it/],
    ['is kept where it names a run that nobody knows', { trackedBy: undefined }, {}, /^NotOurs: .*somebody else made it/],
    ['is replaced where an earlier release made it, in a run that is on record', { trackedBy: undefined }, { runs: new Set(['op0']) }, undefined],
    ['is kept where it was made in a run of another application, which is on record there', { trackedBy: of('team/other') }, { runs: new Set(['op0']) }, /^NotOurs: .*team\/other/],
  ])('%s', (_name, facts, more, why) => {
    const [step] = plan({ [migrate]: left(facts) }, more).steps;
    const told = step?.type === 'hold' ? `${step.code}: ${step.why}` : `${step?.type} for ${step?.type === 'hook' ? step.replaces : ''}`;
    expect(told).toMatch(why ?? `hook for uid of ${keyOf(migrate)}`);
  });

  test('is not cleaned up where another application took its place', () => {
    const declared = hook('PreSync', { ...ran('Healthy'), trackedBy: of('team/other') }, 'HookSucceeded');
    expect(shown(plan({ [migrate]: declared }, { operation: recorded('succeeded') }))).toEqual(['hold NotOurs migrate', 'apply a']);
  });
});

describe('a hook that takes others, or data, with it', () => {
  const dangerous = ['PersistentVolumeClaim shop/migrate', 'PersistentVolume migrate', 'Namespace migrate', 'apiextensions.k8s.io/CustomResourceDefinition migrate'];
  const asked = (approve: readonly string[]): Operation => operationOf({ type: 'manual', request: { id: 'r', by: 'me', approve } });
  const confirmOf = (made: Plan): readonly string[] => made.steps.flatMap((step) => (step.type === 'hold' ? (step.confirm ?? []) : []));

  test.each(dangerous)('%s is created where there is none', (key) => {
    expect(shown(plan({ [key]: hook('PreSync') }))).toEqual(['hook migrate', 'wait migrate', 'apply a']);
  });

  test.each(dangerous)('%s is not deleted to be made anew, and the rest goes on', (key) => {
    for (const live of [{}, ran('Healthy', 'op0 PreSync'), { trackedBy: undefined }]) {
      const made = plan({ [key]: hook('PreSync', live) });
      expect(shown(made)).toEqual(['hold PruneNeedsConfirmation migrate', 'apply a']);
      expect(made.steps[0]).toMatchObject({ why: expect.stringMatching(/would be lost with it$/) as string, confirm: expect.stringMatching(/^hook-/) as string });
    }
  });

  test.each(dangerous)('%s is not deleted because its delete policy says so', (key) => {
    const operation = operationOf({ hooks: { [`PreSync ${keyOf(key)}`]: 'succeeded' } });
    expect(shown(plan({ [key]: hook('PreSync', ran('Healthy'), 'HookSucceeded') }, { operation }))).toEqual(['hold PruneNeedsConfirmation migrate', 'apply a']);
  });

  test.each(dangerous)('%s goes when exactly that one is confirmed, before its run and after it', (key) => {
    const declared = { [key]: hook('PreSync', ran('Healthy', 'op0 PreSync'), 'HookSucceeded') };
    const approve = confirmOf(plan(declared));
    const made = plan(declared, { operation: asked(approve) });
    expect(made.steps[0]).toMatchObject({ type: 'hook', replaces: `uid of ${keyOf(key)}`, confirmed: true });
    expect(shown(plan({ [key]: hook('PreSync', { ...ran('Healthy', 'op0 PreSync'), uid: 'another' }) }, { operation: asked(approve) }))[0]).toBe('hold PruneNeedsConfirmation migrate');

    const begun = beginOperation(planOf({ request: { id: 'r', by: 'me', approve }, git: declared }), { id: 'op1', spec: 's1', now, request: { id: 'r', by: 'me', approve } });
    expect(begun).toMatchObject({ confirmed: [keyOf(key)] });
    const ended = { ...operationOf(), ...begun, hooks: { [`PreSync ${keyOf(key)}`]: 'succeeded' as const } };
    expect(shown(plan({ [key]: hook('PreSync', { ...ran('Healthy'), uid: 'new' }, 'HookSucceeded') }, { operation: ended }))).toContain('delete-hook migrate');
  });
});

describe('hooks do not run', () => {
  test.each<[string, Partial<Scene>]>([
    ['when drift is healed', { operation: operationOf({ type: 'heal' }) }],
    ['in a sync of some resources', { operation: operationOf({ type: 'manual', request: { id: 'r', by: 'me', resources: [keyOf('ConfigMap shop/a')] } }) }],
  ])('%s', (_name, more) => {
    expect(shown(planOf({ ...more, git: { 'ConfigMap shop/a': { is: 'drifted' }, [migrate]: hook('PreSync') } }))).toEqual(['apply a']);
  });

  test('when nothing is to be done', () => {
    expect(planOf({ git: { 'ConfigMap shop/a': {}, [migrate]: hook('PreSync') } })).toMatchObject({ steps: [] });
  });

  test('but in a sync that was asked for', () => {
    const made = planOf({ request: { id: 'r', by: 'me' }, git: { 'ConfigMap shop/a': {}, [migrate]: hook('PreSync') } });
    expect(shown(made)).toEqual(['hook migrate', 'wait migrate']);
    expect(made.begins).toBe('manual');
  });

  test('and with one that cannot be read nothing is done at all', () => {
    const made = plan({ [migrate]: hook('PreSnyc') });
    expect(made.steps).toMatchObject([{ type: 'hold', code: 'HalfRead', why: expect.stringContaining('the hook batch/Job shop/migrate cannot be read') as string }]);
  });

  test('one that is skipped is neither run nor pruned', () => {
    expect(planOf({ git: { 'ConfigMap shop/a': {}, [migrate]: { is: 'hook', annotations: { 'argocd.argoproj.io/hook': 'Skip' } } }, gone: { [migrate]: {} } }).steps).toEqual([]);
  });
});

describe('delete policies', () => {
  const failing = { state: 'failing' } as const;
  test.each<[string, Declared, Operation, boolean]>([
    ['HookSucceeded, succeeded: it goes', hook('PreSync', ran('Healthy'), 'HookSucceeded'), recorded('succeeded'), true],
    ['HookSucceeded, seen and not on record: it stays', hook('PreSync', ran('Healthy'), 'HookSucceeded'), recorded('running'), false],
    ['HookSucceeded, failed: it stays', hook('PreSync', ran('Degraded'), 'HookSucceeded'), recorded('failed', failing), false],
    ['HookFailed, failed: it goes', hook('PreSync', ran('Degraded'), 'HookFailed'), recorded('failed', failing), true],
    ['HookFailed, succeeded: it stays', hook('PreSync', ran('Healthy'), 'HookFailed'), recorded('succeeded'), false],
    ['BeforeHookCreation, the default: it stays', hook('PreSync', ran('Healthy')), recorded('succeeded'), false],
    ['one of another operation stays', hook('PreSync', ran('Healthy', 'op0 PreSync'), 'HookSucceeded'), recorded('succeeded'), false],
    ['one that goes already is let go', hook('PreSync', { ...ran('Healthy'), isDeleting: true }, 'HookSucceeded'), recorded('succeeded'), false],
  ])('%s', (_name, declared, operation, goes) => {
    expect(shown(plan({ [migrate]: declared }, { operation })).includes('delete-hook migrate')).toBe(goes);
  });

  test('what other hooks of the phase may need stays until they have ended', () => {
    const account = hook('PreSync', ran('Healthy'), 'HookSucceeded');
    const hooks = { [`PreSync ${keyOf('ServiceAccount shop/migrator')}`]: 'succeeded' } as const;
    const made = plan({ 'ServiceAccount shop/migrator': account, [migrate]: hook('PreSync', ran('Progressing')) }, { operation: operationOf({ hooks: { ...hooks, [name]: 'running' } }) });
    expect(shown(made)).toEqual(['wait migrate', 'apply a']);
  });
});

describe('after a failure', () => {
  const failing = operationOf({ state: 'failing', hooks: { [name]: 'failed' } });
  test('only the hooks for it run', () => {
    const made = plan({ [migrate]: hook('PreSync', ran('Degraded')), 'batch/Job shop/tell': hook('SyncFail') }, { operation: failing });
    expect(shown(made)).toEqual(['hook tell', 'wait tell']);
  });

  test('they do not run otherwise', () => {
    expect(shown(plan({ 'batch/Job shop/tell': hook('SyncFail') }))).toEqual(['apply a']);
  });

  test('one of them that fails keeps nobody waiting', () => {
    const operation = { ...failing, hooks: { ...failing.hooks, [`SyncFail ${keyOf('batch/Job shop/tell')}`]: 'failed' as const } };
    expect(shown(plan({ 'batch/Job shop/tell': hook('SyncFail', ran('Degraded', 'op1 SyncFail')) }, { operation }))).toEqual([]);
  });
});

test('a newer commit lets hooks finish that run, and does nothing else', () => {
  const git = { 'ConfigMap shop/a': { is: 'changed' }, [migrate]: hook('PreSync', ran('Progressing')) } as const;
  expect(shown(planOf({ commit: 'c2', operation: recorded('running'), git }))).toEqual(['wait migrate']);
  expect(shown(planOf({ commit: 'c2', operation: recorded('succeeded'), git }))).toEqual([]);
});
