import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Target } from '../../src/cluster/index.ts';
import type { ChangeStep, JsonObject, KubeObject, ResourceKey } from '../../src/model/index.ts';
import type { AuditLog } from '../support/cluster/audit-log.ts';
import type { TestNamespace } from '../support/cluster/test-cluster.ts';
import { openRawApi, type RawApi } from '../support/raw-api.ts';
import { sharedCluster } from '../support/test-run/index.ts';
import { waitFor } from '../support/wait-for.ts';
import { readingText, targetsIn, watchCluster, type WatchedCluster } from '../support/watched-cluster.ts';

const admin = sharedCluster();
const signal = new AbortController().signal;
let api: RawApi;
let namespace: TestNamespace;
let target: (object: JsonObject) => Target;

beforeAll(async () => {
  namespace = await admin.createNamespace();
  api = await openRawApi(admin.kubeconfig);
  await using anybody = await watchCluster(admin.kubeconfig);
  target = await targetsIn(anybody.cluster, namespace.name);
});

afterAll(async () => {
  await api[Symbol.asyncDispose]();
  await namespace[Symbol.asyncDispose]();
});

function configMap(name: string, data: JsonObject = {}, inNamespace = namespace.name): JsonObject {
  return { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name, namespace: inNamespace }, data };
}

function deployment(name: string): JsonObject {
  const template = { metadata: { labels: { app: name } }, spec: { containers: [{ name: 'app', image: 'app:1' }] } };
  return { apiVersion: 'apps/v1', kind: 'Deployment', metadata: { name, namespace: namespace.name }, spec: { replicas: 0, selector: { matchLabels: { app: name } }, template } };
}

async function watching(targets: readonly Target[], options: { kubeconfig?: string; pacing?: Parameters<typeof watchCluster>[1] } = {}): Promise<WatchedCluster> {
  const watched = await watchCluster(options.kubeconfig ?? admin.kubeconfig, options.pacing);
  watched.cache.track(targets);
  await watched.cache.settled(signal);
  return watched;
}

/** What the server says of an object, asked directly. */
async function versionOf(path: string): Promise<string> {
  const answer = await api.send('GET', path);
  return answer.status === 404 ? 'absent' : (JSON.parse(answer.text) as KubeObject).metadata['resourceVersion'] as string;
}

const path = (name: string, resource = 'configmaps'): string => `/api/v1/namespaces/${namespace.name}/${resource}/${name}`;

async function shows({ cache }: WatchedCluster, key: ResourceKey, reading: string): Promise<void> {
  await waitFor(() => readingText(cache, key) === reading, { what: `${key} to be ${reading}` });
}

function liveObject({ cache }: WatchedCluster, key: ResourceKey): KubeObject {
  const reading = cache.reading(key);
  if (reading.type !== 'live') throw new Error(JSON.stringify(reading));
  return reading.live.object;
}

/** The lists of ConfigMaps that the API server recorded. */
async function listsOf(log: AuditLog): Promise<readonly string[]> {
  const events = (await log.events()).filter(({ verb, objectRef, userAgent }) => verb === 'list' && objectRef?.resource === 'configmaps' && userAgent === 'setpoint');
  return events.map(({ requestURI }) => requestURI).filter((uri) => uri.includes(namespace.name));
}

