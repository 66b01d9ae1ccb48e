import { describe, expect, test } from 'vitest';
import { createCluster, loadKubeconfig, type Target } from '../../src/cluster/index.ts';
import { valueAt, type Json, type JsonObject, type KubeObject } from '../../src/model/index.ts';
import { startAdmissionWebhook } from '../support/admission-webhook.ts';
import { sharedCluster } from '../support/test-run/index.ts';
import { waitFor } from '../support/wait-for.ts';
import { writeAs } from '../support/write-as.ts';
import { configMap, writeScene } from './cluster-writes/scene.ts';

const admin = sharedCluster();
const signal = new AbortController().signal;
const { cluster, namespace, targetOf, liveOf } = await writeScene(admin);

const uidOf = ({ metadata }: KubeObject): string => metadata['uid'] as string;
const doomed = ({ manifest, kind }: Target): { readonly key: Target['manifest']['key']; readonly kind: Target['kind'] } => ({ key: manifest.key, kind });
const isThere = async (target: Target): Promise<boolean> => (await cluster.read(target, signal)).type === 'live';

async function made(object: JsonObject): Promise<{ readonly target: Target; readonly live: KubeObject }> {
  const target = targetOf(object);
  const result = await cluster.apply(target, { force: true, signal });
  if (result.type !== 'applied') throw new Error(JSON.stringify(result));
  return { target, live: result.object };
}

async function requestsFor(name: string, work: () => Promise<unknown>): Promise<readonly string[]> {
  const log = await admin.auditLog();
  await work();
  const events = (await log.events()).filter(({ userAgent, objectRef }) => userAgent === 'setpoint' && objectRef?.namespace === namespace.name && objectRef.name === name);
  return events.filter(({ verb }) => verb !== 'get').map(({ verb, requestURI, responseStatus }) => `${verb}${requestURI.includes('dryRun=All') ? ' (tried)' : ''} ${responseStatus?.code}`);
}

describe('a deletion', () => {
  test('deletes the object that is meant', async () => {
    const { target, live } = await made(configMap('meant'));
    expect(await cluster.remove(doomed(target), { uid: uidOf(live), propagation: 'background', signal })).toEqual({ type: 'deleted', left: null });
    expect(await isThere(target)).toBe(false);
  });

  test('of what is gone has nothing to do', async () => {
    expect(await cluster.remove(doomed(targetOf(configMap('nobody'))), { uid: 'x', propagation: 'background', signal })).toEqual({ type: 'gone' });
  });

  test('spares another object of that name', async () => {
    const { target, live } = await made(configMap('another'));
    await admin.kubectl(['delete', 'configmap', 'another', '-n', namespace.name]);
    await made(configMap('another'));
    expect(await cluster.remove(doomed(target), { uid: uidOf(live), propagation: 'background', signal })).toEqual({ type: 'replaced' });
    expect(await isThere(target)).toBe(true);
  });

  test('spares the object where it was changed since', async () => {
    const { target, live } = await made(configMap('changed'));
    const resourceVersion = live.metadata['resourceVersion'] as string;
    await made(configMap('changed', { a: '1' }));
    const result = await cluster.remove(doomed(target), { uid: uidOf(live), resourceVersion, propagation: 'background', signal });
    expect(result).toMatchObject({ type: 'unknown', code: 'ObjectUnsettled' });
    expect(await isThere(target)).toBe(true);
  });

  test('that finalizers hold back answers with what is left', async () => {
    const { target, live } = await made(configMap('held', {}, { finalizers: ['example.com/held'] }));
    const result = await cluster.remove(doomed(target), { uid: uidOf(live), propagation: 'background', signal });
    expect(result).toMatchObject({ type: 'deleted', left: { metadata: { finalizers: ['example.com/held'] } } });
    await admin.kubectl(['patch', 'configmap/held', '-n', namespace.name, '--type=merge', '-p', '{"metadata":{"finalizers":null}}']);
  });

  test.each([
    ['background', false],
    ['orphan', true],
  ] as const)('%s: what depends on it stays: %s', async (propagation, stays) => {
    const { live } = await made(configMap(`owner-${propagation}`));
    const ownerReferences = [{ apiVersion: 'v1', kind: 'ConfigMap', name: `owner-${propagation}`, uid: uidOf(live) }];
    const { target: dependent } = await made(configMap(`dependent-${propagation}`, {}, { ownerReferences }));
    const { target: owner } = await made(configMap(`owner-${propagation}`));
    await cluster.remove(doomed(owner), { uid: uidOf(live), propagation, signal });
    await waitFor(async () => !(await isThere(owner)), { what: 'the owner to be gone' });
    const isDone = async (): Promise<boolean> => {
      const reading = await cluster.read(dependent, signal);
      return reading.type !== 'live' || valueAt(reading.live.object, ['metadata', 'ownerReferences']) === undefined;
    };
    await waitFor(isDone, { what: 'the dependent to be let go, or deleted' });
    expect(await isThere(dependent)).toBe(stays);
  });

  test('for want of the right is refused', async () => {
    const { target, live } = await made(configMap('protected'));
    const restricted = createCluster(await loadKubeconfig({ file: await admin.restrictedUser(namespace.name, [{ apiGroups: [''], resources: ['configmaps'], verbs: ['get'] }]) }));
    try {
      const result = await restricted.remove(doomed(target), { uid: uidOf(live), propagation: 'background', signal });
      expect(result).toMatchObject({ type: 'unconfirmed', code: 'Forbidden', message: expect.stringContaining('not allowed to delete configmaps') as string });
    } finally {
      await restricted.close();
    }
    expect(await isThere(target)).toBe(true);
  });
});

