import { createServer } from 'node:http';
import { writeFile } from 'node:fs/promises';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createCluster, loadKubeconfig, type Cluster, type Target } from '../../src/cluster/index.ts';
import { compareObjects, identify, predictSecret, tagWith } from '../../src/diff/index.ts';
import type { JsonObject, KubeObject, ResourceKey } from '../../src/model/index.ts';
import type { AuditLog } from '../support/cluster/audit-log.ts';
import { kubeconfigText } from '../support/cluster/kubeconfig.ts';
import type { TestNamespace } from '../support/cluster/test-cluster.ts';
import { sharedCluster } from '../support/test-run/index.ts';
import { tempFolder } from '../support/temp-folder.ts';

const admin = sharedCluster();
const signal = new AbortController().signal;
let cluster: Cluster;
let namespace: TestNamespace;

beforeAll(async () => {
  cluster = createCluster(await loadKubeconfig({ file: admin.kubeconfig }));
  namespace = await admin.createNamespace();
});

afterAll(async () => {
  await cluster.close();
  await namespace[Symbol.asyncDispose]();
});

/** Discovery is asked again only for kinds that may be new: those of definitions that a test has just made. */
let builtIn: Promise<Awaited<ReturnType<Cluster['discover']>>> | undefined;

async function target(object: JsonObject): Promise<Target> {
  const isBuiltIn = typeof object['apiVersion'] === 'string' && !object['apiVersion'].includes('example');
  builtIn ??= cluster.discover(signal);
  const { lookUp } = await (isBuiltIn ? builtIn : cluster.discover(signal));
  const { manifests, refused } = identify([{ origin: 'test#1', object: object as KubeObject }], lookUp, namespace.name);
  const [found] = manifests;
  if (found === undefined) throw new Error(JSON.stringify(refused));
  return found;
}

function configMap(name: string, data: JsonObject = {}): JsonObject {
  return { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name }, data };
}

async function applied(object: JsonObject): Promise<KubeObject> {
  const result = await cluster.apply(await target(object), { force: true, signal });
  if (result.type !== 'applied') throw new Error(JSON.stringify(result));
  return result.object;
}

describe('discovery', () => {
  test('knows scope, plural and status of built-in kinds', async () => {
    const { lookUp } = await cluster.discover(signal);
    expect(lookUp('apps/v1', 'Deployment')).toEqual({
      type: 'served',
      kind: { group: 'apps', version: 'v1', kind: 'Deployment', resource: 'deployments', namespaced: true, hasStatus: true },
    });
    expect(lookUp('v1', 'Namespace')).toMatchObject({ kind: { namespaced: false } });
    expect(lookUp('v1', 'ConfigMap')).toMatchObject({ kind: { hasStatus: false } });
  });

  test('offers the version that is served', async () => {
    const { lookUp } = await cluster.discover(signal);
    expect(lookUp('autoscaling/v2beta2', 'HorizontalPodAutoscaler')).toEqual({ type: 'not-served', servedAs: expect.arrayContaining(['autoscaling/v2']) as string[] });
  });

  test('an API group whose server is down is unavailable, and hides nothing else', async () => {
    const name = 'v1.down.example.com';
    await admin.apply(
      JSON.stringify({
        apiVersion: 'apiregistration.k8s.io/v1',
        kind: 'APIService',
        metadata: { name },
        spec: { group: 'down.example.com', version: 'v1', groupPriorityMinimum: 1000, versionPriority: 1, insecureSkipTLSVerify: true, service: { name: 'none', namespace: namespace.name } },
      }),
    );
    try {
      await expect.poll(async () => (await cluster.discover(signal)).lookUp('down.example.com/v1', 'Thing').type).toBe('unavailable');
      expect((await cluster.discover(signal)).lookUp('v1', 'ConfigMap').type).toBe('served');
    } finally {
      await admin.kubectl(['delete', 'apiservice', name]);
    }
  });
});

