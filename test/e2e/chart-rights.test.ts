// Each level of rights of the chart, with its own account: an hour of the agent's work in less than a minute, and what the server refused of it.
import { beforeAll, describe, expect, test } from 'vitest';
import { buildRenderEngine } from '../../render-engine/build.ts';
import { agentScene, manifest, type AgentScene } from '../support/agent-scene.ts';
import { startAlertSink } from '../support/alert-sink.ts';
import { installChart, type Doctored } from '../support/chart-install.ts';
import { runCli, type RunningCli } from '../support/cli.ts';
import type { AuditEvent } from '../support/cluster/audit-log.ts';
import { sharedCluster } from '../support/test-run/index.ts';
import { waitFor } from '../support/wait-for.ts';

const cluster = sharedCluster();
const applications = ['web', 'api', 'jobs'] as const;

beforeAll(async () => {
  await buildRenderEngine();
}, 600_000);

const deployment = (name: string, more: object = {}): string =>
  JSON.stringify({
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: { name },
    spec: { replicas: 1, selector: { matchLabels: { app: name } }, template: { metadata: { labels: { app: name } }, spec: { containers: [{ name, image: 'registry.example.com/web:1' }], ...more } } },
  });
const service = (name: string): string => JSON.stringify({ apiVersion: 'v1', kind: 'Service', metadata: { name }, spec: { selector: { app: name }, ports: [{ port: 80 }] } });
const secret = (value: string): string => JSON.stringify({ apiVersion: 'v1', kind: 'Secret', metadata: { name: 'keys' }, data: { key: Buffer.from(value).toString('base64') } });
const replaced = (mode: string): string => JSON.stringify({ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'replaced', annotations: { 'setpoint.dev/sync-options': 'Replace=true' } }, data: { mode } });
const cronJob = JSON.stringify({
  apiVersion: 'batch/v1',
  kind: 'CronJob',
  metadata: { name: 'nightly' },
  spec: { schedule: '0 3 * * *', jobTemplate: { spec: { template: { spec: { restartPolicy: 'Never', containers: [{ name: 'nightly', image: 'registry.example.com/web:1' }] } } } } },
});

const files = {
  'apps/web/deploy.json': deployment('web'),
  'apps/web/service.json': service('web'),
  'apps/web/keys.json': secret('canary-1'),
  'apps/web/old.yaml': manifest('old', 'on'),
  'apps/web/replaced.json': replaced('a'),
  // No node is like that: its pods wait for ever, and why is asked for.
  'apps/api/deploy.json': deployment('api', { nodeSelector: { disk: 'none' } }),
  'apps/jobs/nightly.json': cronJob,
};
const commit = { 'apps/web/old.yaml': null, 'apps/web/new.yaml': manifest('new', 'on'), 'apps/web/keys.json': secret('canary-2'), 'apps/web/replaced.json': replaced('b'), 'apps/web/c.yaml': manifest('web', 'more') };

const polls = 60;
const looks = (agents: readonly RunningCli[]): number => agents.reduce((sum, { output }) => sum + output.stderr.split('"message":"looked"').length - 1, 0);
const isForbidden = ({ responseStatus }: AuditEvent): boolean => responseStatus?.code === 403;
const shown = ({ verb, requestURI }: AuditEvent): string => `${verb} ${requestURI.replace(/&?fieldManager=[^&]*/, '')}`;
const eventually = (what: string, condition: () => Promise<boolean>): Promise<true> => waitFor(async () => (await condition()) || undefined, { what, deadlineMs: 60_000 });

const refreshAll = async ({ refresh }: AgentScene): Promise<unknown> => Promise.all(applications.map(refresh));

