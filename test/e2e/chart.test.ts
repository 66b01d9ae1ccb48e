import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { buildRenderEngine } from '../../render-engine/build.ts';
import { valueAt, type Json, type JsonObject } from '../../src/model/index.ts';
import { agentScene, manifest, type AgentScene } from '../support/agent-scene.ts';
import { installCrd } from '../support/application-crd.ts';
import { chartFolder, helm, helmTemplate, valuesMatrix, type Rendered } from '../support/chart.ts';
import { runCli, startCli } from '../support/cli.ts';
import type { AuditEvent } from '../support/cluster/audit-log.ts';
import { kubeconfigText } from '../support/cluster/kubeconfig.ts';
import { sharedCluster } from '../support/shared-cluster/index.ts';
import { waitFor } from '../support/wait-for.ts';

const cluster = sharedCluster();
let engine: string;

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
  engine = await buildRenderEngine();
  await installCrd(cluster);
  await cluster.apply([definition('ServiceMonitor', 'servicemonitors'), definition('PrometheusRule', 'prometheusrules')].map((each) => JSON.stringify(each)).join('\n---\n'));
  await cluster.kubectl(['wait', '--for=condition=Established', 'crd/servicemonitors.monitoring.coreos.com', 'crd/prometheusrules.monitoring.coreos.com', '--timeout=30s']);
}, 600_000);

const text = (objects: readonly object[]): string => objects.map((object) => JSON.stringify(object)).join('\n---\n');

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
    const taken = await cluster.kubectl(args, text(objects));
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
    const create = (given: readonly object[]): Promise<string> => cluster.kubectl(['create', '--dry-run=server', '-o', 'name', '-f', '-'], text(given));
    expect((await create(pods)).trim().split('\n')).toHaveLength(3);
    const [first] = pods;
    await expect(create([{ ...first, spec: { ...(first?.spec as JsonObject), securityContext: {} } }])).rejects.toThrow('violates PodSecurity "restricted');
  });
});

function accountOf(objects: readonly Rendered[]): string {
  return valueAt(objects.find(({ kind }) => kind === 'Deployment'), ['spec', 'template', 'spec', 'serviceAccountName']) as string;
}

interface Installed extends AsyncDisposable {
  /** As whom the agent goes. */
  readonly username: string;
  readonly kubeconfig: string;
  readonly config: string;
  readonly env: Readonly<Record<string, string>>;
}

/** The objects of the chart but for its pods, and what a pod of the agent would have. */
async function install({ namespace, folder }: AgentScene, values: object): Promise<Installed> {
  const { objects } = await helmTemplate(namespace, { image: { repository: 'registry.example.com/setpoint' }, crds: { install: false }, ...values });
  const installed = objects.filter(({ kind }) => kind !== 'Pod' && kind !== 'Deployment');
  await cluster.apply(text(installed));
  const account = accountOf(objects);
  const token = (await cluster.kubectl(['create', 'token', account, '-n', namespace])).trim();
  const admin = JSON.parse(await cluster.kubectl(['config', 'view', '--raw', '--minify', '--flatten', '-o', 'json'])) as { clusters: { cluster: { server: string; 'certificate-authority-data': string } }[] };
  const [target] = admin.clusters;
  const [kubeconfig, config] = [join(folder, 'agent.kubeconfig'), join(folder, 'pod', 'config.yaml')];
  await writeFile(kubeconfig, kubeconfigText({ server: target?.cluster.server ?? '', caData: target?.cluster['certificate-authority-data'] ?? '', token, namespace }));
  await mkdir(join(folder, 'pod'));
  const map = installed.find(({ kind }) => kind === 'ConfigMap');
  await writeFile(config, valueAt(map, ['data', 'config.yaml']) as string);
  return {
    username: `system:serviceaccount:${namespace}:${account}`,
    kubeconfig,
    config,
    env: { SETPOINT_AGENT_NAMESPACE: namespace, SETPOINT_LEASE: 'setpoint-agent', SETPOINT_RENDER_ENGINE: engine, NODE_OPTIONS: '--disable-proto=delete' },
    async [Symbol.asyncDispose]() {
      await cluster.kubectl(['delete', '--ignore-not-found', '-f', '-'], text(installed.filter(({ kind }) => kind.startsWith('ClusterRole'))));
    },
  };
}

