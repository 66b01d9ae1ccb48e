import { describe, expect, test } from 'vitest';
import { createCluster, loadKubeconfig } from '../../src/cluster/index.ts';
import { isList, valueAt, type Json, type JsonObject, type KubeObject } from '../../src/model/index.ts';
import { sharedCluster } from '../support/test-run/index.ts';
import { waitFor } from '../support/wait-for.ts';
import { targetsIn } from '../support/watched-cluster.ts';
import { writeAs } from '../support/write-as.ts';
import { configMap, writeScene } from './cluster-writes/scene.ts';

const admin = sharedCluster();
const signal = new AbortController().signal;
const { cluster, namespace, targetOf, liveOf } = await writeScene(admin);

const app: JsonObject = { name: 'app', image: 'app:1', env: [{ name: 'A', value: '1' }] };

function deployment(name: string, spec: JsonObject, containers: Json = [app]): JsonObject {
  const template = { metadata: { labels: { app: name } }, spec: { containers } };
  return { apiVersion: 'apps/v1', kind: 'Deployment', metadata: { name }, spec: { selector: { matchLabels: { app: name } }, template, ...spec } };
}

const kubectlApply = (object: JsonObject): Promise<string> => admin.kubectl(['apply', '-n', namespace.name, '-f', '-'], JSON.stringify(object));
const managersOf = ({ metadata }: KubeObject): readonly string[] =>
  (metadata['managedFields'] as unknown as readonly Record<string, string | undefined>[])
    .filter(({ subresource }) => subresource === undefined)
    .map(({ manager, operation }) => `${manager} ${operation}`);

async function writesOf(work: () => Promise<unknown>): Promise<readonly string[]> {
  const log = await admin.auditLog();
  await work();
  const events = (await log.events()).filter(({ userAgent, objectRef }) => userAgent === 'setpoint' && objectRef?.namespace === namespace.name);
  return events.map(({ verb, responseStatus }) => `${verb} ${responseStatus?.code}`);
}