/** What the server says that somebody may do, of what the levels differ in. */
async function rightsOf({ api, namespace }: AgentScene, user: string): Promise<Readonly<Record<string, boolean>>> {
  const may = async (resourceAttributes: object): Promise<boolean> => {
    const text = JSON.stringify({ apiVersion: 'authorization.k8s.io/v1', kind: 'SubjectAccessReview', spec: { user, resourceAttributes } });
    const answer = await api.send('POST', '/apis/authorization.k8s.io/v1/subjectaccessreviews', { type: 'application/json', text });
    return (JSON.parse(answer.text) as { status: { allowed: boolean } }).status.allowed;
  };
  return {
    'write here': await may({ verb: 'create', resource: 'configmaps', namespace }),
    'write elsewhere': await may({ verb: 'create', resource: 'configmaps', namespace: 'kube-public' }),
    'bind cluster roles': await may({ verb: 'create', group: 'rbac.authorization.k8s.io', resource: 'clusterrolebindings' }),
    'read its Secret': await may({ verb: 'get', resource: 'secrets', name: 'keys', namespace }),
    'read another Secret': await may({ verb: 'get', resource: 'secrets', name: 'other', namespace }),
    'read that name elsewhere': await may({ verb: 'get', resource: 'secrets', name: 'keys', namespace: 'kube-public' }),
  };
}

interface Hour {
  /** Whether the agent changes anything. */
  readonly acts: boolean;
  readonly values: (namespace: string) => object;
}

interface Worked {
  readonly namespace: string;
  readonly doctored: Doctored;
  readonly rights: Readonly<Record<string, boolean>>;
  readonly sent: readonly AuditEvent[];
  readonly looks: number;
  readonly told: number;
}

/** Deploys, live edits of several kinds, as many looks as polls in an hour, a commit, an alert, a silence, and another agent that takes over. */
async function workAnHour({ acts, values }: Hour): Promise<Worked> {
  await using scene = await agentScene(cluster, applications);
  await using sink = await startAlertSink();
  const { namespace, status, live } = scene;
  /** A change of an object, or with null its end. */
  const byHand = async (group: string, path: string, change: object | null): Promise<void> => {
    const at = `${group}/namespaces/${namespace}/${path}`;
    const patch = { type: 'application/strategic-merge-patch+json', text: JSON.stringify(change) };
    const { status: code, text } = await (change === null ? scene.api.send('DELETE', at) : scene.api.send('PATCH', `${at}?fieldManager=kubectl-edit`, patch));
    if (code !== 200) throw new Error(`the change of ${path} was answered with ${code}: ${text}`);
  };
  const isThere = async (path: string): Promise<boolean> => (await scene.api.send('GET', path)).status === 200;
  await scene.repository.commit(files);
  if (!acts) await cluster.kubectl(['apply', '-n', namespace, '-f', '-'], [...applications.map((name) => manifest(name, 'on')), ...Object.values(files)].join('\n---\n'));
  const rule = { name: 'drift', for: '0s', groupWait: '0s', groupInterval: '1s', sendHealed: true };
  const config = { destinations: [{ name: 'hook', type: 'webhook', url: `${sink.url}/drift` }], alerts: { rules: [rule], allowPrivate: ['127.0.0.1'] } };
  await using installed = await installChart(cluster, scene, { config, ...values(namespace) });
  // Whether the namespace is there is asked at each look that plans.
  const syncOptions = ['CreateNamespace=true'];
  for (const name of applications) await scene.declare(name, { syncPolicy: { syncOptions, ...(acts ? { automated: { prune: true, selfHeal: true } } : {}) } });

  const audit = await cluster.auditLog();
  await using first = installed.start();
  for (const name of applications) await scene.until(name, 'Synced', 60_000);
  await using second = installed.start();

  await scene.edit('web', 'off');
  await byHand('/apis/apps/v1', 'deployments/web', { spec: { template: { spec: { containers: [{ name: 'web', image: 'registry.example.com/web:2' }] } } } });
  await byHand('/apis/batch/v1', 'cronjobs/nightly', { spec: { suspend: true, schedule: '0 4 * * *' } });
  await byHand('/api/v1', 'configmaps/jobs', { metadata: { labels: { by: 'hand' } } });
  await byHand('/api/v1', 'services/web', null);
  const changed = ['ConfigMap', 'Deployment', 'Service', 'CronJob'];
  const seen = async (): Promise<string> => JSON.stringify((await Promise.all(applications.map(status))).flatMap(({ episodes = [] }) => episodes.filter(({ cause }) => cause === 'live-changed')));
  await eventually('all live changes to be seen', async () => {
    const text = await seen();
    return changed.every((kind) => text.includes(`${kind}/`));
  });
  if (acts) for (const name of applications) await scene.until(name, 'Synced', 60_000);
  await eventually('somebody to be told', () => Promise.resolve(sink.requests.length > 0));
  const muted = await runCli(['mute', '--matcher', 'app=nobody', '--for', '1h', '--reason', 'test', '-n', namespace, '--agent-namespace', namespace, '--kubeconfig', cluster.kubeconfig]);
  expect(muted).toMatchObject({ code: 0 });
  while (looks([first, second]) < polls) await refreshAll(scene);

  await scene.repository.commit(commit);
  await refreshAll(scene);
  if (acts) await eventually('the commit to be live', async () => (await live('new')) === 'on' && (await live('web')) === 'more' && (await live('old')) === undefined);
  else await scene.until('web', 'OutOfSync both');

  expect(await first.stop()).toBe(0);
  await eventually('the other agent to lead', () => Promise.resolve(second.output.stderr.includes('"message":"this agent leads"')));
  await scene.edit('jobs', 'off');
  await eventually('the next edit to be seen', async () => JSON.stringify((await status('jobs')).episodes).includes('ConfigMap/'));
  if (acts) await eventually('the next edit to be healed', async () => (await live('jobs')) === 'on');
  const [doctored, rights] = [await installed.doctor(), await rightsOf(scene, installed.username)];
  expect(await second.stop()).toBe(0);
  // Whoever only looks has changed nothing.
  expect([await live('jobs'), await live('old'), await isThere(`/api/v1/namespaces/${namespace}/services/web`)]).toEqual(acts ? ['on', undefined, true] : ['off', 'on', false]);
  return { namespace, doctored, rights, sent: (await audit.events()).filter(({ user }) => user.username === installed.username), looks: looks([first, second]), told: sink.requests.length };
}

