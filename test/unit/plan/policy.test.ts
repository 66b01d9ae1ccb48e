import { describe, expect, test } from 'vitest';
import type { Application, Operation, Plan, Source } from '../../../src/model/index.ts';
import { planSync } from '../../../src/plan/index.ts';
import { automatic, inputOf, keyOf, operationOf, planOf, shown, type Scene } from './scene.ts';

const git = { 'ConfigMap shop/drift': { is: 'drifted' }, 'ConfigMap shop/new': { is: 'changed' } } as const;
const policy = (deploy: 'automatic' | 'manual', drift: 'Heal' | 'Alert'): Partial<Application> => ({ policy: { ...automatic, deploy, drift } });
const byHand = { id: 'r', by: 'me' };
const hour = { schedule: '0 12 * * *', durationMs: 3_600_000, timeZone: 'UTC' };

describe('what is acted on', () => {
  test.each<[string, Scene, readonly string[], Plan['begins']]>([
    ['all, where all is automatic', { application: policy('automatic', 'Heal') }, ['apply drift', 'apply new'], 'deploy'],
    ['new commits only', { application: policy('automatic', 'Alert') }, ['hold NeedsApproval drift', 'apply new'], 'deploy'],
    ['drift only', { application: policy('manual', 'Heal') }, ['apply drift', 'hold NeedsApproval new'], 'heal'],
    ['nothing', { application: policy('manual', 'Alert') }, ['hold NeedsApproval drift', 'hold NeedsApproval new'], undefined],
    ['all that is asked for', { application: policy('manual', 'Alert'), request: byHand }, ['apply drift', 'apply new'], 'manual'],
    ['what was chosen', { application: policy('manual', 'Alert'), request: { ...byHand, resources: [keyOf('ConfigMap shop/new')] } }, ['hold NotSelected drift', 'apply new'], 'manual'],
    ['drift, while it is healed, and new commits then', { operation: operationOf({ type: 'heal' }) }, ['apply drift', 'hold NotSelected new'], undefined],
    ['what is under way, and no other request', { operation: operationOf({ type: 'manual', request: { ...byHand, resources: [keyOf('ConfigMap shop/new')] } }), request: byHand }, ['hold NotSelected drift', 'apply new'], undefined],
    ['no drift that comes back each time', { fights: new Set([keyOf('ConfigMap shop/drift'), keyOf('ConfigMap shop/new')]) }, ['hold Fighting drift', 'apply new'], 'deploy'],
    ['that too, where it is asked for', { fights: new Set([keyOf('ConfigMap shop/drift')]), request: byHand }, ['apply drift', 'apply new'], 'manual'],
  ])('%s', (_name, scene, wanted, begins) => {
    const plan = planOf({ git, ...scene });
    expect(shown(plan)).toEqual(wanted);
    expect(plan.begins).toBe(begins);
  });

  test.each<[string, 'Heal' | 'Alert', readonly ('Heal' | 'Alert' | 'Ignore' | undefined)[], string]>([
    ['that a rule heals', 'Alert', ['Heal'], 'apply drift'],
    ['of which a rule heals some', 'Alert', ['Heal', undefined], 'apply drift'],
    ['of which a rule leaves some', 'Heal', ['Ignore', undefined], 'apply drift'],
    ['that rules leave', 'Heal', ['Ignore', 'Alert'], 'hold NeedsApproval drift'],
  ])('drift %s, with the mode %s', (_name, mode, drifts, wanted) => {
    const changes = drifts.map((drift, at) => ({ display: `data.${at}`, path: `/data/${at}`, live: '1', desired: '2', owners: [], ...(drift !== undefined && { drift }) }));
    expect(shown(planOf({ application: policy('manual', mode), git: { 'ConfigMap shop/drift': { is: 'drifted', diff: { changes } } } }))).toEqual([wanted]);
  });

  test('healing alone is an operation of its own', () => {
    expect(planOf({ git: { 'ConfigMap shop/drift': { is: 'drifted' } } }).begins).toBe('heal');
  });

  test('a request with nothing to do begins, so that it ends', () => {
    expect(planOf({ git: { 'ConfigMap shop/a': {} }, request: byHand })).toMatchObject({ steps: [], begins: 'manual' });
  });
});

