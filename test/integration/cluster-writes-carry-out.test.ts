import { expect, test } from 'vitest';
import { createCluster, loadKubeconfig, type Target } from '../../src/cluster/index.ts';
import { parseResourceKey, type JsonObject, type KubeObject, type ResourceKey, type Step } from '../../src/model/index.ts';
import { isJudgedAlike, takeOver } from '../../src/plan/index.ts';
import { carryOut, createApplier, type Applier, type ApplierDependencies } from '../../src/sync/index.ts';
import { startApiFront } from '../support/api-front.ts';
import { sharedCluster } from '../support/test-run/index.ts';
import { waitFor } from '../support/wait-for.ts';
import { kubeconfigVia, serverOf } from '../support/watched-cluster.ts';
import { configMap, writeScene } from './cluster-writes/scene.ts';

const admin = sharedCluster();
const signal = new AbortController().signal;
const { cluster, namespace, targetOf } = await writeScene(admin);

interface Scene {
  readonly applier: Applier;
  /** What was told of the writes: `a`, or `a: gone`. */
  readonly told: readonly string[];
}

async function sceneOf(targets: readonly Target[], more: Partial<ApplierDependencies> = {}): Promise<Scene> {
  const byKey = new Map(targets.map((target) => [target.manifest.key, target]));
  const live = new Map<ResourceKey, KubeObject>();
  for (const target of targets) {
    const reading = await cluster.read(target, signal);
    if (reading.type === 'live') live.set(target.manifest.key, reading.live.object);
  }
  const told: string[] = [];
  const applier = createApplier({
    cluster,
    targetOf: (key) => byKey.get(key),
    kindOf: (key) => byKey.get(key)?.kind,
    liveOf: (key) => live.get(key),
    orphansOf: () => [],
    onConflict: (conflict) => takeOver([conflict]),
    isJudgedAlike,
    hookRunAnnotation: 'setpoint.dev/hook-run',
    mayWrite: () => undefined,
    wrote: (key, object) => void told.push(`${parseResourceKey(key).name}${object === null ? ': gone' : ''}`),
    ...more,
  });
  return { applier, told };
}

const applyOf = ({ manifest }: Target): Step => ({ type: 'apply', key: manifest.key, phase: 'Sync', wave: 0, why: 'changed' });
const uidOf = async ({ kind, manifest }: Target): Promise<string> =>
  (await admin.getJson<{ readonly metadata: { readonly uid: string } }>(kind.resource, manifest.object.metadata.name, '-n', namespace.name)).metadata.uid;

function job(name: string, image: string): JsonObject {
  return { apiVersion: 'batch/v1', kind: 'Job', metadata: { name }, spec: { suspend: true, template: { spec: { restartPolicy: 'Never', containers: [{ name: 'job', image }] } } } };
}

/** Denies, in this namespace, objects whose name ends so. */
async function withPolicy(suffix: string, work: () => Promise<void>): Promise<void> {
  const name = `deny-${suffix}-${namespace.name}`;
  const rule = { apiGroups: ['*'], apiVersions: ['*'], operations: ['CREATE', 'UPDATE'], resources: ['configmaps', 'jobs'] };
  const matchResources = { namespaceSelector: { matchLabels: { 'kubernetes.io/metadata.name': namespace.name } } };
  const validations = [{ expression: `!object.metadata.name.endsWith("${suffix}")`, message: 'not this one' }];
  const [apiVersion, metadata] = ['admissionregistration.k8s.io/v1', { name }];
  await admin.apply(JSON.stringify({ apiVersion, kind: 'ValidatingAdmissionPolicy', metadata, spec: { failurePolicy: 'Fail', matchConstraints: { resourceRules: [rule] }, validations } }));
  await admin.apply(JSON.stringify({ apiVersion, kind: 'ValidatingAdmissionPolicyBinding', metadata, spec: { policyName: name, validationActions: ['Deny'], matchResources } }));
  try {
    const probe = targetOf(configMap(`probe-${suffix}`));
    await waitFor(async () => (await cluster.create(probe, { dryRun: true, signal })).type === 'denied', { what: 'the policy to be in force' });
    await work();
  } finally {
    await admin.kubectl(['delete', 'validatingadmissionpolicy,validatingadmissionpolicybinding', name]);
  }
}

