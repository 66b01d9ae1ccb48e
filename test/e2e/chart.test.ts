import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { valueAt, type Json, type JsonObject } from '../../src/model/index.ts';
import { agentScene, manifest } from '../support/agent-scene.ts';
import { installCrd } from '../support/application-crd.ts';
import { accountOf, chartFolder, documentsText, helm, helmTemplate, valuesMatrix } from '../support/chart.ts';
import { sharedCluster } from '../support/test-run/index.ts';

const cluster = sharedCluster();

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
  await cluster.kubectl(['wait', '--for=condition=Established', 'crd/servicemonitors.monitoring.coreos.com', 'crd/prometheusrules.monitoring.coreos.com', '--timeout=30s']);
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

  test('lets the pods into a namespace of the restricted level', async () => {
    await using strict = await cluster.createNamespace();
    await cluster.kubectl(['label', 'namespace', strict.name, 'pod-security.kubernetes.io/enforce=restricted']);
    const { objects } = await helmTemplate(strict.name, valuesMatrix({ one: 'a', two: 'b' })['everything at once'] ?? {});
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
  const image = { repository: 'registry.example.com/setpoint' };
  const run = async (command: readonly string[], values: object = {}): Promise<void> => {
    const { code, stderr } = await helm([...command, '-n', namespace, '--kubeconfig', cluster.kubeconfig], values);
    expect(`${command[0]} ${code} ${code === 0 ? '' : stderr}`).toBe(`${command[0]} 0 `);
  };
  // The tests made the definition before Helm did.
  await run(['install', 'setpoint', chartFolder, '--take-ownership'], { image });
  await run(['upgrade', 'setpoint', chartFolder], { image });
  await run(['upgrade', 'setpoint', chartFolder], { image, replicas: 2, rbac: { level: 'sync-namespaces', namespaces: [namespace] }, redis: { enabled: true, existingSecret: 'redis' } });
  expect(await uid()).toEqual(before);
  await run(['uninstall', 'setpoint']);
  expect(await uid()).toEqual(before);
  const left = await cluster.kubectl(['get', 'deployment,statefulset,service,role,rolebinding,networkpolicy,poddisruptionbudget,clusterrole,clusterrolebinding', '-n', namespace, '-l', 'app.kubernetes.io/instance=setpoint', '-o', 'name']);
  expect(left.split('\n').filter((line) => line.includes(namespace) || !line.startsWith('clusterrole')).join('')).toBe('');
});