describe('absence', () => {
  test('is what the server says of this very object', async () => {
    expect(await cluster.read(await target(configMap('nobody')), signal)).toEqual({ type: 'absent' });
  });

  test('is also so in a namespace that does not exist', async () => {
    const object = { ...configMap('nobody'), metadata: { name: 'nobody', namespace: 'no-such-namespace' } };
    expect(await cluster.read(await target(object), signal)).toEqual({ type: 'absent' });
  });

  test('is not a kind that is gone', async () => {
    const { manifest, kind } = await target(configMap('nobody'));
    expect(await cluster.read({ manifest, kind: { ...kind, resource: 'gone' } }, signal)).toMatchObject({ type: 'unknown', code: 'KindNotServed' });
  });

  test.each([404, 500, 502])('is not a %i of something that is no API server', async (status) => {
    await using folder = await tempFolder();
    const proxy = createServer((_request, response) => response.writeHead(status, { 'content-type': 'text/html' }).end('<h1>nginx</h1>'));
    await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve));
    const file = join(folder.path, 'config');
    const server = `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`;
    const text = kubeconfigText({ server, token: 'x' }).replace('"server"', '"insecure-skip-tls-verify":true,"server"');
    await writeFile(file, text);
    const other = createCluster(await loadKubeconfig({ file }));
    try {
      expect(await other.read(await target(configMap('nobody')), signal)).toMatchObject({ type: 'unknown' });
    } finally {
      await other.close();
      proxy.close();
    }
  });
});

describe('many objects', () => {
  const names = (count: number): readonly string[] => Array.from({ length: count }, (_, at) => `many-${String(at).padStart(4, '0')}`);
  const readsOf = async (log: AuditLog): Promise<readonly string[]> =>
    (await log.events()).filter(({ objectRef }) => objectRef?.namespace === namespace.name).map(({ verb, objectRef }) => `${verb} ${objectRef?.resource}`);

  test('are listed in pages, and what a list does not have is absent', async () => {
    const targets = await Promise.all(names(620).map((name) => target(configMap(name, { a: '1' }))));
    const queue = targets.slice(0, 600);
    const work = async (): Promise<void> => {
      for (let next = queue.shift(); next !== undefined; next = queue.shift()) await cluster.apply(next, { force: true, signal });
    };
    await Promise.all(Array.from({ length: 8 }, work));
    const log = await admin.auditLog();
    const readings = await cluster.readMany(targets, signal);
    expect(await readsOf(log)).toEqual(['list configmaps', 'list configmaps']);
    expect(Map.groupBy(readings.values(), ({ type }) => type).get('live')).toHaveLength(600);
    expect(Map.groupBy(readings.values(), ({ type }) => type).get('absent')).toHaveLength(20);
    const [some] = targets;
    expect(readings.get(some?.manifest.key ?? ('' as ResourceKey))).toEqual(some && (await cluster.read(some, signal)));
  });

  test('are left to single reads where listing is not allowed, and Secrets always are', async () => {
    const user = await admin.restrictedUser(namespace.name, [{ apiGroups: [''], resources: ['configmaps'], verbs: ['get'] }]);
    const restricted = createCluster(await loadKubeconfig({ file: user }));
    const secrets = await Promise.all(names(20).map((name) => target({ apiVersion: 'v1', kind: 'Secret', metadata: { name } })));
    try {
      expect(await restricted.readMany(await Promise.all(names(20).map((name) => target(configMap(name)))), signal)).toEqual(new Map());
      expect(await cluster.readMany(secrets, signal)).toEqual(new Map());
    } finally {
      await restricted.close();
    }
  });

  test('a few are read one by one', async () => {
    expect(await cluster.readMany(await Promise.all(names(3).map((name) => target(configMap(name)))), signal)).toEqual(new Map());
  });
});