describe('nothing is done', () => {
  const paused = { pause: { until: '2026-03-02T18:00:00Z', reason: 'fair' } };
  test.each<[string, Scene, string, RegExp]>([
    ['while it is paused', { application: paused }, 'Paused', /^paused until 2026-03-02T18:00:00Z: fair$/],
    ['by hand either', { application: paused, request: byHand }, 'Paused', /fair/],
    ['of what is under way either', { application: paused, operation: operationOf() }, 'Paused', /fair/],
    ['in a denied time', { application: { syncWindows: [{ kind: 'deny', ...hour }] } }, 'OutsideWindow', /denies it/],
    ['by hand in a denied time', { application: { syncWindows: [{ kind: 'deny', ...hour }] }, request: byHand }, 'OutsideWindow', /denies it/],
    ['where another plan was approved', { request: { ...byHand, approve: ['plan-0000000000000000'] } }, 'NeedsApproval', /another plan/],
  ])('%s', (_name, scene, code, why) => {
    const plan = planOf({ git, ...scene });
    expect(plan.steps).toEqual([expect.objectContaining({ type: 'hold', code, why: expect.stringMatching(why) as string }), expect.objectContaining({ type: 'hold', code })]);
    expect(plan.begins).toBeUndefined();
    expect(plan.stopped).toMatchObject({ code, why: expect.stringMatching(why) as string });
  });

  test('and a request hears why, even where there was nothing to do', () => {
    expect(planOf({ git: { 'ConfigMap shop/a': {} }, application: paused, request: byHand })).toMatchObject({ steps: [], stopped: { code: 'Paused' } });
  });
});

describe('something is done', () => {
  test.each<[string, Scene]>([
    ['after a pause', { application: { pause: { until: '2026-03-02T12:00:00Z', reason: 'fair' } } }],
    ['in a denied time, of what was begun before', { application: { syncWindows: [{ kind: 'deny', ...hour }] }, operation: operationOf() }],
    ['by hand, where the denied time lets hands through', { application: { syncWindows: [{ kind: 'deny', ...hour, manualSync: true }] }, request: byHand }],
    ['where a hold was confirmed and no plan was named', { request: { ...byHand, approve: ['prune-0000000000000000'] } }],
  ])('%s', (_name, scene) => {
    expect(shown(planOf({ git, ...scene }))).toEqual(['apply drift', 'apply new']);
  });
});

