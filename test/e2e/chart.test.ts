import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { valueAt, type Json, type JsonObject } from '../../src/model/index.ts';
import { agentScene, manifest } from '../support/agent-scene.ts';
import { installCrd } from '../support/application-crd.ts';
import { accountOf, chartFolder, documentsText, helm, helmTemplate, objectsIn, valuesMatrix } from '../support/chart.ts';
import { podOf } from '../support/chart-install.ts';
import { sharedCluster } from '../support/test-run/index.ts';
import { waitFor } from '../support/wait-for.ts';

const cluster = sharedCluster();
const image = { repository: 'registry.example.com/setpoint' };
const told = { destinations: [{ name: 'hook', type: 'webhook', url: 'https://hooks.example.com/drift' }] };

const definition = (kind: string, plural: string): object => ({
  apiVersion: 'apiextensions.k8s.io/v1',
  kind: 'CustomResourceDefinition',
  metadata: { name: `${plural}.monitoring.coreos.com` },
  spec: {
    group: 'monitoring.coreos.com',
    scope: 'Namespaced',
    names: { kind, plural, singular: kind.toLowerCase() },
    versions: [{ name: 'v1', served: true, storage: true, schema: { openAPIV3Schema: { type: 'object', properties: { spec: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true } } } } }],
  },
});

beforeAll(async () => {
  await installCrd(cluster);
  await cluster.apply(documentsText([definition('ServiceMonitor', 'servicemonitors'), definition('PrometheusRule', 'prometheusrules')]));
  await cluster.kubectl(['wait', '--for=condition=Established', 'crd/servicemonitors.monitoring.coreos.com', 'crd/prometheusrules.monitoring.coreos.com', '--timeout=50s']);
});

describe('the API server', () => {
  const spaces = new AsyncDisposableStack();
  let [own, one, two]: readonly string[] = [];

  beforeAll(async () => {
    [own, one, two] = await Promise.all([1, 2, 3].map(async () => spaces.use(await cluster.createNamespace()).name));
    // Those of the pod of helm test have to be there.
    for (const account of ['setpoint', 'mine', 'drift']) await cluster.kubectl(['create', 'serviceaccount', account, '-n', own ?? '']);
  });
  afterAll(() => spaces.disposeAsync());

  test.each(Object.keys(valuesMatrix({ one: '', two: '' })))('takes every object: %s', async (name) => {
    const { objects } = await helmTemplate(own ?? '', valuesMatrix({ one: one ?? '', two: two ?? '' })[name] ?? {});
    const args = ['apply', '--server-side', '--dry-run=server', '--validate=strict', '--force-conflicts', '--field-manager', 'helm', '-o', 'name', '-f', '-'];
    const taken = await cluster.kubectl(args, documentsText(objects));
    expect(taken.trim().split('\n')).toHaveLength(objects.length);
  });

  test.each(['everything at once', 'ids that the cluster gives'])('lets the pods into a namespace of the restricted level: %s', async (values) => {
    await using strict = await cluster.createNamespace();
    await cluster.kubectl(['label', 'namespace', strict.name, 'pod-security.kubernetes.io/enforce=restricted']);
    const { objects } = await helmTemplate(strict.name, valuesMatrix({ one: 'a', two: 'b' })[values] ?? {});
    await cluster.kubectl(['create', 'serviceaccount', accountOf(objects), '-n', strict.name]);
    const pods = objects.flatMap(({ kind, metadata, ...rest }) => {
      const spec = kind === 'Pod' ? rest['spec'] : valueAt(rest, ['spec', 'template', 'spec']);
      return spec === undefined ? [] : [{ apiVersion: 'v1', kind: 'Pod', metadata: { name: `${kind.toLowerCase()}-${metadata.name}`, namespace: strict.name }, spec }];
    });
    const create = (given: readonly object[]): Promise<string> => cluster.kubectl(['create', '--dry-run=server', '-o', 'name', '-f', '-'], documentsText(given));
    expect((await create(pods)).trim().split('\n')).toHaveLength(3);
    const [first] = pods;
    await expect(create([{ ...first, spec: { ...(first?.spec as JsonObject), securityContext: {} } }])).rejects.toThrow('violates PodSecurity "restricted');
  });
});