describe('an object that matters', () => {
  test('is seen when it appears, changes and vanishes, and others are not', async () => {
    const wanted = target(configMap('seen'));
    const { key } = wanted.manifest;
    await using watched = await watching([wanted]);
    expect(watched.cache.reading(key)).toEqual({ type: 'absent' });
    await admin.apply(JSON.stringify(configMap('seen', { a: '1' })));
    await admin.apply(JSON.stringify(configMap('bystander', { a: '1' })));
    await shows(watched, key, await versionOf(path('seen')));
    const first = watched.cache.digestOf(key);
    expect(liveObject(watched, key)).toMatchObject({ apiVersion: 'v1', kind: 'ConfigMap', data: { a: '1' } });
    await admin.apply(JSON.stringify(configMap('seen', { a: '2' })));
    await shows(watched, key, await versionOf(path('seen')));
    expect(watched.cache.digestOf(key)).not.toBe(first);
    expect(watched.cache.collections()).toMatchObject([{ path: `/api/v1/namespaces/${namespace.name}/configmaps`, state: 'watching', objects: 1 }]);
    await admin.kubectl(['delete', 'configmap', 'seen', '-n', namespace.name]);
    await shows(watched, key, 'absent');
    expect(watched.cache.digestOf(key)).toBeUndefined();
    expect(new Set(watched.told.map((change) => change.key))).toEqual(new Set([key]));
  });

  test('is read as the server shows it, listed or watched', async () => {
    const wanted = target(deployment('shape'));
    await admin.apply(JSON.stringify(deployment('shape')));
    await admin.kubectl(['wait', '--for=condition=Available', 'deployment/shape', '-n', namespace.name, '--timeout=50s']);
    await using watched = await watching([wanted]);
    const listed = liveObject(watched, wanted.manifest.key);
    expect(listed).toEqual(await admin.getJson('deployment', 'shape', '-n', namespace.name));
    await admin.kubectl(['label', 'deployment', 'shape', 'x=y', '-n', namespace.name]);
    await waitFor(() => liveObject(watched, wanted.manifest.key) !== undefined && watched.cache.journalOf(wanted.manifest.key).length > 0, { what: 'the label' });
    expect(liveObject(watched, wanted.manifest.key)).toEqual(await admin.getJson('deployment', 'shape', '-n', namespace.name));
  });

  test('may be a megabyte', async () => {
    const wanted = target(configMap('big'));
    const data = { blob: randomBytes(380_000).toString('hex'), text: '漢字'.repeat(30_000) };
    await using watched = await watching([wanted]);
    await api.send('PATCH', `${path('big')}?fieldManager=big&force=true`, { type: 'application/apply-patch+yaml', text: JSON.stringify(configMap('big', data)) });
    await shows(watched, wanted.manifest.key, await versionOf(path('big')));
    expect(liveObject(watched, wanted.manifest.key)['data']).toEqual(data);
    await api.send('PATCH', path('big'), { type: 'application/merge-patch+json', text: '{"data":{"text":"short"}}' });
    await shows(watched, wanted.manifest.key, await versionOf(path('big')));
    expect(liveObject(watched, wanted.manifest.key)['data']).toEqual({ ...data, text: 'short' });
    await using late = await watching([wanted]);
    expect(liveObject(late, wanted.manifest.key)['data']).toEqual({ ...data, text: 'short' });
  });

  test('is found among pages of many', async () => {
    const names = Array.from({ length: 40 }, (_, at) => `page-${String(at).padStart(2, '0')}`);
    await admin.apply(JSON.stringify({ apiVersion: 'v1', kind: 'List', items: names.map((name) => configMap(name, { name })) }));
    const log = await admin.auditLog();
    const targets = ['page-00', 'page-17', 'page-39', 'page-40'].map((name) => target(configMap(name)));
    await using watched = await watching(targets, { pacing: { pacing: { pageSize: 7 } } });
    expect(targets.map(({ manifest }) => watched.cache.reading(manifest.key).type)).toEqual(['live', 'live', 'live', 'absent']);
    const lists = await listsOf(log);
    expect(lists.length).toBeGreaterThan(5);
    expect(lists.every((line) => line.includes('limit=7'))).toBe(true);
  });

  test('is looked up by itself when it begins to matter later, and forgotten when it no longer does', async () => {
    const [one, two] = [target(configMap('page-01')), target(configMap('page-02'))];
    await using watched = await watching([one]);
    const log = await admin.auditLog();
    watched.cache.track([one, two]);
    expect(watched.cache.reading(one.manifest.key)).toMatchObject({ type: 'live' });
    expect(watched.cache.reading(two.manifest.key)).toMatchObject({ type: 'unwatched', code: 'ClusterError' });
    await watched.cache.settled(signal);
    expect(watched.cache.reading(two.manifest.key)).toMatchObject({ type: 'live' });
    expect(watched.lastTold(two.manifest.key)).toBe(await versionOf(path('page-02')));
    expect(await listsOf(log)).toEqual([expect.stringContaining('fieldSelector=metadata.name%3Dpage-02')]);
    watched.cache.track([two]);
    expect(watched.cache.reading(one.manifest.key)).toMatchObject({ type: 'unwatched' });
    watched.cache.track([]);
    expect(watched.cache.collections()).toEqual([]);
  });

  test('many that begin to matter later are looked up by one list', async () => {
    const targets = Array.from({ length: 20 }, (_, at) => target(configMap(`page-${String(at).padStart(2, '0')}`)));
    await using watched = await watching(targets.slice(0, 1));
    const log = await admin.auditLog();
    watched.cache.track(targets);
    await watched.cache.settled(signal);
    expect(targets.every(({ manifest }) => watched.cache.reading(manifest.key).type === 'live')).toBe(true);
    expect(await listsOf(log)).toHaveLength(1);
  });

  test('is watched by its name where it is a Secret, and no other Secret is ever read', async () => {
    const secret = (name: string): JsonObject => ({ apiVersion: 'v1', kind: 'Secret', metadata: { name, namespace: namespace.name }, stringData: { a: name } });
    await admin.apply(JSON.stringify({ apiVersion: 'v1', kind: 'List', items: ['ours', 'theirs'].map(secret) }));
    const user = await admin.restrictedUser(namespace.name, [{ apiGroups: [''], resources: ['secrets'], verbs: ['get', 'list', 'watch'], resourceNames: ['ours'] }]);
    const wanted = target(secret('ours'));
    await using watched = await watching([wanted], { kubeconfig: user });
    expect(liveObject(watched, wanted.manifest.key)['data']).toEqual({ a: Buffer.from('ours').toString('base64') });
    await admin.kubectl(['label', 'secret', 'ours', 'x=y', '-n', namespace.name]);
    await shows(watched, wanted.manifest.key, await versionOf(path('ours', 'secrets')));
  });
});