test('one of twenty that a policy denies is named, and the nineteen are applied', async () => {
  const targets = Array.from({ length: 20 }, (_, at) => targetOf(configMap(at === 7 ? 'item-bad' : `item-${at}`, { a: '1' })));
  const { applier, told } = await sceneOf(targets);
  await withPolicy('bad', async () => {
    const outcomes = await carryOut(targets.map(applyOf), applier, { signal });
    expect(outcomes.filter(({ type }) => type === 'applied')).toHaveLength(19);
    expect(outcomes.filter(({ type }) => type !== 'applied')).toEqual([
      { type: 'failed', key: targets[7]?.manifest.key, why: expect.stringMatching(/"item-bad".*not this one/s) as string, retry: 'later' },
    ]);
  });
  expect(told).toHaveLength(19);
  const there = (await admin.kubectl(['get', 'configmaps', '-n', namespace.name, '-o', 'name'])).split('\n').filter((name) => name.includes('item-'));
  expect(there).toHaveLength(19);
  // With the policy gone, the same steps do the rest.
  await waitFor(async () => (await carryOut(targets.map(applyOf), applier, { signal })).every(({ type }) => type === 'applied'), { what: 'all to be applied' });
});

test('a policy is asked before what is recreated is deleted', async () => {
  const target = targetOf(job('job-kept', 'm:1'));
  await cluster.apply(target, { force: true, signal });
  const uid = await uidOf(target);
  const { applier, told } = await sceneOf([targetOf(job('job-kept', 'm:2'))]);
  await withPolicy('kept', async () => {
    const step: Step = { type: 'recreate', key: target.manifest.key, phase: 'Sync', wave: 0, uid, propagation: 'background' };
    expect(await carryOut([step], applier, { signal })).toMatchObject([{ type: 'failed', retry: 'later', why: expect.stringContaining('not this one') as string }]);
  });
  expect(await uidOf(target)).toBe(uid);
  expect(told).toEqual([]);
});

test('what fails after the deletion is tried again until it is there', async () => {
  await using front = await startApiFront((await serverOf(admin)).href);
  const behind = createCluster(await loadKubeconfig({ file: await kubeconfigVia(admin, front.port, front.authority) }));
  try {
    const target = targetOf(job('again', 'm:1'));
    await cluster.apply(target, { force: true, signal });
    const before = await uidOf(target);
    const isApply = ({ url }: { readonly url: URL }): boolean => url.searchParams.has('force') && url.pathname.endsWith('/again');
    front.answerNext(isApply, { status: 503, body: 'the load balancer has no server' });
    front.answerNext(isApply, { status: 500, body: '' });
    const wanted = targetOf(job('again', 'm:2'));
    const { applier, told } = await sceneOf([wanted], { cluster: behind });
    const step: Step = { type: 'recreate', key: target.manifest.key, phase: 'Sync', wave: 0, uid: before, propagation: 'background' };
    expect(await carryOut([step], applier, { signal })).toEqual([{ type: 'applied', key: target.manifest.key }]);
    expect(front.unused).toBe(0);
    expect(await uidOf(target)).not.toBe(before);
    expect(told).toEqual(['again']);
  } finally {
    await behind.close();
  }
});

test.each([429, 500, 502, 503, 504])('what is answered with %i is tried again soon, and keeps nothing else back', async (status) => {
  await using front = await startApiFront((await serverOf(admin)).href);
  const behind = createCluster(await loadKubeconfig({ file: await kubeconfigVia(admin, front.port, front.authority) }));
  try {
    const targets = ['passing', 'fine'].map((name) => targetOf(configMap(`${name}-${status}`)));
    front.answerAll(({ url }) => url.pathname.includes('passing'), { status, headers: { 'retry-after': '0' }, body: 'busy' });
    const { applier, told } = await sceneOf(targets, { cluster: behind });
    const outcomes = await carryOut(targets.map(applyOf), applier, { signal });
    expect(outcomes).toMatchObject([{ type: 'failed', retry: 'soon', why: expect.stringContaining(`passing-${status}: the cluster answered ${status}`) as string }, { type: 'applied' }]);
    expect(told).toEqual([`fine-${status}`]);
  } finally {
    await behind.close();
  }
});