test('installed twice, upgraded and uninstalled by Helm, it leaves Applications and what they declare', async () => {
  await using scene = await agentScene(cluster, ['web']);
  const { namespace } = scene;
  await cluster.kubectl(['apply', '-n', namespace, '-f', '-'], manifest('web', 'on'));
  await scene.declare('web', { deletionPolicy: 'Cascade' });
  const uid = async (): Promise<readonly (Json | undefined)[]> => Promise.all([['configmap', 'web'], ['applications.setpoint.dev', 'web'], ['crd', 'applications.setpoint.dev']].map(async (what) => valueAt(await cluster.getJson<JsonObject>(...what, '-n', namespace), ['metadata', 'uid'])));
  const before = await uid();
  const run = async (command: readonly string[], values: object = {}): Promise<void> => {
    const { code, stderr } = await helm([...command, '-n', namespace, '--kubeconfig', cluster.kubeconfig], values);
    expect(`${command[0]} ${code} ${code === 0 ? '' : stderr}`).toBe(`${command[0]} 0 `);
  };
  // The tests made the definition before Helm did.
  await run(['install', 'setpoint', chartFolder, '--take-ownership'], { image });
  await run(['upgrade', 'setpoint', chartFolder], { image });
  await run(['upgrade', 'setpoint', chartFolder], { image, replicas: 2, rbac: { level: 'sync-namespaces', namespaces: [namespace] }, redis: { enabled: true, existingSecret: 'redis' }, config: told });
  expect(await uid()).toEqual(before);
  // The command of docs/install.md after a new password.
  const restarted = await cluster.kubectl(['rollout', 'restart', 'statefulset,deployment', '-n', namespace, '-l', 'app.kubernetes.io/instance=setpoint']);
  expect(restarted.trim().split('\n')).toEqual(['statefulset.apps/setpoint-redis-memory restarted', 'deployment.apps/setpoint restarted']);
  await run(['uninstall', 'setpoint']);
  expect(await uid()).toEqual(before);
  const left = await cluster.kubectl(['get', 'deployment,statefulset,service,role,rolebinding,networkpolicy,poddisruptionbudget,clusterrole,clusterrolebinding', '-n', namespace, '-l', 'app.kubernetes.io/instance=setpoint', '-o', 'name']);
  expect(left.split('\n').filter((line) => line.includes(namespace) || !line.startsWith('clusterrole')).join('')).toBe('');
});

const workload = JSON.stringify({
  apiVersion: 'apps/v1',
  kind: 'Deployment',
  metadata: { name: 'shop' },
  spec: { replicas: 1, selector: { matchLabels: { app: 'shop' } }, template: { metadata: { labels: { app: 'shop' } }, spec: { containers: [{ name: 'shop', image: 'registry.example.com/shop:1' }] } } },
});

test('an agent at work goes on through an upgrade from the first chart, a second release, and the end of both; what it deployed is not touched', { timeout: 240_000 }, async () => {
  await using scene = await agentScene(cluster, ['web']);
  const { namespace, folder } = scene;
  const run = (...args: readonly string[]): ((values?: object) => ReturnType<typeof helm>) => (values = {}) => helm([...args, '-n', namespace, '--kubeconfig', cluster.kubeconfig], values);
  // A chart of what the first one came to: Helm has it on record as a release, and upgrades that.
  const first = (await readFile(join(import.meta.dirname, '..', 'fixtures', 'charts', 'first.yaml'), 'utf8')).replaceAll('the-namespace', namespace);
  await mkdir(join(folder, 'first', 'templates'), { recursive: true });
  await writeFile(join(folder, 'first', 'Chart.yaml'), 'apiVersion: v2\nname: setpoint\nversion: 0.0.1\n');
  await writeFile(join(folder, 'first', 'templates', 'all.yaml'), first);
  expect(await run('install', 'setpoint', join(folder, 'first'))()).toMatchObject({ code: 0 });
  await scene.repository.commit({ 'apps/web/shop.json': workload });
  await scene.declare('web', { syncPolicy: { automated: { selfHeal: true } } });
  await using old = (await podOf(cluster, scene, objectsIn(first))).start();
  await scene.until('web', 'Synced', 60_000);
  /** Another pod, another UID or another generation is a workload that somebody touched. */
  const deployed = async (): Promise<unknown> => {
    const { metadata } = await cluster.getJson<{ metadata: JsonObject }>('deployment', 'shop', '-n', namespace);
    const pods = await cluster.getJson<{ items: { metadata: JsonObject }[] }>('pods', '-l', 'app=shop', '-n', namespace);
    return [metadata['uid'], metadata['generation'], pods.items.map((pod) => pod.metadata['uid'])];
  };
  const before = await waitFor(async () => {
    const now = await deployed();
    return JSON.stringify(now).split('"').length > 4 ? now : undefined;
  }, { what: 'the pod of the workload' });

  const values = { image, crds: { install: false }, replicas: 2, applications: { namespaces: [namespace] }, rbac: { level: 'sync-namespaces', namespaces: [namespace], secrets: [{ namespace, names: ['keys'] }] }, redis: { enabled: true, existingSecret: 'redis' }, config: told };
  expect(await run('install', 'setpoint', chartFolder)(values)).toMatchObject({ code: 1, stderr: expect.stringContaining('cannot reuse a name that is still in use') as string });
  expect(await run('upgrade', 'setpoint', chartFolder)(values)).toMatchObject({ code: 0 });
  expect(await run('install', 'second', chartFolder)({ ...values, lease: 'second' })).toMatchObject({ code: 0 });
  expect(await run('uninstall', 'second')()).toMatchObject({ code: 0 });
  // The old one, with the rights of the new chart; then a new one, to which it leaves the Lease.
  await scene.edit('web', 'off');
  await waitFor(async () => (await scene.live('web')) === 'on' || undefined, { what: 'the old agent to heal', deadlineMs: 60_000 });
  const { objects } = await helmTemplate(namespace, { ...values, redis: {}, config: {} });
  await using young = (await podOf(cluster, scene, objects)).start();
  expect(await old.stop()).toBe(0);
  await scene.edit('web', 'off');
  await waitFor(async () => (await scene.live('web')) === 'on' || undefined, { what: 'the new agent to heal', deadlineMs: 60_000 });

  expect(await run('uninstall', 'setpoint')()).toMatchObject({ code: 0 });
  expect(await young.stop()).toBe(0);
  expect(await deployed()).toEqual(before);
  expect((await scene.status('web')).sync).toMatchObject({ status: 'Synced' });
});