const secrets = (namespace: string): object[] => [{ namespace, names: ['keys'] }];
const noDryRuns = (namespace: string): Doctored => ({
  code: 3,
  bad: ['configmaps', 'cronjobs.batch', 'deployments.apps', 'services'].map((kind) => `warning rights: may not patch ${kind} in namespace ${namespace}: what only the server can tell is Unknown`),
});
const allFine = (): Doctored => ({ code: 0, bad: [] });

interface Level extends Hour {
  readonly level: string;
  readonly doctored: (namespace: string) => Doctored;
  readonly writes: readonly string[];
}

const levels: readonly Level[] = [
  { level: 'read-only', acts: false, values: (namespace) => ({ rbac: { secrets: secrets(namespace) } }), doctored: noDryRuns, writes: [] },
  { level: 'read-only with dry runs', acts: false, values: (namespace) => ({ rbac: { dryRuns: true, secrets: secrets(namespace) } }), doctored: allFine, writes: [] },
  { level: 'sync-namespaces', acts: true, values: (namespace) => ({ rbac: { level: 'sync-namespaces', namespaces: [namespace], secrets: secrets(namespace) } }), doctored: allFine, writes: ['write here'] },
  { level: 'sync-everywhere', acts: true, values: (namespace) => ({ rbac: { level: 'sync-everywhere', secrets: secrets(namespace) } }), doctored: allFine, writes: ['write here', 'write elsewhere', 'bind cluster roles'] },
];