describe('the journal', () => {
  test('names who scaled, edited and removed, and what', async () => {
    const wanted = target(deployment('told'));
    const { key } = wanted.manifest;
    await admin.apply(JSON.stringify({ ...deployment('told'), metadata: { name: 'told', namespace: namespace.name, labels: { team: 'a' } } }));
    await using watched = await watching([wanted]);
    // Controllers write too: the step is the one about this place.
    const stepAfter = async (args: readonly string[], place: string): Promise<ChangeStep> => {
      const seen = new Set(watched.cache.journalOf(key).map(({ resourceVersion }) => resourceVersion));
      await admin.kubectl([...args, '-n', namespace.name]);
      const isMeant = ({ resourceVersion, paths }: ChangeStep): boolean => !seen.has(resourceVersion) && paths.some((changed) => changed.endsWith(place));
      return waitFor(() => watched.cache.journalOf(key).find(isMeant), { what: `a step about ${place}` });
    };
    const scaled = await stepAfter(['scale', 'deployment', 'told', '--replicas=1'], 'spec.replicas');
    expect(scaled.writers).toContainEqual(expect.objectContaining({ manager: 'kubectl', operation: 'Update', subresource: 'scale' }));
    const edit = JSON.stringify([{ op: 'replace', path: '/spec/template/spec/containers/0/image', value: 'app:2' }]);
    const edited = await stepAfter(['patch', 'deployment', 'told', '--type=json', '-p', edit, '--field-manager=kubectl-edit'], '.image');
    expect(edited.writers).toContainEqual(expect.objectContaining({ manager: 'kubectl-edit' }));
    expect(JSON.stringify(edited)).not.toContain('app:2');
    const removed = await stepAfter(['label', 'deployment', 'told', 'team-'], 'metadata.labels');
    expect(removed.paths).toEqual(['metadata.labels']);
  });
});