/** The agent as its pod would run it, but for addresses and folders of this machine. */
function startAgent({ kubeconfig, config, env }: Installed, folder: string): ReturnType<typeof startCli> {
  const here = ['--state', join(folder, 'state'), '--listen-operations', 'none', '--interval', '10s', '--lease-duration', '4s'];
  return startCli(['run', '--config', config, '--kubeconfig', kubeconfig, ...here], { env });
}

interface Doctored {
  readonly code: number | null;
  readonly bad: readonly string[];
}

async function doctor({ kubeconfig, env }: Installed, namespace: string): Promise<Doctored> {
  const { code, stdout } = await runCli(['doctor', '--as-agent', '-n', namespace, '--kubeconfig', kubeconfig, '-o', 'json'], { env });
  const { checks } = JSON.parse(stdout) as { checks: readonly { level: string; about: string; text: string }[] };
  return { code, bad: checks.filter(({ level }) => level !== 'fine').map(({ level, about, text: said }) => `${level} ${about}: ${said}`) };
}

const deployment =
  'apiVersion: apps/v1\nkind: Deployment\nmetadata: { name: web }\nspec: { replicas: 1, selector: { matchLabels: { app: web } }, template: { metadata: { labels: { app: web } }, spec: { containers: [{ name: web, image: registry.example.com/web:1 }] } } }\n';
const secret = (value: string): string => JSON.stringify({ apiVersion: 'v1', kind: 'Secret', metadata: { name: 'keys' }, stringData: { key: value } });
const isForbidden = ({ responseStatus }: AuditEvent): boolean => responseStatus?.code === 403;
const shown = ({ verb, requestURI }: AuditEvent): string => `${verb} ${requestURI.replace(/&?fieldManager=[^&]*/, '')}`;

interface Observed {
  readonly namespace: string;
  readonly doctored: Doctored;
  readonly forbidden: readonly string[];
}

/** An object drifts. Whatever the Application asks for, it is left as it is. */
async function observe(values: object, spec: Readonly<Record<string, unknown>>): Promise<Observed> {
  await using scene = await agentScene(cluster, ['web']);
  const { namespace } = scene;
  await scene.repository.commit({ 'apps/web/deploy.yaml': deployment });
  await cluster.kubectl(['apply', '-n', namespace, '-f', '-'], `${manifest('web', 'on')}---\n${deployment}`);
  await using installed = await install(scene, { applications: { namespaces: [namespace] }, ...values });
  await scene.declare('web', spec);
  const audit = await cluster.auditLog();
  await using agent = startAgent(installed, scene.folder);
  await scene.until('web', 'Synced');
  await scene.edit('web', 'off');
  await cluster.kubectl(['set', 'image', 'deployment/web', 'web=registry.example.com/web:2', '-n', namespace]);
  await waitFor(async () => new Set((await scene.status('web')).episodes?.map(({ key }) => key)).size === 2 || undefined, { what: 'both changes to be seen', deadlineMs: 30_000 });
  const doctored = await doctor(installed, namespace);
  expect(await agent.stop()).toBe(0);
  expect(await scene.live('web')).toBe('off');
  const sent = (await audit.events()).filter(({ user }) => user.username === installed.username);
  expect(sent.length).toBeGreaterThan(20);
  return { namespace, doctored, forbidden: sent.filter(isForbidden).map(shown) };
}

describe('read-only', () => {
  test('sees drift, tells that dry runs are missing, and is refused one of them and nothing else', async () => {
    const { namespace, doctored, forbidden } = await observe({}, {});
    expect(doctored).toEqual({ code: 3, bad: ['configmaps', 'deployments.apps'].map((kind) => `warning rights: may not patch ${kind} in namespace ${namespace}: what only the server can tell is Unknown`) });
    // The server is asked once for the kind: what was edited in the ConfigMap is certain without it.
    expect(forbidden).toEqual([expect.stringMatching(/^patch \/apis\/apps\/v1\/namespaces\/[\w-]+\/deployments\/web\?\S+&dryRun=All$/)]);
  });

  test('with dry runs is all green, and refused nothing', async () => {
    const { doctored, forbidden } = await observe({ rbac: { dryRuns: true } }, {});
    expect(doctored).toEqual({ code: 0, bad: [] });
    expect(forbidden).toEqual([]);
  });

  test('changes nothing for an Application that asks for it, and doctor names the rights that it takes', async () => {
    const { namespace, doctored } = await observe({}, { syncPolicy: { automated: { selfHeal: true } } });
    expect(doctored).toEqual({
      code: 4,
      bad: ['configmaps', 'deployments.apps'].flatMap((kind) => [
        `failure rights: may not patch ${kind} in namespace ${namespace}: nothing is applied`,
        `failure rights: may not create ${kind} in namespace ${namespace}: objects that are missing stay missing`,
      ]),
    });
  });
});