describe('a creation', () => {
  test('that is only tried leaves nothing', async () => {
    const target = targetOf(configMap('tried'));
    expect(await cluster.create(target, { dryRun: true, signal })).toMatchObject({ type: 'created' });
    expect(await isThere(target)).toBe(false);
  });

  test('over one that is there changes nothing, and says so', async () => {
    const { target } = await made(configMap('there', { a: '1' }));
    expect(await cluster.create(targetOf(configMap('there', { a: '2' })), { dryRun: false, signal })).toEqual({ type: 'exists' });
    expect((await liveOf(target))['data']).toEqual({ a: '1' });
  });

  test('over one that is being deleted says that', async () => {
    const { target, live } = await made(configMap('leaving', {}, { finalizers: ['example.com/leaving'] }));
    await cluster.remove(doomed(target), { uid: uidOf(live), propagation: 'background', signal });
    expect(await cluster.create(targetOf(configMap('leaving')), { dryRun: false, signal })).toMatchObject({ type: 'terminating' });
    await admin.kubectl(['patch', 'configmap/leaving', '-n', namespace.name, '--type=merge', '-p', '{"metadata":{"finalizers":null}}']);
  });
});

describe('a recreation', () => {
  const job = (name: string, image: string, more: JsonObject = {}): JsonObject => ({
    apiVersion: 'batch/v1',
    kind: 'Job',
    metadata: { name },
    spec: { suspend: true, template: { spec: { restartPolicy: 'Never', containers: [{ name: 'job', image }] } }, ...more },
  });
  const service = (name: string, spec: JsonObject): JsonObject => ({ apiVersion: 'v1', kind: 'Service', metadata: { name }, spec: { ports: [{ port: 80 }], ...spec } });

  test('gives an immutable Job what an apply could not', async () => {
    const { live } = await made(job('migrate', 'm:1'));
    const wanted = targetOf(job('migrate', 'm:2'));
    expect(await cluster.apply(wanted, { force: true, signal })).toMatchObject({ type: 'replace' });
    const requests = await requestsFor('migrate', async () => expect(await cluster.recreate(wanted, { live, propagation: 'background', signal })).toMatchObject({ type: 'applied' }));
    // Its controller may have written its status meanwhile.
    expect(requests.filter((request) => request !== 'delete 409')).toEqual(['create (tried) 409', 'delete 200', 'patch 201']);
    const after = await liveOf(wanted);
    expect(uidOf(after)).not.toBe(uidOf(live));
    expect(valueAt(after, ['spec', 'template', 'spec', 'containers'])).toMatchObject([{ image: 'm:2' }]);
    expect(JSON.stringify(after.metadata['managedFields'])).toContain('"manager":"setpoint","operation":"Apply"');
  });

  test('gives a Service another address, and lets it keep its port', async () => {
    const port = { port: 80, nodePort: 30_771 };
    const { live } = await made(service('address', { type: 'NodePort', ports: [port] }));
    const wanted = targetOf(service('address', { type: 'NodePort', clusterIP: '10.0.0.201', ports: [port] }));
    expect(await cluster.apply(wanted, { force: true, signal })).toMatchObject({ type: 'replace' });
    expect(await cluster.recreate(wanted, { live, propagation: 'background', signal })).toMatchObject({ type: 'applied' });
    expect((await liveOf(wanted))['spec']).toMatchObject({ clusterIP: '10.0.0.201', ports: [port] });
  });

  test('that needs the port of another Service deletes nothing', async () => {
    await made(service('taken', { type: 'NodePort', ports: [{ port: 80, nodePort: 30_772 }] }));
    const { live } = await made(service('taker', { type: 'NodePort', ports: [{ port: 80, nodePort: 30_773 }] }));
    const wanted = targetOf(service('taker', { type: 'NodePort', ports: [{ port: 80, nodePort: 30_772 }] }));
    expect(await cluster.recreate(wanted, { live, propagation: 'background', signal })).toMatchObject({ type: 'invalid', message: expect.stringContaining('already allocated') as string });
    expect(uidOf(await liveOf(wanted))).toBe(uidOf(live));
  });

  test.each<[string, JsonObject]>([
    ['is not valid', job('kept', 'm:2', { backoffLimit: -1 })],
    ['has a field that the server does not know', job('kept', 'm:2', { oddity: true })],
  ])('of what %s deletes nothing', async (_what, object) => {
    const { live } = await made(job('kept', 'm:1'));
    const wanted = targetOf(object);
    const requests = await requestsFor('kept', async () => expect(await cluster.recreate(wanted, { live, propagation: 'background', signal })).toMatchObject({ type: 'invalid' }));
    expect(requests.filter((request) => request.startsWith('delete'))).toEqual([]);
    expect(uidOf(await liveOf(wanted))).toBe(uidOf(live));
  });

  test('of what is not the same object any more deletes nothing', async () => {
    const { target, live } = await made(job('other', 'm:1'));
    expect(await cluster.recreate(target, { live: { ...live, metadata: { ...live.metadata, uid: 'another' } }, propagation: 'background', signal })).toEqual({ type: 'replaced' });
    expect(uidOf(await liveOf(target))).toBe(uidOf(live));
  });

  test('of what somebody changed since deletes nothing', async () => {
    const { target, live } = await made(configMap('edited', { a: '1' }));
    await writeAs(admin, 'kubectl-edit', { path: `/api/v1/namespaces/${namespace.name}/configmaps/edited`, patch: { data: { b: '2' } } });
    expect(await cluster.recreate(target, { live, propagation: 'background', signal })).toMatchObject({ type: 'unknown', code: 'ObjectUnsettled', message: expect.stringContaining('changed since it was looked at') as string });
    expect(await liveOf(target)).toMatchObject({ metadata: { uid: uidOf(live) }, data: { b: '2' } });
  });

  test('does not mind that its status was written since', async () => {
    const { target, live } = await made(job('busy', 'm:1'));
    const version = await waitFor(async () => {
      const { metadata, status } = await liveOf(target);
      return valueAt(status, ['conditions']) === undefined ? undefined : metadata['resourceVersion'];
    }, { what: 'the controller to write its status' });
    expect(version).not.toBe(live.metadata['resourceVersion']);
    expect(await cluster.recreate(targetOf(job('busy', 'm:2')), { live, propagation: 'background', signal })).toMatchObject({ type: 'applied' });
  });

  test.each([
    [true, 'what was there before was created again', { metadata: { labels: { keep: 'me' }, annotations: { note: 'kept' } }, data: { a: '1' } }],
    [false, 'not today', undefined],
  ])('that is refused after all creates again what was there, where that is wanted: %s', async (restores, message, wanted) => {
    const name = `refused-${restores}`;
    await using webhook = await startAdmissionWebhook(admin, {
      ...{ type: 'validating', namespace: namespace.name, rules: [{ apiGroups: [''], resources: ['configmaps'] }] },
      answer: ({ dryRun, object }) => (!dryRun && object.metadata.name === name && valueAt(object, ['data', 'a']) === '2' ? { type: 'deny', message: 'not today' } : { type: 'allow' }),
    });
    const { target, live } = await made(configMap(name, { a: '1' }, { labels: { keep: 'me' }, annotations: { note: 'kept' } }));
    const result = await cluster.recreate(targetOf(configMap(name, { a: '2' })), { live, propagation: 'background', restores, signal });
    expect(result).toMatchObject({ type: 'denied', message: expect.stringContaining(message) as string });
    expect(webhook.requests.some(({ dryRun }) => !dryRun)).toBe(true);
    const reading = await cluster.read(target, signal);
    expect(reading).toMatchObject(wanted === undefined ? { type: 'absent' } : { type: 'live', live: { object: wanted } });
  });

  test('waits until the old one is gone', async () => {
    const { target, live } = await made(configMap('slow', { a: '1' }, { finalizers: ['example.com/slow'] }));
    const wanted = targetOf(configMap('slow', { a: '2' }));
    const recreated = cluster.recreate(wanted, { live, propagation: 'foreground', signal });
    await waitFor(async () => valueAt(await liveOf(target), ['metadata', 'deletionTimestamp']), { what: 'the deletion' });
    await admin.kubectl(['patch', 'configmap/slow', '-n', namespace.name, '--type=merge', '-p', '{"metadata":{"finalizers":null}}']);
    expect(await recreated).toMatchObject({ type: 'applied', object: { data: { a: '2' } } });
    expect(uidOf(await liveOf(target))).not.toBe(uidOf(live));
  });

  test('leaves it deleted, and creates nothing, where it may no longer write', async () => {
    const { target, live } = await made(configMap('fenced'));
    const fenced = new Error('another agent leads');
    let writes = 0;
    const mayWrite = (): void => {
      writes += 1;
      if (writes > 1) throw fenced;
    };
    await expect(cluster.recreate(target, { live, propagation: 'background', mayWrite, signal })).rejects.toBe(fenced);
    expect(await isThere(target)).toBe(false);
  });
});