describe.concurrent('an hour of work', () => {
  test.each(levels)('$level: nothing is refused, and doctor says what the level promises', { timeout: 180_000 }, async ({ doctored, writes, ...hour }) => {
    const worked = await workAnHour(hour);
    expect(worked.sent.filter(isForbidden).map(shown)).toEqual([]);
    expect(worked.doctored).toEqual(doctored(worked.namespace));
    expect(Object.keys(worked.rights).filter((right) => worked.rights[right])).toEqual([...writes, 'read its Secret']);
    // What there was to refuse.
    expect(worked.looks).toBeGreaterThanOrEqual(polls);
    expect(worked.told).toBeGreaterThan(0);
    const done = new Set(worked.sent.map(({ verb, objectRef }) => `${verb} ${objectRef?.resource ?? ''}`));
    expect([...done]).toEqual(expect.arrayContaining(['create leases', 'patch leases', 'get configmaps', 'create events', 'update applications', 'list pods', ...(hour.acts ? ['get namespaces'] : []), 'watch secrets', 'watch deployments', 'list customresourcedefinitions']));
    const written = new Set(worked.sent.filter(({ objectRef, requestURI }) => objectRef?.resource === 'configmaps' && !requestURI.includes('dryRun=All')).map(({ verb }) => verb));
    expect(['create', 'patch', 'update', 'delete'].filter((verb) => written.has(verb))).toEqual(hour.acts ? ['patch', 'update', 'delete'] : []);
  });

  test('read-only changes nothing for an Application that asks for it, and doctor names the rights that it takes', { timeout: 180_000 }, async () => {
    await using scene = await agentScene(cluster, ['web']);
    const { namespace } = scene;
    await cluster.kubectl(['apply', '-n', namespace, '-f', '-'], manifest('web', 'on'));
    await using installed = await installChart(cluster, scene, { rbac: { namespaces: [namespace], noticeNewKinds: false } });
    await scene.declare('web', { syncPolicy: { syncOptions: ['CreateNamespace=true'], automated: { selfHeal: true } } });
    const audit = await cluster.auditLog();
    await using agent = installed.start();
    await scene.until('web', 'Synced', 60_000);
    await scene.edit('web', 'off');
    await scene.until('web', 'OutOfSync live-changed', 60_000);
    await scene.refresh('web');
    const sent = (await audit.events()).filter(({ user }) => user.username === installed.username);
    // What it was asked for it tries; all else is asked first.
    expect(new Set(sent.filter(isForbidden).map(shown))).toEqual(new Set([`patch /api/v1/namespaces/${namespace}/configmaps/web?`]));
    expect(sent.map(({ verb, objectRef }) => `${verb} ${objectRef?.resource ?? ''}`)).toContain('get namespaces');
    expect(await installed.doctor()).toEqual({
      code: 4,
      bad: [
        `failure rights: may not create configmaps in namespace ${namespace}: objects that are missing stay missing`,
        `failure rights: may not patch configmaps in namespace ${namespace}: nothing is applied`,
        ...['apiservices.apiregistration.k8s.io', 'customresourcedefinitions.apiextensions.k8s.io', 'mutatingwebhookconfigurations.admissionregistration.k8s.io', 'validatingwebhookconfigurations.admissionregistration.k8s.io'].map((kind) => `warning rights: may not list, watch ${kind} in the whole cluster: new kinds and webhooks are noticed late`),
      ],
    });
    expect(await agent.stop()).toBe(0);
    expect(await scene.live('web')).toBe('off');
  });

  test.each([
    [true, []],
    [false, ['warning rights: may not get customresourcedefinitions.apiextensions.k8s.io applications.setpoint.dev in the whole cluster: deletionPolicy: Cascade leaves every object, because the end of one Application cannot be told from that of all']],
  ])('whether Applications take their objects with them without the right to notice new kinds is what rbac.cascade says: %j', { timeout: 180_000 }, async (cascade, warnings) => {
    await using scene = await agentScene(cluster, ['web']);
    const { namespace } = scene;
    await using installed = await installChart(cluster, scene, { rbac: { level: 'sync-namespaces', namespaces: [namespace], noticeNewKinds: false, cascade } });
    await scene.declare('web', { syncPolicy: { automated: {} }, deletionPolicy: 'Cascade' });
    await using agent = installed.start();
    await scene.until('web', 'Synced', 60_000);
    expect((await installed.doctor()).bad.filter((line) => line.includes('may not get'))).toEqual(warnings);
    await eventually('the finalizer', async () => (await cluster.kubectl(['get', 'sp', 'web', '-n', namespace, '-o', 'jsonpath={.metadata.finalizers}'])).includes('setpoint.dev/cascade'));
    await cluster.kubectl(['delete', 'sp', 'web', '-n', namespace, '--wait=false']);
    await eventually('the Application to go', async () => (await cluster.kubectl(['get', 'sp', 'web', '-n', namespace, '--ignore-not-found', '-o', 'name'])) === '');
    expect(await scene.live('web')).toBe(cascade ? undefined : 'on');
    expect(await agent.stop()).toBe(0);
  });
});
