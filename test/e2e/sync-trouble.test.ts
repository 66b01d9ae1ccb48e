import { describe, expect, test } from 'vitest';
import { sharedCluster } from '../support/test-run/index.ts';
import { waitFor } from '../support/wait-for.ts';
import { configMap, deadlineMs, syncScene } from './sync/scene.ts';

const cluster = sharedCluster();
// Tried again soon: the test waits for it.
const retry = { backoff: { duration: '2s', factor: 1, maxDuration: '2s' } };
const automated = { syncPolicy: { automated: {}, retry } };
const timeout = 180_000;

describe('the cluster refuses', () => {
  test('one object of twenty: the others are applied, it is named, tried again, and there once it may be', { timeout }, async () => {
    await using parts = new AsyncDisposableStack();
    const names = Array.from({ length: 20 }, (_, index) => `part-${String(index).padStart(2, '0')}`);
    const at = parts.use(await syncScene(cluster, Object.fromEntries(names.map((name) => [`${name}.yaml`, configMap(name)]))));
    const policy = `refuse-${at.namespace}`;
    const remove = async (): Promise<void> => {
      await cluster.kubectl(['delete', 'validatingadmissionpolicybinding,validatingadmissionpolicy', policy, '--ignore-not-found']);
    };
    parts.defer(remove);
    await cluster.apply(
      [
        {
          ...{ apiVersion: 'admissionregistration.k8s.io/v1', kind: 'ValidatingAdmissionPolicy', metadata: { name: policy } },
          spec: { matchConstraints: { resourceRules: [{ apiGroups: [''], apiVersions: ['v1'], operations: ['CREATE', 'UPDATE'], resources: ['configmaps'] }] }, validations: [{ expression: "object.metadata.name != 'part-07'", message: 'seven is not wanted here' }] },
        },
        {
          ...{ apiVersion: 'admissionregistration.k8s.io/v1', kind: 'ValidatingAdmissionPolicyBinding', metadata: { name: policy } },
          spec: { policyName: policy, validationActions: ['Deny'], matchResources: { namespaceSelector: { matchLabels: { 'kubernetes.io/metadata.name': at.namespace } } } },
        },
      ]
        .map((object) => JSON.stringify(object))
        .join('\n---\n'),
    );
    await waitFor(async () => cluster.kubectl(['create', 'configmap', 'part-07', '-n', at.namespace, '--dry-run=server']).then(() => false, () => true), { what: 'the policy to be in force', deadlineMs });
    await at.application(automated);
    await at.start();
    const { operation } = await at.viewWhen('the refusal', ({ operation: current }) => current?.state === 'failed');
    expect(operation).toMatchObject({ done: { applied: 19, failed: 1 }, message: expect.stringMatching(/part-07: .*seven is not wanted here/) as string });
    expect((await at.view()).sync).toMatchObject({ status: 'OutOfSync', cause: 'git-ahead' });
    await at.viewWhen('another try', ({ history = [] }) => history.length > 1 && history.every(({ failed }) => failed === 1));
    expect(new Set(await at.written()).size).toBe(19);
    await remove();
    await waitFor(async () => (await at.live('part-07')) === 'on', { what: 'the twentieth', deadlineMs });
    await at.until('shop', 'Synced', deadlineMs);
    expect(await at.written()).toHaveLength(20);
  });

  test('a quota and an object that is too large hold up only themselves', { timeout }, async () => {
    const large = JSON.stringify({ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'large' }, data: { mode: 'x'.repeat(1_100_000) } });
    const service = JSON.stringify({ apiVersion: 'v1', kind: 'Service', metadata: { name: 'entry' }, spec: { clusterIP: 'None', ports: [{ port: 80 }] } });
    await using at = await syncScene(cluster, { 'a.yaml': configMap('a'), 'large.yaml': large, 'entry.yaml': service });
    await cluster.kubectl(['create', 'quota', 'none', '-n', at.namespace, '--hard=services=0']);
    await waitFor(async () => cluster.kubectl(['apply', '-n', at.namespace, '--dry-run=server', '-f', '-'], service).then(() => false, () => true), { what: 'the quota to be in force', deadlineMs });
    await at.application(automated);
    await at.start();
    await at.viewWhen('the refusals', ({ operation: current }) => current?.state === 'failed');
    expect(await at.live('a')).toBe('on');
    const { resources = [], operation } = await at.view();
    expect(resources.map(({ name }) => name).toSorted()).toEqual(['entry', 'large']);
    expect(operation?.message).toMatch(/entry|large/);
    await cluster.kubectl(['delete', 'quota', 'none', '-n', at.namespace]);
    await at.synced(await at.commit({ 'large.yaml': null }));
  });

  test('an immutable field: held, with what it would take, and done where the object says so', { timeout }, async () => {
    const settings = (value: string, annotations: object = {}): string => JSON.stringify({ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'a', annotations }, immutable: true, data: { mode: value } });
    await using at = await syncScene(cluster, { 'a.yaml': settings('on'), 'b.yaml': configMap('b') });
    await at.application(automated);
    await at.start();
    await at.until('shop', 'Synced', deadlineMs);
    const before = await at.object('configmaps', 'a');
    await at.commit({ 'a.yaml': settings('new'), 'b.yaml': configMap('b', { value: 'new' }) });
    const hold = await at.heldFor('RequiresReplace');
    expect(hold.why).toMatch(/data.*Force=true/);
    await waitFor(async () => (await at.live('b')) === 'new', { what: 'the other', deadlineMs });
    expect(await at.deleted()).toEqual([]);
    expect((await at.object('configmaps', 'a'))?.metadata.uid).toBe(before?.metadata.uid);

    await at.synced(await at.commit({ 'a.yaml': settings('new', { 'setpoint.dev/sync-options': 'Force=true' }) }));
    expect(await at.live('a')).toBe('new');
    expect(await at.deleted()).toEqual(['delete configmaps/a']);
    expect((await at.object('configmaps', 'a'))?.metadata.uid).not.toBe(before?.metadata.uid);
  });
});