test('a hook is created with the mark of its run, replaced by the next, and deleted', async () => {
  const target = targetOf(job('hook', 'm:1'));
  const { key } = target.manifest;
  const place = { key, phase: 'PreSync', wave: 0 } as const;
  const first = await sceneOf([target]);
  expect(await carryOut([{ type: 'hook', ...place, run: 'one' }], first.applier, { signal })).toEqual([{ type: 'applied', key }]);
  const uid = await uidOf(target);
  const second = await sceneOf([target]);
  expect(await carryOut([{ type: 'hook', ...place, run: 'one' }], second.applier, { signal })).toMatchObject([{ type: 'failed', retry: 'soon' }]);
  expect(await carryOut([{ type: 'hook', ...place, replaces: uid, run: 'two' }], second.applier, { signal })).toEqual([{ type: 'applied', key }]);
  const live = await admin.getJson<KubeObject>('job', 'hook', '-n', namespace.name);
  expect(live.metadata['uid']).not.toBe(uid);
  expect(live.metadata['annotations']).toMatchObject({ 'setpoint.dev/hook-run': 'two' });
  const third = await sceneOf([target]);
  expect(await carryOut([{ type: 'delete-hook', ...place, uid: await uidOf(target) }], third.applier, { signal })).toEqual([{ type: 'pruned', key }]);
  await waitFor(async () => (await cluster.read(target, signal)).type === 'absent', { what: 'the hook to be gone' });
});

test('a prune deletes what was applied, and spares what took its name', async () => {
  const target = targetOf(configMap('pruned'));
  await cluster.apply(target, { force: true, signal });
  const step: Step = { type: 'prune', key: target.manifest.key, phase: 'Sync', wave: 0, uid: await uidOf(target), propagation: 'foreground' };
  const { applier, told } = await sceneOf([target]);
  expect(await carryOut([step], applier, { signal })).toMatchObject([{ type: 'pruned' }]);
  await waitFor(async () => (await cluster.read(target, signal)).type === 'absent', { what: 'it to be gone' });
  expect(await carryOut([step], applier, { signal })).toMatchObject([{ type: 'pruned' }]);
  await cluster.apply(target, { force: true, signal });
  expect(await carryOut([step], applier, { signal })).toMatchObject([{ type: 'held', code: 'NotOurs' }]);
  expect((await cluster.read(target, signal)).type).toBe('live');
  expect(told.at(-1)).toBe('pruned: gone');
});

test('a prune deletes what was looked at: not what somebody has said something about since, or another application has taken over', async () => {
  const [rewritten, kept, taken] = ['rewritten', 'kept', 'taken'].map((name) => targetOf(configMap(name))) as [Target, Target, Target];
  for (const target of [rewritten, kept, taken]) await cluster.apply(target, { force: true, signal });
  const { applier } = await sceneOf([rewritten, kept, taken]);
  await admin.kubectl(['annotate', 'configmap', 'rewritten', '-n', namespace.name, 'example.com/renewed=now']);
  await admin.kubectl(['annotate', 'configmap', 'kept', '-n', namespace.name, 'setpoint.dev/sync-options=Prune=false']);
  await admin.kubectl(['annotate', 'configmap', 'taken', '-n', namespace.name, `setpoint.dev/tracking-id=setpoint/other:${taken.manifest.key}`]);
  const stepOf = async (target: Target): Promise<Step> => ({ type: 'prune', key: target.manifest.key, phase: 'Sync', wave: 0, uid: await uidOf(target), propagation: 'foreground' });
  const outcomes = await carryOut(await Promise.all([rewritten, kept, taken].map(stepOf)), applier, { signal });
  expect(outcomes).toEqual([
    { type: 'pruned', key: rewritten.manifest.key },
    ...[kept, taken].map(({ manifest: { key } }) => ({ type: 'failed', key, why: expect.stringContaining('it was changed since it was looked at') as string, retry: 'soon' })),
  ]);
  expect([(await cluster.read(kept, signal)).type, (await cluster.read(taken, signal)).type]).toEqual(['live', 'live']);
});