describe('approval by hash', () => {
  const manual: Scene = { git: { ...git, 'batch/Job shop/h': { is: 'hook', annotations: { 'setpoint.dev/hook': 'PreSync' } } }, application: policy('manual', 'Alert') };
  const seen = planOf(manual);

  test('each hold says what approves it', () => {
    expect(shown(seen)).toEqual(['hold NeedsApproval h', 'hold NeedsApproval drift', 'hold NeedsApproval new']);
    expect(seen.steps.map((step) => 'confirm' in step && step.confirm)).toEqual([seen.hash, seen.hash, seen.hash]);
  });

  test('what was seen is done when it is approved', () => {
    const plan = planOf({ ...manual, request: { ...byHand, approve: [seen.hash] } });
    expect(shown(plan)).toEqual(['hook h', 'wait h', 'apply drift', 'apply new']);
    expect(plan.hash).toBe(seen.hash);
  });

  test('also where drift would be healed by itself meanwhile', () => {
    const healing: Scene = { ...manual, application: policy('manual', 'Heal') };
    expect(shown(planOf({ ...healing, request: { ...byHand, approve: [planOf(healing).hash] } }))).toEqual(['hook h', 'wait h', 'apply drift', 'apply new']);
  });

  test.each<[string, Scene]>([
    ['another commit', { ...manual, commit: 'c2' }],
    ['another resource', { ...manual, git: { ...manual.git, 'ConfigMap shop/more': { is: 'missing' } } }],
    ['another hook', { ...manual, git: { ...manual.git, 'batch/Job shop/i': { is: 'hook', annotations: { 'setpoint.dev/hook': 'PostSync' } } } }],
  ])('%s is another plan', (_name, scene) => {
    expect(planOf(scene).hash).not.toBe(seen.hash);
  });

  const source = (more: Partial<Source> = {}): Source => ({ repository: 'https://git.example.com/fleet', revision: 'main', path: 'web', ref: undefined, options: { helm: { parameters: [{ name: 'replicas', value: '2' }] } }, ...more });
  const twice: Scene = { ...manual, application: { ...manual.application, sources: [source(), source({ repository: 'https://git.example.com/values', path: undefined, ref: 'values' })] }, commits: ['c1', 'v1'] };
  const withSources = (...sources: readonly Source[]): Scene => ({ ...twice, application: { ...twice.application, sources } });
  const [chart = source(), values = source()] = twice.application?.sources ?? [];

  test.each<[string, Scene]>([
    ['another commit of another source', { ...twice, commits: ['c1', 'v2'] }],
    ['another parameter', withSources(source({ options: { helm: { parameters: [{ name: 'replicas', value: '3' }] } } }), values)],
    ['another folder', withSources(source({ path: 'shop' }), values)],
    ['another way to apply it', { ...twice, application: { ...twice.application, syncOptions: ['Replace=true'] } }],
    ['what is left as it is live', { ...twice, application: { ...twice.application, ignoreRules: [{ kind: 'ConfigMap', paths: ['data.a'] }] } }],
    ['the same key with something else in it', { ...twice, git: { ...twice.git, 'ConfigMap shop/new': { is: 'changed', annotations: { team: 'shop' } } } }],
  ])('%s is another plan', (_name, scene) => {
    expect(planOf(scene).hash).not.toBe(planOf(twice).hash);
  });

  test('the same commit by another name is the same plan', () => {
    expect(planOf(withSources({ ...chart, revision: 'v1.4' }, values)).hash).toBe(planOf(twice).hash);
  });

  test('a value of a Secret does not show in the hash, its keys do', () => {
    const secret = (object: object): Plan => {
      const input = inputOf({ git: { 'Secret shop/s': { is: 'missing' } } });
      return planSync({ ...input, manifests: input.manifests.map((manifest) => ({ ...manifest, object: { ...manifest.object, ...object } })) });
    };
    expect(secret({ data: { pin: 'MTIzNA==' } }).hash).toBe(secret({ data: { pin: 'NDMyMQ==' } }).hash);
    expect(secret({ stringData: { pin: '1234' } }).hash).toBe(secret({ stringData: { pin: '4321' } }).hash);
    expect(secret({ stringData: { pin: '1234' } }).hash).not.toBe(secret({ stringData: { puk: '1234' } }).hash);
  });

  test('what is pruned only after a second look is approved with the rest', () => {
    const pruned: Scene = { ...manual, gone: { 'ConfigMap shop/old': {} }, application: { policy: { ...automatic, deploy: 'manual', drift: 'Alert' } } };
    const { hash } = planOf({ ...pruned, request: byHand });
    expect(hash).not.toBe(seen.hash);
    const first = planOf({ ...pruned, render: { isWhole: true, isSettled: false }, request: { ...byHand, approve: [hash] } });
    expect(first).toMatchObject({ hash, begins: 'manual' });
    expect(shown(first)).toEqual(['hook h', 'wait h', 'hold NotSettled old', 'apply drift', 'apply new']);
  });

  test.each<[string, Operation | undefined]>([
    ['none', undefined],
    ['one of this commit', operationOf({ type: 'manual', request: { ...byHand, approve: ['plan-0000000000000000'] } })],
  ])('is asked for before an operation is begun, not within it: %s', (_name, operation) => {
    expect(planOf({ ...manual, operation, request: { ...byHand, approve: ['plan-0000000000000000'] } }).steps.some(({ type }) => type === 'apply')).toBe(operation !== undefined);
  });
});