describe('a prediction', () => {
  test('changes nothing and is what the apply then makes', async () => {
    const before = await applied(configMap('predicted', { a: '1', b: '1' }));
    const wanted = await target(configMap('predicted', { a: '2', c: '3' }));
    const prediction = await cluster.predict(wanted, signal);
    if (prediction.type !== 'predicted') throw new Error(JSON.stringify(prediction));
    expect(prediction.object['data']).toEqual({ a: '2', c: '3' });
    expect(await cluster.read(wanted, signal)).toMatchObject({ live: { object: { data: before['data'] } } });
    expect((await applied(configMap('predicted', { a: '2', c: '3' })))['data']).toEqual(prediction.object['data']);
  });

  test('equals live exactly when an apply would change nothing', async () => {
    const quantities = (cpu: string): JsonObject => ({
      apiVersion: 'v1',
      kind: 'LimitRange',
      metadata: { name: 'limits' },
      spec: { limits: [{ type: 'Container', max: { cpu } }] },
    });
    const before = await applied(quantities('1'));
    for (const [cpu, same] of [['1000m', true], ['1', true], ['1001m', false]] as const) {
      const wanted = await target(quantities(cpu));
      const prediction = await cluster.predict(wanted, signal);
      if (prediction.type !== 'predicted') throw new Error(JSON.stringify(prediction));
      const live = { key: wanted.manifest.key, object: before, resourceVersion: '' };
      const diff = compareObjects(wanted.manifest, { live, predicted: prediction.object, hasStatus: wanted.kind.hasStatus, schema: undefined, tag: tagWith('x') });
      expect(diff.type === 'same').toBe(same);
      const after = await applied(quantities(cpu));
      expect(after.metadata['resourceVersion'] === before.metadata['resourceVersion']).toBe(same);
    }
  });

  test('of an integer beyond 2^53 keeps every digit', async () => {
    const group = `${namespace.name}.example.org`;
    const schema = { openAPIV3Schema: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true } };
    const names = { kind: 'Big', plural: 'bigs' };
    await admin.apply(
      JSON.stringify({
        apiVersion: 'apiextensions.k8s.io/v1',
        kind: 'CustomResourceDefinition',
        metadata: { name: `bigs.${group}` },
        spec: { group, scope: 'Namespaced', names, versions: [{ name: 'v1', served: true, storage: true, schema }] },
      }),
    );
    try {
      await admin.kubectl(['wait', '--for=condition=Established', `crd/bigs.${group}`, '--timeout=50s']);
      await expect.poll(async () => (await cluster.discover(signal)).lookUp(`${group}/v1`, 'Big').type).toBe('served');
      const big = (size: bigint): JsonObject => ({ apiVersion: `${group}/v1`, kind: 'Big', metadata: { name: 'b' }, spec: { size } });
      await expect.poll(async () => (await cluster.apply(await target(big(9_007_199_254_740_993n)), { force: true, signal })).type).toBe('applied');
      expect(await admin.kubectl(['get', `bigs.${group}`, 'b', '-n', namespace.name, '-o', 'jsonpath={.spec.size}'])).toBe('9007199254740993');
      const wanted = await target(big(9_007_199_254_740_992n));
      const reading = await cluster.read(wanted, signal);
      const prediction = await cluster.predict(wanted, signal);
      if (reading.type !== 'live' || prediction.type !== 'predicted') throw new Error('not compared');
      const diff = compareObjects(wanted.manifest, { live: reading.live, predicted: prediction.object, hasStatus: false, schema: undefined, tag: tagWith('x') });
      expect(diff).toMatchObject({ type: 'changed', patch: [{ op: 'replace', path: '/spec/size', value: 9_007_199_254_740_992n }] });
    } finally {
      await admin.kubectl(['delete', 'crd', `bigs.${group}`, '--wait=false']);
    }
  });
});