describe('what client-side apply wrote', () => {
  const before = deployment('csa', { replicas: 0, minReadySeconds: 5, strategy: { type: 'RollingUpdate', rollingUpdate: { maxSurge: 1 } } }, [app, { name: 'side', image: 'side:1' }]);

  test('is ours after the first apply, so that what Git drops goes', async () => {
    await kubectlApply(before);
    const wanted = targetOf(deployment('csa', { replicas: 0, strategy: { type: 'Recreate' } }, [{ name: 'app', image: 'app:2' }]));
    const live = await liveOf(wanted);
    const writes = await writesOf(async () => expect(await cluster.apply(wanted, { force: true, live, signal })).toMatchObject({ type: 'applied' }));
    expect(writes).toEqual(['patch 200', 'patch 200']);
    const after = await liveOf(wanted);
    expect(valueAt(after, ['spec', 'minReadySeconds'])).toBeUndefined();
    expect(valueAt(after, ['spec', 'strategy'])).toEqual({ type: 'Recreate' });
    expect(valueAt(after, ['spec', 'template', 'spec', 'containers'])).toMatchObject([{ name: 'app', image: 'app:2' }]);
    expect(JSON.stringify(valueAt(after, ['spec', 'template', 'spec', 'containers']))).not.toContain('"env"');
    expect(JSON.stringify(after.metadata['annotations'] ?? {})).not.toContain('last-applied');
    expect(managersOf(after)).toContain('setpoint Apply');
  });

  test('without it, the same apply leaves all of that', async () => {
    await kubectlApply({ ...before, metadata: { name: 'not-moved' } });
    const wanted = targetOf({ ...deployment('csa', { replicas: 0 }, [app]), metadata: { name: 'not-moved' } });
    expect(await cluster.apply(wanted, { force: true, signal })).toMatchObject({ type: 'applied' });
    const after = await liveOf(wanted);
    expect(valueAt(after, ['spec', 'minReadySeconds'])).toBe(5);
    expect(valueAt(after, ['spec', 'template', 'spec', 'containers'])).toHaveLength(2);
  });

  test('is moved once: a second apply is one request, and changes nothing', async () => {
    const wanted = targetOf(configMap('once', { a: '1' }));
    await kubectlApply(configMap('once', { a: '1', b: '2' }));
    await cluster.apply(wanted, { force: true, live: await liveOf(wanted), signal });
    const live = await liveOf(wanted);
    expect(live['data']).toEqual({ a: '1' });
    expect(await writesOf(() => cluster.apply(wanted, { force: true, live, signal }))).toEqual(['patch 200']);
    expect((await liveOf(wanted)).metadata['resourceVersion']).toBe(live.metadata['resourceVersion']);
  });

  test('but not what the server filled in: a claim keeps its storage class', async () => {
    const storageClass = `class-${namespace.name}`;
    await admin.apply(
      JSON.stringify({
        apiVersion: 'storage.k8s.io/v1',
        kind: 'StorageClass',
        metadata: { name: storageClass, annotations: { 'storageclass.kubernetes.io/is-default-class': 'true' } },
        provisioner: 'example.com/none',
      }),
    );
    try {
      const claim = { apiVersion: 'v1', kind: 'PersistentVolumeClaim', metadata: { name: 'claim' }, spec: { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Gi' } } } };
      const wanted = targetOf({ ...claim, metadata: { name: 'claim', labels: { team: 'a' } } });
      // The server learns of a new default class a moment later.
      const live = await waitFor(
        async () => {
          await admin.kubectl(['delete', 'pvc', 'claim', '-n', namespace.name, '--ignore-not-found']);
          await kubectlApply(claim);
          const made = await liveOf(wanted);
          return valueAt(made, ['spec', 'storageClassName']) === storageClass ? made : undefined;
        },
        { what: 'a claim of the default class' },
      );
      expect(await cluster.apply(wanted, { force: true, live, signal })).toMatchObject({ type: 'applied' });
      expect(valueAt(await liveOf(wanted), ['spec', 'storageClassName'])).toBe(storageClass);
      expect(managersOf(await liveOf(wanted))).toEqual(expect.arrayContaining(['setpoint Apply', 'kubectl-client-side-apply Update']));
    } finally {
      await admin.kubectl(['delete', 'storageclass', storageClass]);
    }
  });

  test('stays where it is when another deploy tool has a hand in it', async () => {
    await kubectlApply(configMap('argo', { a: '1', b: '2' }));
    await writeAs(admin, 'argocd-controller', { path: `/api/v1/namespaces/${namespace.name}/configmaps/argo`, patch: { data: { c: '3' } } });
    const wanted = targetOf(configMap('argo', { a: '1' }));
    const live = await liveOf(wanted);
    expect(await writesOf(() => cluster.apply(wanted, { force: true, live, signal }))).toEqual(['patch 200']);
    expect((await liveOf(wanted))['data']).toEqual({ a: '1', b: '2', c: '3' });
  });

  test('is left alone where somebody wrote since it was looked at', async () => {
    await kubectlApply(configMap('stale', { a: '1', b: '2' }));
    const wanted = targetOf(configMap('stale', { a: '1' }));
    const live = await liveOf(wanted);
    await kubectlApply(configMap('stale', { a: '1', b: '3' }));
    expect(await cluster.apply(wanted, { force: true, live, signal })).toMatchObject({ type: 'unknown', code: 'ObjectUnsettled', message: expect.stringContaining('stale') as string });
    expect((await liveOf(wanted))['data']).toEqual({ a: '1', b: '3' });
  });
});

describe('a conflict', () => {
  const path = (name: string): string => `/apis/apps/v1/namespaces/${namespace.name}/deployments/${name}`;
  const onConflict = ({ field, manager }: { readonly field: string; readonly manager: string }): { readonly type: 'take' } | { readonly type: 'leave'; readonly why: string } =>
    manager === 'autoscaler' ? { type: 'leave', why: `${field} is ${manager}'s` } : { type: 'take' };

  test('is decided field by field, and the rest of the object is applied', async () => {
    const name = 'fields';
    await cluster.apply(targetOf(deployment(name, { replicas: 0 })), { force: true, signal });
    await writeAs(admin, 'autoscaler', { path: path(name), patch: { spec: { replicas: 2 } } });
    await writeAs(admin, 'kubectl-edit', { path: path(name), patch: { spec: { paused: true, template: { metadata: { labels: { 'example.com/by.hand': 'x' } } } } } });
    const wanted = targetOf({
      ...deployment(name, { replicas: 1, paused: false, minReadySeconds: 3 }),
      spec: {
        ...(deployment(name, { replicas: 1, paused: false, minReadySeconds: 3 })['spec'] as JsonObject),
        template: { metadata: { labels: { app: name, 'example.com/by.hand': 'y' } }, spec: { containers: [{ ...app, image: 'app:2' }] } },
      },
    });
    const result = await cluster.applyPerField(wanted, { onConflict, live: await liveOf(wanted), signal });
    expect(result).toMatchObject({ type: 'applied', left: [{ field: '.spec.replicas', manager: 'autoscaler', why: ".spec.replicas is autoscaler's" }] });
    const after = await liveOf(wanted);
    expect(after['spec']).toMatchObject({ replicas: 2, minReadySeconds: 3, template: { metadata: { labels: { 'example.com/by.hand': 'y' } }, spec: { containers: [{ image: 'app:2' }] } } });
    expect(valueAt(after, ['spec', 'paused'])).toBeUndefined();
  });

  test('of which all is left, with nothing else to change, is contested and writes nothing', async () => {
    const name = 'all-left';
    await cluster.apply(targetOf(deployment(name, { replicas: 0 })), { force: true, signal });
    await writeAs(admin, 'autoscaler', { path: path(name), patch: { spec: { replicas: 2 } } });
    const wanted = targetOf(deployment(name, { replicas: 1 }));
    // What the first apply leaves, ours is gone from it: only a look after it knows the object.
    await cluster.applyPerField(wanted, { onConflict, live: await liveOf(wanted), signal });
    const live = await waitFor(
      async () => {
        const seen = await liveOf(wanted);
        return valueAt(seen, ['status', 'observedGeneration']) === seen.metadata['generation'] ? seen : undefined;
      },
      { what: 'the controller to be done' },
    );
    expect(await cluster.applyPerField(wanted, { onConflict, live, signal })).toMatchObject({ type: 'contested', left: [{ field: '.spec.replicas' }] });
    expect(valueAt(await liveOf(wanted), ['spec', 'replicas'])).toBe(2);
  });

  test('in items of lists names them by keys that Git leaves to their defaults', async () => {
    const name = 'ports';
    const service = (ports: Json): JsonObject => ({ apiVersion: 'v1', kind: 'Service', metadata: { name }, spec: { selector: { app: name }, ports } });
    await cluster.apply(targetOf(service([{ port: 80, targetPort: 8080 }])), { force: true, signal });
    const servicePath = `/api/v1/namespaces/${namespace.name}/services/${name}`;
    await writeAs(admin, 'autoscaler', { path: servicePath, patch: { spec: { ports: [{ port: 80, targetPort: 9090 }] } } });
    const wanted = targetOf(service([{ port: 80, targetPort: 8081 }]));
    const result = await cluster.applyPerField(wanted, { onConflict, signal });
    expect(result).toMatchObject({ left: [{ field: '.spec.ports[port=80,protocol="TCP"].targetPort' }] });
    expect(valueAt(await liveOf(wanted), ['spec', 'ports'])).toMatchObject([{ port: 80, targetPort: 9090 }]);
  });

  test('with what we wrote otherwise than by an apply is none', async () => {
    const wanted = targetOf(configMap('own', { a: '2' }));
    await cluster.create(targetOf(configMap('own', { a: '1' })), { dryRun: false, signal });
    const never = (): never => expect.fail('nobody else holds anything');
    expect(await cluster.applyPerField(wanted, { onConflict: never, signal })).toMatchObject({ type: 'applied', object: { data: { a: '2' } }, left: [] });
  });
});

describe('a refusal', () => {
  test('of a quota is later, and names the object; of a Secret without the words of the server', async () => {
    const own = await admin.createNamespace();
    const inOwn = await targetsIn(cluster, own.name);
    await admin.apply(JSON.stringify({ apiVersion: 'v1', kind: 'ResourceQuota', metadata: { name: 'tight', namespace: own.name }, spec: { hard: { 'count/secrets': '0', 'count/services': '0' } } }));
    await waitFor(async () => valueAt(await admin.getJson<KubeObject>('quota', 'tight', '-n', own.name), ['status', 'hard', 'count/secrets']), { what: 'the quota to count' });
    const secret = inOwn({ apiVersion: 'v1', kind: 'Secret', metadata: { name: 'canary' }, stringData: { password: 'hunter2' } });
    expect(await cluster.apply(secret, { force: false, signal })).toEqual({ type: 'denied', message: `Secret ${own.name}/canary: Forbidden: a quota of the namespace is exceeded` });
    const service = inOwn({ apiVersion: 'v1', kind: 'Service', metadata: { name: 'web' }, spec: { ports: [{ port: 80 }] } });
    expect(await cluster.apply(service, { force: false, signal })).toMatchObject({ type: 'denied', message: expect.stringMatching(/"web".*exceeded quota: tight/) as string });
    await own[Symbol.asyncDispose]();
  });

  test('of a Secret that is wrong has no value in it', async () => {
    const { kind, manifest } = targetOf({ apiVersion: 'v1', kind: 'Secret', metadata: { name: 'wrong' } });
    const secret = { kind, manifest: { ...manifest, object: { ...manifest.object, data: { password: 'hunter2 is no base64' } } } };
    const result = await cluster.apply(secret, { force: false, signal });
    expect(result).toMatchObject({ type: 'invalid' });
    expect(JSON.stringify(result)).not.toContain('hunter2');
  });

  test('in a namespace that is being deleted says so', async () => {
    const own = await admin.createNamespace();
    await admin.kubectl(['create', '-n', own.name, '-f', '-'], JSON.stringify(configMap('keeps', {}, { finalizers: ['example.com/keeps'] })));
    await admin.kubectl(['delete', 'namespace', own.name, '--wait=false']);
    try {
      const inOwn = await targetsIn(cluster, own.name);
      expect(await cluster.apply(inOwn(configMap('new', {})), { force: false, signal })).toMatchObject({ type: 'terminating', message: expect.stringContaining('"new"') as string });
    } finally {
      await admin.kubectl(['patch', 'configmap/keeps', '-n', own.name, '--type=merge', '-p', '{"metadata":{"finalizers":null}}']);
    }
  });

  test.each([
    ['a body that the server does not read', configMap('body', { a: 'x'.repeat(3_300_000) })],
    ['an object that etcd does not store', deployment('etcd', { replicas: 0 }, [{ ...app, args: ['x'.repeat(1_600_000)] }])],
  ])('of %s is that it is too large', async (_what, object) => {
    expect(await cluster.apply(targetOf(object), { force: false, signal })).toMatchObject({
      type: 'invalid',
      message: expect.stringMatching(new RegExp(`${namespace.name}/(?:body|etcd): it is too large`)) as string,
    });
  });

  test('for want of a right names the right', async () => {
    const rules = [{ apiGroups: [''], resources: ['configmaps'], verbs: ['get', 'patch'] }];
    const restricted = createCluster(await loadKubeconfig({ file: await admin.restrictedUser(namespace.name, rules) }));
    try {
      const missing = `not allowed to create configmaps in namespace ${namespace.name}: ask for that right`;
      const result = await restricted.apply(targetOf(configMap('no-right', {})), { force: false, signal });
      expect(result).toMatchObject({ type: 'unconfirmed', code: 'Forbidden', message: expect.stringContaining(missing) as string });
    } finally {
      await restricted.close();
    }
  });

  test('of a field that the server does not know can be waived where it is replaced', async () => {
    const object = { ...configMap('odd', { a: '1' }), oddity: 1 };
    await cluster.apply(targetOf(configMap('odd', {})), { force: false, signal });
    const live = await liveOf(targetOf(object));
    expect(await cluster.put(targetOf(object), { live, signal })).toMatchObject({ type: 'invalid', message: expect.stringContaining('oddity') as string });
    expect(await cluster.put(targetOf(object), { live, skipValidation: true, signal })).toMatchObject({ type: 'applied', object: { data: { a: '1' } } });
  });
});

test('nothing is sent where it may not be', async () => {
  const fenced = new Error('another agent leads');
  const mayWrite = (): never => {
    throw fenced;
  };
  const target = targetOf(configMap('fenced', {}));
  const live = target.manifest.object;
  const removal = { uid: 'x', propagation: 'background', mayWrite, signal } as const;
  const writes = await writesOf(async () => {
    await expect(cluster.apply(target, { force: false, mayWrite, signal })).rejects.toBe(fenced);
    await expect(cluster.put(target, { live, mayWrite, signal })).rejects.toBe(fenced);
    await expect(cluster.create(target, { dryRun: false, mayWrite, signal })).rejects.toBe(fenced);
    await expect(cluster.remove({ key: target.manifest.key, kind: target.kind }, removal)).rejects.toBe(fenced);
  });
  expect(writes).toEqual([]);
  expect(isList(live.metadata['managedFields'])).toBe(false);
});