describe('a replacement', () => {
  test('takes away what others have added', async () => {
    const { target, live } = await made(configMap('put', { a: '1' }));
    await writeAs(admin, 'kubectl-edit', { path: `/api/v1/namespaces/${namespace.name}/configmaps/put`, patch: { data: { b: '2' } } });
    expect(await cluster.put(target, { live, signal })).toMatchObject({ type: 'unknown', code: 'ObjectUnsettled' });
    expect(await cluster.put(target, { live: await liveOf(target), signal })).toMatchObject({ type: 'applied', object: { data: { a: '1' } } });
    expect(await liveOf(target)).toMatchObject({ data: { a: '1' }, metadata: { uid: uidOf(live) } });
    expect((await liveOf(target))['data']).not.toHaveProperty('b');
  });

  test('of what is gone, or is another by now, is to be looked at again', async () => {
    const { target, live } = await made(configMap('put-gone'));
    await admin.kubectl(['delete', 'configmap', 'put-gone', '-n', namespace.name]);
    expect(await cluster.put(target, { live, signal })).toMatchObject({ type: 'unknown', code: 'ObjectUnsettled' });
    const { live: next } = await made(configMap('put-gone'));
    const imposter = { ...next, metadata: { ...next.metadata, uid: uidOf(live) } };
    expect(await cluster.put(target, { live: imposter, signal })).toMatchObject({ type: 'unknown', code: 'ObjectUnsettled' });
  });
});