describe('what the server refuses is the manifest’s fault, not the cluster’s', () => {
  test.each<[string, JsonObject, string]>([
    ['an unknown field', { ...configMap('bad'), dta: {} }, 'dta'],
    ['a value of a wrong type', { ...configMap('bad'), data: { a: 1 } }, 'data.a'],
    ['a name that is not allowed', configMap('Bad_Name'), 'metadata.name'],
    ['a namespace that does not exist', { ...configMap('bad'), metadata: { name: 'bad', namespace: 'no-such-namespace' } }, 'no-such-namespace'],
  ])('%s', async (_name, object, named) => {
    expect(await cluster.predict(await target(object), signal)).toMatchObject({ type: 'invalid', message: expect.stringContaining(named) as string });
  });

  test('a change of a field that cannot be changed', async () => {
    const job = (image: string): JsonObject => ({
      apiVersion: 'batch/v1',
      kind: 'Job',
      metadata: { name: 'once' },
      spec: { template: { spec: { restartPolicy: 'Never', containers: [{ name: 'a', image }] } } },
    });
    await applied(job('a:1'));
    expect(await cluster.predict(await target(job('a:2')), signal)).toMatchObject({ type: 'replace', message: expect.stringContaining('immutable') as string });
  });
});

describe('fields that another manager holds', () => {
  test('are named, and taken only by force', async () => {
    const wanted = await target(configMap('shared', { a: 'ours' }));
    const theirs = JSON.stringify({ ...configMap('shared', { a: 'theirs' }), metadata: { name: 'shared', namespace: namespace.name } });
    await admin.kubectl(['apply', '--server-side', '--field-manager', 'operator', '-f', '-'], theirs);
    expect(await cluster.apply(wanted, { force: false, signal })).toEqual({ type: 'conflict', conflicts: [{ field: '.data.a', manager: 'operator' }] });
    expect(await cluster.apply(wanted, { force: true, signal })).toMatchObject({ type: 'applied' });
  });
});

describe('the prediction for Secrets, made without the server, is what the server does', () => {
  const base64 = (text: string): string => Buffer.from(text).toString('base64');
  const secret = (data: JsonObject, metadata: JsonObject = {}): JsonObject => ({ apiVersion: 'v1', kind: 'Secret', metadata: { name: 'keys', ...metadata }, type: 'Opaque', data });

  test.each<[string, readonly JsonObject[], readonly string[][], JsonObject]>([
    ['a changed value', [secret({ a: base64('1') })], [], secret({ a: base64('2') })],
    ['a key that goes', [secret({ a: base64('1'), b: base64('1') })], [], secret({ a: base64('1') })],
    ['all keys gone', [secret({ a: base64('1') })], [], secret({})],
    ['a key that somebody added', [secret({ a: base64('1') })], [['patch', 'secret', 'keys', '--type=merge', '-p', '{"stringData":{"z":"1"}}']], secret({ a: base64('1') })],
    [
      'a key that goes, after somebody wrote it too',
      [secret({ a: base64('1'), b: base64('1') })],
      [['patch', 'secret', 'keys', '--type=merge', '-p', '{"stringData":{"b":"2"}}']],
      secret({ a: base64('1') }),
    ],
    ['a label of ours that goes, and one of theirs', [secret({}, { labels: { ours: '1' } })], [['label', 'secret', 'keys', 'theirs=1']], secret({})],
    ['nothing', [secret({ a: base64('1') }, { labels: { ours: '1' } })], [], secret({ a: base64('1') }, { labels: { ours: '1' } })],
    ['an empty value', [secret({ a: base64('1') })], [], secret({ a: '' })],
    ['an annotation beside that of kubectl', [secret({ a: base64('1') })], [['annotate', 'secret', 'keys', 'theirs=1']], secret({ a: base64('1') }, { annotations: { ours: '1' } })],
  ])('%s', async (_name, history, byHand, desired) => {
    await admin.kubectl(['delete', 'secret', 'keys', '-n', namespace.name, '--ignore-not-found']);
    for (const earlier of history) await applied(earlier);
    for (const args of byHand) await admin.kubectl([...args, '-n', namespace.name]);
    const wanted = await target(desired);
    const reading = await cluster.read(wanted, signal);
    if (reading.type !== 'live') throw new Error(JSON.stringify(reading));
    const predicted = predictSecret(reading.live.object, wanted.manifest.object, 'setpoint');
    const after = await applied(desired);
    const live = { ...reading.live, object: after };
    expect(compareObjects(wanted.manifest, { live, predicted, hasStatus: false, schema: undefined, tag: tagWith('x') })).toMatchObject({ type: 'same' });
  });
});