describe('what may not be seen', () => {
  test('is out of sight, says which right is missing, and hides nothing else', async () => {
    const user = await admin.restrictedUser(namespace.name, [{ apiGroups: [''], resources: ['configmaps'], verbs: ['list', 'watch'] }]);
    const [allowed, refused] = [target(configMap('page-01')), target(deployment('shape'))];
    await using watched = await watching([allowed, refused], { kubeconfig: user });
    const message = `not allowed to list and watch deployments.apps in namespace ${namespace.name}: ask for that right`;
    expect(watched.cache.reading(allowed.manifest.key)).toMatchObject({ type: 'live' });
    expect(watched.cache.reading(refused.manifest.key)).toEqual({ type: 'unwatched', code: 'Forbidden', message });
    expect(watched.cache.collections()).toMatchObject([{ state: 'watching' }, { state: 'forbidden', message }]);
    expect(watched.log.lines.filter(({ level }) => level === 'warn')).toEqual([
      { level: 'warn', message: 'watch does not work', fields: { place: `deployments.apps in namespace ${namespace.name}`, reason: message } },
    ]);
  });

  test('may be listed and not watched: then it is out of sight too', async () => {
    const user = await admin.restrictedUser(namespace.name, [{ apiGroups: [''], resources: ['configmaps'], verbs: ['list'] }]);
    const wanted = target(configMap('page-01'));
    await using watched = await watching([wanted], { kubeconfig: user });
    await waitFor(() => watched.lastTold(wanted.manifest.key) === 'Forbidden', { what: 'it to be told' });
    expect(readingText(watched.cache, wanted.manifest.key)).toBe('Forbidden');
  });

  test('comes into sight when it is allowed', async () => {
    const user = await admin.restrictedUser(namespace.name, []);
    const wanted = target(configMap('page-01'));
    await using watched = await watching([wanted], { kubeconfig: user, pacing: { pacing: { slowRetryMs: 300 } } });
    expect(readingText(watched.cache, wanted.manifest.key)).toBe('Forbidden');
    const subject = /user-[0-9a-f]+/.exec(user)?.[0] ?? '';
    await admin.kubectl(['create', 'rolebinding', `${subject}-view`, '--clusterrole=view', `--serviceaccount=${namespace.name}:${subject}`, '-n', namespace.name]);
    await shows(watched, wanted.manifest.key, await versionOf(path('page-01')));
    await waitFor(() => watched.log.lines.at(-1)?.message === 'watch works again', { what: 'the good news' });
  });
});

describe('objects in many namespaces', () => {
  const elsewhere = (count: number): readonly Target[] => Array.from({ length: count }, (_, at) => target(configMap('a', {}, `${namespace.name}-${at}`)));

  test('are watched together, and nothing is out of sight on the way there and back', async () => {
    const mine = target(configMap('page-01'));
    await using watched = await watching([mine]);
    const paths = (): readonly string[] => watched.cache.collections().map((collection) => collection.path);
    watched.cache.track([mine, ...elsewhere(9)]);
    expect(watched.cache.reading(mine.manifest.key)).toMatchObject({ type: 'live' });
    await watched.cache.settled(signal);
    await waitFor(() => paths().join() === '/api/v1/configmaps', { what: 'one watch' });
    watched.cache.track([mine, ...elsewhere(1)]);
    expect(watched.cache.reading(mine.manifest.key)).toMatchObject({ type: 'live' });
    await waitFor(() => paths().length === 2 && !paths().includes('/api/v1/configmaps'), { what: 'a watch in each namespace' });
    await api.send('PATCH', path('page-01'), { type: 'application/merge-patch+json', text: '{"data":{"back":"1"}}' });
    await shows(watched, mine.manifest.key, await versionOf(path('page-01')));
    expect(watched.told.every(({ key, reading }) => key !== mine.manifest.key || /^\d+$/.test(reading))).toBe(true);
  });

  test('are watched one by one where only that is allowed', async () => {
    const user = await admin.restrictedUser(namespace.name, [{ apiGroups: [''], resources: ['configmaps'], verbs: ['list', 'watch'] }]);
    const mine = target(configMap('page-01'));
    await using watched = await watching([mine, ...elsewhere(9)], { kubeconfig: user });
    expect(watched.cache.reading(mine.manifest.key)).toMatchObject({ type: 'live' });
    expect(watched.cache.collections().map(({ state }) => state).toSorted()).toEqual([...Array.from({ length: 9 }, () => 'forbidden'), 'watching']);
  });
});