test('a definition and an object of its kind in one commit', { timeout }, async () => {
  await using parts = new AsyncDisposableStack();
  const at = parts.use(await syncScene(cluster, { 'a.yaml': configMap('a') }));
  const group = `${at.namespace}.example.com`;
  parts.defer(async () => void (await cluster.kubectl(['delete', 'crd', `things.${group}`, '--ignore-not-found', '--wait=false'])));
  const version = { name: 'v1', served: true, storage: true, schema: { openAPIV3Schema: { type: 'object', properties: { spec: { type: 'object', properties: { size: { type: 'integer' } } } } } } };
  const names = { kind: 'Thing', plural: 'things', singular: 'thing', listKind: 'ThingList' };
  const definition = JSON.stringify({ apiVersion: 'apiextensions.k8s.io/v1', kind: 'CustomResourceDefinition', metadata: { name: `things.${group}` }, spec: { group, scope: 'Namespaced', names, versions: [version] } });
  const commit = await at.commit({ 'z-thing.yaml': JSON.stringify({ apiVersion: `${group}/v1`, kind: 'Thing', metadata: { name: 'one' }, spec: { size: 3 } }), 'definition.yaml': definition });
  await at.application(automated);
  await at.start();
  await at.synced(commit);
  expect(await cluster.getJson(`things.${group}`, 'one', '-n', at.namespace)).toMatchObject({ spec: { size: 3 } });
  expect((await at.view()).history).toMatchObject([{ type: 'deploy', failed: 0 }]);
});

test('a namespace in deletion: nothing is made in it, the rest is, and all is there when it is back', { timeout }, async () => {
  await using parts = new AsyncDisposableStack();
  const at = parts.use(await syncScene(cluster, { 'a.yaml': configMap('a') }));
  const extra = `${at.namespace}-extra`;
  const finalizers = (list: readonly string[]): Promise<string> => cluster.kubectl(['patch', 'configmap', 'anchor', '-n', extra, '--type=merge', '-p', JSON.stringify({ metadata: { finalizers: list } })]);
  await cluster.kubectl(['create', 'namespace', extra]);
  parts.defer(async () => void (await cluster.kubectl(['delete', 'namespace', extra, '--ignore-not-found', '--wait=false'])));
  await cluster.kubectl(['create', 'configmap', 'anchor', '-n', extra]);
  await finalizers(['example.com/stays']);
  await cluster.kubectl(['delete', 'namespace', extra, '--wait=false']);
  const there = JSON.stringify({ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'there', namespace: extra }, data: { mode: 'on' } });
  await at.commit({ 'there.yaml': there });
  await at.application(automated);
  await at.start();
  await waitFor(async () => (await at.live('a')) === 'on', { what: 'the rest', deadlineMs });
  const { resources = [] } = await at.viewWhen('the one to be named', ({ resources: some = [], operation }) => some.length === 1 && operation?.message !== undefined);
  expect(resources[0]?.name).toBe('there');
  expect((await at.view()).operation?.message).toMatch(/there/);
  expect(await at.written()).toEqual(['patch configmaps/a']);
  await finalizers([]);
  await cluster.kubectl(['wait', '--for=delete', `namespace/${extra}`, '--timeout=60s']);
  await cluster.kubectl(['create', 'namespace', extra]);
  await at.until('shop', 'Synced', deadlineMs);
  expect(await cluster.getJson('configmap', 'there', '-n', extra)).toMatchObject({ data: { mode: 'on' } });
});

test('a hook that fails is run again after the pauses, also where something is left that Git no longer has', { timeout }, async () => {
  await using at = await syncScene(cluster, { 'a.yaml': configMap('a'), 'old.yaml': configMap('old') });
  await at.application({ syncPolicy: { automated: {}, retry: { backoff: { duration: '6s', factor: 2 } } } });
  await at.start();
  await at.until('shop', 'Synced', deadlineMs);
  const job = { apiVersion: 'batch/v1', kind: 'Job', metadata: { name: 'migrate', annotations: { 'setpoint.dev/hook': 'PreSync' } }, spec: { backoffLimit: 0, activeDeadlineSeconds: 1, template: { spec: { restartPolicy: 'Never', nodeSelector: { there: 'is-none' }, containers: [{ name: 'm', image: 'registry.example.com/m:1' }] } } } };
  await at.commit({ 'old.yaml': null, 'a.yaml': configMap('a', { value: 'off' }), 'job.yaml': JSON.stringify(job) });
  const { history = [] } = await at.viewWhen('the second failure', ({ history: some = [] }) => some.filter(({ failed }) => failed > 0).length === 2);
  const [second, first] = history as unknown as readonly { readonly deployedAt: string }[];
  expect(Date.parse(second?.deployedAt ?? '') - Date.parse(first?.deployedAt ?? '')).toBeGreaterThanOrEqual(6_000);
  expect((await at.written()).filter((line) => /^(?:create|patch) jobs/.test(line))).toHaveLength(2);
  expect(await at.live('a')).toBe('on');
});