test('objects of a kind come right after its definition', async () => {
  const [group, plural] = ['carry-out.example.com', `widgets-${namespace.name}`];
  const version = { name: 'v1', served: true, storage: true, schema: { openAPIV3Schema: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true } } };
  const definition = targetOf({
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: `${plural}.${group}` },
    spec: { group, scope: 'Namespaced', names: { plural, kind: 'Widget' }, versions: [version] },
  });
  const key = `${group}/Widget/${namespace.name}/first` as ResourceKey;
  const kind = { group, version: 'v1', kind: 'Widget', resource: plural, namespaced: true, hasStatus: false };
  const widget: Target = { kind, manifest: { key, origin: 'test#1', object: { apiVersion: `${group}/v1`, kind: 'Widget', metadata: { name: 'first', namespace: namespace.name } } } };
  const { applier } = await sceneOf([definition, widget]);
  try {
    const outcomes = await carryOut([definition, widget].map(applyOf), applier, { signal });
    expect(outcomes.map(({ type }) => type)).toEqual(['applied', 'applied']);
  } finally {
    await admin.kubectl(['delete', 'crd', `${plural}.${group}`]);
  }
});

test('an apply takes orphaned fields with it, as they are in what it has left', async () => {
  await admin.kubectl(['create', '-n', namespace.name, '-f', '-'], JSON.stringify(configMap('orphans', { a: '1', b: '2', c: '3' })));
  const target = targetOf(configMap('orphans', { a: '2' }));
  const asked: unknown[] = [];
  const orphansOf = (_key: ResourceKey, applied: KubeObject): readonly string[] => {
    asked.push(applied['data']);
    return ['/data/b', '/data/d'];
  };
  const { applier, told } = await sceneOf([target], { orphansOf });
  expect(await carryOut([applyOf(target)], applier, { signal })).toMatchObject([{ type: 'applied' }]);
  expect((await admin.getJson<KubeObject>('configmap', 'orphans', '-n', namespace.name))['data']).toEqual({ a: '2', c: '3' });
  expect(asked).toEqual([{ a: '2', b: '2', c: '3' }]);
  expect(told).toEqual(['orphans', 'orphans']);
});

test('an object that nobody declares any more, or whose kind is not served, is not written', async () => {
  const { applier, told } = await sceneOf([]);
  const key = targetOf(configMap('undeclared')).manifest.key;
  const place = { key, phase: 'Sync', wave: 0 } as const;
  const steps: readonly Step[] = [
    { type: 'apply', ...place, why: 'missing' },
    { type: 'hook', ...place },
    { type: 'prune', ...place, uid: 'x', propagation: 'background' },
  ];
  expect(await carryOut(steps, applier, { signal })).toMatchObject([
    { type: 'failed', retry: 'later' },
    { type: 'failed', retry: 'later' },
    { type: 'failed', retry: 'later' },
  ]);
  expect(told).toEqual([]);
});

test('what a step brings itself is applied, and a replacement is a replacement', async () => {
  const target = targetOf(configMap('brought', { a: '1' }));
  const { applier } = await sceneOf([target]);
  const object = { ...target.manifest.object, data: { b: '2' } };
  await carryOut([{ ...applyOf(target), object } as Step], applier, { signal });
  await admin.kubectl(['annotate', 'configmap', 'brought', '-n', namespace.name, 'by=hand']);
  const { applier: later } = await sceneOf([target]);
  expect(await carryOut([{ ...applyOf(target), replace: true } as Step], later, { signal })).toMatchObject([{ type: 'applied' }]);
  const live = await admin.getJson<KubeObject>('configmap', 'brought', '-n', namespace.name);
  expect(live['data']).toEqual({ a: '1' });
  expect(live.metadata['annotations']).toBeUndefined();
});