describe.each([
  ['sync-namespaces', (namespace: string): object => ({ applications: { namespaces: [namespace] }, rbac: { level: 'sync-namespaces', namespaces: [namespace], secrets: [{ namespace, names: ['keys'] }] } })],
  ['sync-everywhere', (namespace: string): object => ({ applications: { namespaces: [namespace] }, rbac: { level: 'sync-everywhere', secrets: [{ namespace, names: ['keys'] }] } })],
])('%s', (level, valuesIn) => {
  test('applies, heals, replaces and prunes; doctor is green and nothing is refused', async () => {
    await using scene = await agentScene(cluster, ['web']);
    const { namespace } = scene;
    await scene.repository.commit({
      'apps/web/old.yaml': 'apiVersion: v1\nkind: ConfigMap\nmetadata: { name: old }\n',
      'apps/web/keys.json': secret('canary-1'),
      'apps/web/replaced.yaml': 'apiVersion: v1\nkind: ConfigMap\nmetadata: { name: replaced, annotations: { setpoint.dev/sync-options: Replace=true } }\ndata: { mode: a }\n',
      'apps/web/deploy.yaml': deployment,
    });
    await using installed = await install(scene, valuesIn(namespace));
    await scene.declare('web', { syncPolicy: { automated: { prune: true, selfHeal: true } } });
    const audit = await cluster.auditLog();
    await using agent = startAgent(installed, scene.folder);
    await scene.until('web', 'Synced');
    await scene.edit('web', 'off');
    await waitFor(async () => (await scene.live('web')) === 'on' || undefined, { what: 'the edit to be healed', deadlineMs: 30_000 });
    await scene.repository.commit({ 'apps/web/old.yaml': null, 'apps/web/keys.json': secret('canary-2'), 'apps/web/replaced.yaml': 'apiVersion: v1\nkind: ConfigMap\nmetadata: { name: replaced, annotations: { setpoint.dev/sync-options: Replace=true } }\ndata: { mode: b }\n' });
    await waitFor(async () => (await scene.api.send('GET', `/api/v1/namespaces/${namespace}/configmaps/old`)).status === 404 || undefined, { what: 'the pruned object to be gone', deadlineMs: 30_000 });
    await scene.until('web', 'Synced');
    expect(await doctor(installed, namespace)).toEqual({ code: 0, bad: [] });
    expect(await agent.stop()).toBe(0);
    const sent = (await audit.events()).filter(({ user }) => user.username === installed.username);
    expect(sent.filter(isForbidden).map(shown)).toEqual([]);
    expect(sent.filter(({ objectRef }) => objectRef?.resource === 'configmaps').map(({ verb }) => verb)).toEqual(expect.arrayContaining(['list', 'watch', 'patch', 'update', 'delete']));
  });

  test(`${level === 'sync-everywhere' ? 'may' : 'may not'} change another namespace, and no other Secret`, async () => {
    await using scene = await agentScene(cluster, ['web']);
    await using other = await cluster.createNamespace();
    await using installed = await install(scene, valuesIn(scene.namespace));
    const may = async (...args: readonly string[]): Promise<string> => cluster.kubectl(['auth', 'can-i', ...args, '--as', installed.username]).then((answer) => answer.trim(), () => 'no');
    expect(await may('create', 'configmaps', '-n', scene.namespace)).toBe('yes');
    expect(await may('create', 'configmaps', '-n', other.name)).toBe(level === 'sync-everywhere' ? 'yes' : 'no');
    expect(await may('get', 'secrets/keys', '-n', scene.namespace)).toBe('yes');
    expect(await may('get', 'secrets/other', '-n', scene.namespace)).toBe('no');
    expect(await may('get', 'secrets/keys', '-n', other.name)).toBe('no');
    expect(await may('create', 'clusterrolebindings')).toBe(level === 'sync-everywhere' ? 'yes' : 'no');
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