describe('fields that an apply leaves', () => {
  const deployment = (env: Json): JsonObject => ({
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: { name: 'orphans' },
    spec: { replicas: 0, selector: { matchLabels: { app: 'o' } }, template: { metadata: { labels: { app: 'o' } }, spec: { containers: [{ name: 'app', image: 'app:1', env }] } } },
  });
  const envPath = '/spec/template/spec/containers/0/env';
  const envOf = (object: KubeObject): Json | undefined => {
    const containers = valueAt(object, ['spec', 'template', 'spec', 'containers']) as readonly JsonObject[];
    return containers[0]?.['env'];
  };

  test('are taken away one by one, by what they are', async () => {
    const { target } = await made(deployment([{ name: 'A' }, { name: 'B' }, { name: 'C' }, { name: 'D' }]));
    const seen = await liveOf(target);
    const result = await cluster.removeOrphanedFields(target, [`${envPath}/1`, `${envPath}/3`], { seen, signal });
    expect(result).toMatchObject({ type: 'applied' });
    expect(envOf(await liveOf(target))).toEqual([{ name: 'A' }, { name: 'C' }]);
  });

  test('are left where they have changed since', async () => {
    const { target, live: seen } = await made(configMap('orphan-changed', { a: '1', b: '1' }));
    await made(configMap('orphan-changed', { a: '1', b: '2' }));
    expect(await cluster.removeOrphanedFields(target, ['/data/a', '/data/b'], { seen, signal })).toMatchObject({ type: 'unknown', code: 'ObjectUnsettled' });
    expect(await liveOf(target)).toMatchObject({ data: { a: '1', b: '2' } });
  });

  test('that are gone already cost no request', async () => {
    const { target, live: seen } = await made(configMap('orphan-gone', { a: '1' }));
    expect(await requestsFor('orphan-gone', () => cluster.removeOrphanedFields(target, ['/data/b'], { seen, signal }))).toEqual([]);
  });
});

test('a definition is established in time, and one that never will be is not', async () => {
  const plural = `things-${namespace.name}`;
  const definition = (group: string): JsonObject => ({
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: `${plural}.${group}` },
    spec: {
      group,
      scope: 'Namespaced',
      names: { plural, kind: 'Thing' },
      versions: [{ name: 'v1', served: true, storage: true, schema: { openAPIV3Schema: { type: 'object' } } }],
    },
  });
  const { target, live } = await made(definition('writes.example.com'));
  try {
    expect(await cluster.untilEstablished(live, { withinMs: 10_000, signal })).toBe(true);
    const never = { ...live, metadata: { ...live.metadata, name: 'nobody.example.com' } };
    expect(await cluster.untilEstablished(never, { withinMs: 100, signal })).toBe(false);
  } finally {
    await cluster.remove(doomed(target), { uid: uidOf(live), propagation: 'background', signal });
  }
});