describe('a kind', () => {
  test('that goes is out of sight, and back when it is served again', async () => {
    const group = `${namespace.name}.example.org`;
    const definition = JSON.stringify({
      apiVersion: 'apiextensions.k8s.io/v1',
      kind: 'CustomResourceDefinition',
      metadata: { name: `things.${group}` },
      spec: {
        group,
        scope: 'Namespaced',
        names: { kind: 'Thing', plural: 'things' },
        versions: [{ name: 'v1', served: true, storage: true, schema: { openAPIV3Schema: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true } } }],
      },
    });
    const thing = { apiVersion: `${group}/v1`, kind: 'Thing', metadata: { name: 'a', namespace: namespace.name }, spec: { size: 1 } };
    const install = async (): Promise<void> => {
      await admin.apply(definition);
      await admin.kubectl(['wait', '--for=condition=Established', `crd/things.${group}`, '--timeout=50s']);
      await waitFor(() => admin.apply(JSON.stringify(thing)).then(() => true), { what: 'the first Thing' });
    };
    await install();
    await using anybody = await watchCluster(admin.kubeconfig);
    const served = await waitFor(() => targetsIn(anybody.cluster, namespace.name).then((of) => of(thing)), { what: 'discovery of Thing' });
    const other = target(configMap('page-01'));
    await using watched = await watching([served, other]);
    try {
      expect(watched.cache.reading(served.manifest.key)).toMatchObject({ type: 'live' });
      await admin.kubectl(['delete', 'crd', `things.${group}`]);
      await shows(watched, served.manifest.key, 'KindNotServed');
      expect(watched.cache.reading(other.manifest.key)).toMatchObject({ type: 'live' });
      await install();
      watched.cache.track([served, other]);
      await shows(watched, served.manifest.key, await versionOf(`/apis/${group}/v1/namespaces/${namespace.name}/things/a`));
      expect(watched.told.every(({ key, reading }) => key !== other.manifest.key || /^\d+$/.test(reading))).toBe(true);
    } finally {
      await admin.kubectl(['delete', 'crd', `things.${group}`, '--wait=false', '--ignore-not-found']);
    }
  });
});

describe('a write of our own', () => {
  test('is seen at once, and never undone by what the watch shows later', async () => {
    const wanted = (value: number): Target => target(configMap('own', { a: String(value) }));
    const { key } = wanted(0).manifest;
    await using watched = await watching([wanted(0)]);
    for (let value = 1; value <= 30; value += 1) {
      await api.send('PATCH', `${path('own')}?fieldManager=other&force=true`, { type: 'application/apply-patch+yaml', text: JSON.stringify(configMap('own', { b: String(value) })) });
      const applied = await watched.cluster.apply(wanted(value), { force: true, signal });
      if (applied.type !== 'applied') throw new Error(JSON.stringify(applied));
      watched.cache.put(key, applied.object);
      expect(liveObject(watched, key)['data']).toMatchObject({ a: String(value) });
    }
    const versions = watched.told.slice(1).map(({ reading }) => BigInt(reading));
    expect(versions).toEqual(versions.toSorted((one, other) => (one < other ? -1 : 1)));
    expect(watched.cache.journalOf(key).at(-1)).toMatchObject({ paths: ['data.a'] });
  });
});

test('closing ends the wait, and nothing is told afterwards', async () => {
  const watched = await watching([target(configMap('page-01'))]);
  const told = watched.told.length;
  watched.cache.track([target(configMap('page-03'))]);
  const wait = watched.cache.settled(signal);
  await watched.cache.close();
  await wait;
  await watched.cluster.close();
  expect(watched.told.length).toBe(told);
});
