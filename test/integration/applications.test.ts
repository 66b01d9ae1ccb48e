import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { readApplication } from '../../src/apps/read-application.ts';
import { createCluster, loadKubeconfig, type ApplicationEvent, type ApplicationObjects, type Cluster } from '../../src/cluster/index.ts';
import type { JsonObject, KubeObject } from '../../src/model/index.ts';
import { mergePatch } from '../../src/status/index.ts';
import { installCrd } from '../support/application-crd.ts';
import { goneStatus, startApiFront } from '../support/api-front.ts';
import type { TestNamespace } from '../support/cluster/test-cluster.ts';
import { openRawApi, type RawApi } from '../support/raw-api.ts';
import { recordingLog } from '../support/recording-log.ts';
import { sharedCluster } from '../support/test-run/index.ts';
import { waitFor } from '../support/wait-for.ts';
import { kubeconfigVia, serverOf } from '../support/watched-cluster.ts';

const admin = sharedCluster();
const signal = new AbortController().signal;
const source = { repoURL: 'https://git.example.com/fleet', path: 'web' };
let cluster: Cluster;
let applications: ApplicationObjects;
let namespace: TestNamespace;
let api: RawApi;

beforeAll(async () => {
  await installCrd(admin);
  cluster = createCluster(await loadKubeconfig({ file: admin.kubeconfig }));
  applications = cluster.applications();
  namespace = await admin.createNamespace();
  api = await openRawApi(admin.kubeconfig);
});

afterAll(async () => {
  await cluster.close();
  await api[Symbol.asyncDispose]();
  await namespace[Symbol.asyncDispose]();
});

function application(name: string, spec: JsonObject = { source }): JsonObject {
  return { apiVersion: 'setpoint.dev/v1alpha1', kind: 'Application', metadata: { name, namespace: namespace.name }, spec };
}

const pathOf = (name: string): string => `/apis/setpoint.dev/v1alpha1/namespaces/${namespace.name}/applications/${name}`;

async function made(name: string, spec?: JsonObject): Promise<KubeObject> {
  const { status, text } = await api.send('PATCH', `${pathOf(name)}?fieldManager=test&force=true`, { type: 'application/apply-patch+yaml', text: JSON.stringify(application(name, spec)) });
  if (status >= 300) throw new Error(text);
  return JSON.parse(text) as KubeObject;
}

/** What the server says of a document that it does not take; nothing where it does. */
async function refusalOf(spec: JsonObject): Promise<string> {
  const { status, text } = await api.send('PATCH', `${pathOf('refused')}?fieldManager=test&force=true&dryRun=All`, {
    type: 'application/apply-patch+yaml',
    text: JSON.stringify(application('refused', spec)),
  });
  return status < 300 ? '' : (JSON.parse(text) as { message: string }).message;
}

const versionOf = ({ metadata }: KubeObject): string => metadata['resourceVersion'] as string;
const idOf = (name: string): string => `${namespace.name}/${name}`;

describe('the definition', () => {
  test('is taken by the server, and its name is short', async () => {
    const { spec, status } = await admin.getJson<{ spec: JsonObject; status: { conditions: readonly { type: string; status: string }[] } }>('crd', 'applications.setpoint.dev');
    expect(spec['names']).toMatchObject({ kind: 'Application', shortNames: ['sp'], categories: ['setpoint'] });
    const held = status.conditions.filter((condition) => condition.status === 'True').map(({ type }) => type);
    expect(held.toSorted()).toEqual(['Established', 'NamesAccepted']);
    expect(await admin.kubectl(['get', 'sp', '-n', namespace.name, '-o', 'name'])).toBe('');
  });

  test('takes Argo CD’s own example of every field that both have', async () => {
    expect(await refusalOf({
      project: 'default',
      source: { ...source, targetRevision: 'main', helm: { releaseName: 'r', valueFiles: ['a'], valuesObject: { deep: { er: [1, { x: null }] } }, parameters: [{ name: 'a', value: 'b', forceString: true }] } },
      destination: { server: 'https://kubernetes.default.svc', namespace: 'shop' },
      syncPolicy: { automated: { prune: true, selfHeal: true, allowEmpty: false, enabled: true }, syncOptions: ['CreateNamespace=true'], retry: { limit: 5, backoff: { duration: '5s', factor: 2, maxDuration: '3m' } } },
      ignoreDifferences: [{ group: 'apps', kind: 'Deployment', jsonPointers: ['/spec/replicas'] }],
      revisionHistoryLimit: 10,
    })).toBe('');
  });

  const longPath = 'a/'.repeat(2048);
  test.each<[string, JsonObject, RegExp]>([
    ['neither source nor sources', {}, /spec: .*exactly one of source and sources is wanted/],
    ['both source and sources', { source, sources: [source] }, /spec: .*exactly one of source and sources is wanted/],
    ['empty sources', { sources: [] }, /spec: .*exactly one of source and sources is wanted/],
    ['more than 20 sources', { sources: Array.from({ length: 21 }, () => source) }, /spec\.sources: .*must have at most 20 items/],
    ['no repoURL', { source: { path: 'a' } }, /spec\.source\.repoURL: Required value/],
    ['no path', { source: { repoURL: source.repoURL } }, /spec\.source: .*path is missing/],
    ['a chart of a Helm repository', { source: { repoURL: 'https://charts.example.com', chart: 'redis' } }, /charts of Helm repositories are not supported/],
    ['an absolute path', { source: { ...source, path: '/etc' } }, /spec\.source\.path: .*a path inside the repository is wanted/],
    ['a path upwards', { source: { ...source, path: 'a/../../b' } }, /a path inside the repository is wanted: not absolute, and without \.\./],
    ['a path upwards in one of several sources', { sources: [source, { ...source, path: '..' }] }, /spec\.sources\[1\]\.path: .*a path inside/],
    ['a path that is too long', { source: { ...source, path: `${longPath}aa` } }, /may not be more than 4096/],
    ['a repository on the disk', { source: { ...source, repoURL: 'file:///var/lib/setpoint' } }, /spec\.source: .*repoURL: an https:\/\/, http:\/\/ or ssh:\/\/ URL or USER@HOST:PATH is wanted/],
    ['a folder as repository', { source: { ...source, repoURL: '/var/lib/setpoint' } }, /USER@HOST:PATH is wanted/],
    ['another scheme', { source: { ...source, repoURL: 'oci://ghcr.io/acme/fleet' } }, /other ways to a Git repository are not supported/],
    ['an interval that is too short', { source, interval: '9s' }, /spec\.interval: .*a duration of at least 10s is wanted/],
    ['an interval in seconds that is too short', { source, interval: '9' }, /a duration of at least 10s is wanted/],
    ['an interval that is none', { source, interval: 'often' }, /a duration of at least 10s is wanted/],
    ['a retry that is none', { source, syncPolicy: { retry: { backoff: { duration: 'soon' } } } }, /backoff\.duration: .*a duration such as 30s/],
    ['a factor of nothing', { source, syncPolicy: { retry: { backoff: { factor: 0 } } } }, /factor.* should be greater than or equal to 1/],
    ['another drift mode', { source, drift: { mode: 'alert' } }, /spec\.drift\.mode: .*supported values: "Alert", "Heal", "Ignore"/],
    ['another way with foreign fields', { source, drift: { foreignFields: 'Keep' } }, /supported values: "Report", "Revert", "Ignore"/],
    ['another deletion policy', { source, deletionPolicy: 'Delete' }, /supported values: "Orphan", "Cascade"/],
    ['a namespace that is none', { source, destination: { namespace: 'Shop_1' } }, /spec\.destination\.namespace: .*the name of a namespace is wanted/],
    ['a parameter without a name', { source: { ...source, helm: { parameters: [{ value: 'x' }] } } }, /parameters\[0\]\.name: Required value/],
    ['a text as flag', { source: { ...source, directory: { recurse: 'yes' } } }, /spec\.source\.directory\.recurse: expected boolean/],
  ])('refuses %s', async (_name, spec, message) => {
    expect(await refusalOf(spec)).toMatch(message);
    // Without the server's help the same is refused, but for one thing: in a file sources win over source, as in Argo CD.
    const { source: first, sources: all } = spec;
    expect(readApplication(application('refused', spec)).type).toBe(first !== undefined && all !== undefined ? 'application' : 'invalid');
  });

  test.each(['https://me:canary@git.example.com/fleet', 'ssh://git:canary@git.example.com/fleet', 'ftp://me:canary@git.example.com/fleet'])('refuses %s, and does not repeat it', async (repoURL) => {
    const message = await refusalOf({ source: { ...source, repoURL } });
    expect(message).toContain('repoURL: a URL without a password is wanted');
    expect(message).not.toContain('canary');
  });

  test.each<[string, JsonObject]>([
    ['SSH', { source: { ...source, repoURL: 'ssh://git@git.example.com:2222/acme/fleet' } }],
    ['the short form of SSH', { source: { ...source, repoURL: 'git@git.example.com:acme/fleet.git' } }],
    ['a port, and an @ in the path', { source: { ...source, repoURL: 'https://git.example.com:8443/a@b' } }],
    ['dots in names', { source: { ...source, path: 'a..b/..c/d..' } }],
    ['the whole repository', { source: { ...source, path: '' } }],
    ['a source that only lends files', { sources: [source, { repoURL: source.repoURL, ref: 'values' }] }],
    ['20 sources', { sources: Array.from({ length: 20 }, () => source) }],
    ['no sources beside a source', { source, sources: [] }],
    ['intervals', { source, interval: '1m30s', syncPolicy: { retry: { backoff: { duration: '5', maxDuration: '1.5h' } } } }],
    ['an interval in seconds', { source, interval: '10' }],
    ['counts as numbers and as text', { source: { ...source, kustomize: { replicas: [{ name: 'a', count: 1 }, { name: 'b', count: '2' }] } } }],
  ])('takes %s', async (_name, spec) => {
    expect(await refusalOf(spec)).toBe('');
    expect(readApplication(application('taken', spec))).toMatchObject({ type: 'application' });
  });
});


test('the server takes the examples', async () => {
  const folder = join(import.meta.dirname, '..', '..', 'examples', 'applications');
  await using place = await admin.createNamespace();
  const documents = await Promise.all((await readdir(folder)).map((name) => readFile(join(folder, name), 'utf8')));
  expect(documents.length).toBeGreaterThan(3);
  const texts = documents.map((text) => text.replace('namespace: setpoint', `namespace: ${place.name}`));
  const applied = await admin.kubectl(['apply', '-f', '-'], texts.join('---\n'));
  expect(applied.trimEnd().split('\n')).toHaveLength(documents.length);
});

describe('what the server keeps', () => {
  test('are fields that nobody here knows, at every level, so that they can be named', async () => {
    const object = await made('unknown-fields', {
      newInArgo: { a: 1 },
      source: { ...source, plugin2: 'x', helm: { releaseName: 'r', passCredentials: true, parameters: [{ name: 'a', extra: 1 }] }, directory: { jsonnet: { libs: ['a'] } } },
      destination: { namespace: 'shop', region: 'eu' },
      syncPolicy: { automated: { dryRun: true }, retry: { backoff: { jitter: 1 }, other: 1 }, managedNamespaceMetadata: { labels: { a: 'b' } } },
      drift: { mode: 'Alert', sometimes: true },
      ignoreDifferences: [{ kind: 'Deployment', jsonPointers: ['/a'], since: 'x' }],
      info: [{ name: 'url', value: 'x' }],
      sourceHydrator: { drySource: { path: 'a' } },
    });
    const read = readApplication(object);
    expect(read).toMatchObject({ type: 'application', spec: { ignoreRules: [{ kind: 'Deployment', jsonPointers: ['/a'], since: 'x' }] } });
    const warned = read.type === 'application' ? read.spec.warnings.map((warning) => warning.split(' ')[0] ?? '') : [];
    expect(warned.toSorted()).toEqual([
      'spec.destination.region',
      'spec.drift.sometimes',
      'spec.info',
      'spec.newInArgo',
      'spec.source.directory.jsonnet',
      'spec.source.helm.parameters[0].extra',
      'spec.source.helm.passCredentials',
      'spec.source.plugin2',
      'spec.sourceHydrator',
      'spec.syncPolicy.automated.dryRun',
      'spec.syncPolicy.managedNamespaceMetadata',
      'spec.syncPolicy.retry.backoff.jitter',
      'spec.syncPolicy.retry.other',
    ]);
  });

  test('is an operation of Argo CD', async () => {
    await made('operated');
    const { text } = await api.send('PATCH', pathOf('operated'), { type: 'application/merge-patch+json', text: '{"operation":{"sync":{"prune":true}}}' });
    expect(readApplication(JSON.parse(text) as KubeObject)).toMatchObject({ spec: { warnings: ['operation is not supported, and has no effect'] } });
  });
});

const drifted = {
  observedGeneration: 1,
  observedAt: '2026-01-31T12:00:00Z',
  mode: 'alert',
  drift: '2/14',
  driftedSince: '2026-01-31T11:54:00Z',
  sync: { status: 'OutOfSync', cause: 'live-changed', revision: '4e9c917', shortRevision: 'main@4e9c917', message: 'two differ' },
  health: { status: 'Healthy' },
  resources: [{ group: 'apps', version: 'v1', kind: 'Deployment', namespace: 'prod', name: 'web', status: 'OutOfSync', since: '2026-01-31T11:54:00Z', fields: ['spec.replicas'], by: 'kubectl-edit' }],
  conditions: [{ type: 'Synced', status: 'False', reason: 'LiveChanged', message: 'm', lastTransitionTime: '2026-01-31T11:54:00Z', observedGeneration: 1 }],
  episodes: [{ id: 'drf_1', openedAt: '2026-01-31T11:54:00Z' }],
  epoch: 9_007_199_254_740_993n,
} as const satisfies JsonObject;

describe('the status', () => {
  test('is written beside the spec, and read back as it was, to the last digit', async () => {
    const before = await made('reported');
    const written = await applications.putStatus(idOf('reported'), drifted, { resourceVersion: versionOf(before), signal });
    expect(written).toMatchObject({ type: 'written', object: { status: drifted, spec: { source }, metadata: { generation: 1 } } });
    expect((await api.send('GET', pathOf('reported'))).text).toContain('"epoch":9007199254740993');
  });

  test('cannot be written as a part of the object', async () => {
    const { text } = await api.send('PATCH', pathOf('reported'), { type: 'application/merge-patch+json', text: '{"status":{"mode":"auto"}}' });
    expect(JSON.parse(text)).toMatchObject({ status: { mode: 'alert' } });
  });

  test('is shown by kubectl in columns', async () => {
    const table = await admin.kubectl(['get', 'sp', 'reported', '-n', namespace.name]);
    const [header = '', row = ''] = table.trimEnd().split('\n');
    expect(header.split(/ {2,}/)).toEqual(['NAME', 'SYNC', 'CAUSE', 'DRIFT', 'SINCE', 'HEALTH', 'REVISION', 'MODE', 'AGE']);
    expect(row).toMatch(/^reported +OutOfSync +live-changed +2\/14 +\d+d +Healthy +main@4e9c917 +alert +\d+s$/);
    expect(await admin.kubectl(['get', 'setpoint', '-n', namespace.name, '-o', 'name'])).toContain('application.setpoint.dev/reported\n');
    expect(await admin.kubectl(['get', 'sp', 'reported', '-n', namespace.name, '-o', 'wide'])).toMatch(/MESSAGE +REPO\n.*two differ +https:\/\/git\.example\.com\/fleet\n$/);
  });

  test('is written by whoever read it last: another is told of the conflict, and nothing of his is there', async () => {
    const before = await made('contested');
    const resourceVersion = versionOf(before);
    expect(await applications.putStatus(idOf('contested'), { mode: 'auto' }, { resourceVersion, signal })).toMatchObject({ type: 'written' });
    expect(await applications.putStatus(idOf('contested'), { drift: '1/1' }, { resourceVersion, signal })).toEqual({ type: 'conflict' });
    expect(JSON.parse((await api.send('GET', pathOf('contested'))).text)).toHaveProperty('status', { mode: 'auto' });
  });

  test('may hold what only a newer version knows, at every level', async () => {
    const before = await made('newer');
    const newer = { mode: 'auto', invented: { later: [1] }, sync: { status: 'Synced', proof: 'x' }, resources: [{ name: 'a', invented: true }] };
    const first = await applications.putStatus(idOf('newer'), newer, { resourceVersion: versionOf(before), signal });
    expect(first).toHaveProperty('object.status', newer);
    expect(readApplication(first.type === 'written' ? first.object : before)).toMatchObject({ type: 'application', spec: { warnings: [] } });
  });

  test('after a patch is the same here as the server makes it', async () => {
    const before = await made('patched');
    const status = { mode: 'auto', invented: { later: [1], gone: true }, sync: { status: 'Synced', proof: 'x' }, resources: [{ name: 'a', invented: true }] };
    await applications.putStatus(idOf('patched'), status, { resourceVersion: versionOf(before), signal });
    const patch = { mode: null, drift: '1/2', invented: { gone: null }, sync: { status: 'Unknown', cause: null }, resources: [], episodes: [{ id: 'a', closedAt: null }] };
    const { text } = await api.send('PATCH', `${pathOf('patched')}/status`, { type: 'application/merge-patch+json', text: JSON.stringify({ status: patch }) });
    expect(mergePatch(status, patch)).toEqual((JSON.parse(text) as { status: JsonObject }).status);
  });

  test('has room for a long memory, and not for more resources than people read', async () => {
    const before = await made('large');
    const resourceVersion = versionOf(before);
    const tooMany = await applications.putStatus(idOf('large'), { resources: Array.from({ length: 51 }, (_, at) => ({ name: `r${at}` })) }, { resourceVersion, signal });
    expect(tooMany).toMatchObject({ type: 'invalid', message: expect.stringContaining('status.resources') as string });
    expect(await applications.putStatus(idOf('large'), { memory: 'x'.repeat(700_000) }, { resourceVersion, signal })).toMatchObject({ type: 'written' });
  });

  test('of an Application that is gone is gone', async () => {
    expect(await applications.putStatus(idOf('nobody'), { mode: 'auto' }, { resourceVersion: '1', signal })).toEqual({ type: 'gone' });
  });

  test('needs a right, which is named', async () => {
    const before = await made('guarded');
    const user = await admin.restrictedUser(namespace.name, [{ apiGroups: ['setpoint.dev'], resources: ['applications'], verbs: ['get', 'list', 'watch', 'patch'] }]);
    await using restricted = await opened(user);
    expect(await restricted.applications.putStatus(idOf('guarded'), { mode: 'auto' }, { resourceVersion: versionOf(before), signal })).toEqual({
      type: 'unknown',
      code: 'Forbidden',
      message: `not allowed to update applications.setpoint.dev/status in namespace ${namespace.name}: ask for that right`,
    });
    expect(await restricted.applications.annotate(idOf('guarded'), { 'setpoint.dev/refresh': 'now' }, signal)).toMatchObject({ type: 'written' });
  });
});

test('annotations are set and removed, and mean something', async () => {
  await made('annotated');
  const pause = { 'setpoint.dev/pause': '2026-01-31T19:00:00+01:00', 'setpoint.dev/pause-reason': 'migration', 'setpoint.dev/refresh': '1' };
  const first = await applications.annotate(idOf('annotated'), pause, signal);
  if (first.type !== 'written') throw new Error(JSON.stringify(first));
  expect(readApplication(first.object)).toMatchObject({ spec: { pause: { until: '2026-01-31T18:00:00.000Z', reason: 'migration' }, refresh: '1', generation: 1 } });
  const second = await applications.annotate(idOf('annotated'), { 'setpoint.dev/pause': null, 'setpoint.dev/pause-reason': null }, signal);
  expect(second).toHaveProperty('object.metadata.annotations', { 'setpoint.dev/refresh': '1' });
  expect(await applications.annotate(idOf('nobody'), { a: 'b' }, signal)).toEqual({ type: 'gone' });
});

interface Opened extends AsyncDisposable {
  readonly applications: ApplicationObjects;
}

async function opened(kubeconfig: string): Promise<Opened> {
  const other = createCluster(await loadKubeconfig({ file: kubeconfig }));
  return { applications: other.applications(), [Symbol.asyncDispose]: () => other.close() };
}

/** Everything that was told, in one line each. */
function line(event: ApplicationEvent): string {
  switch (event.type) {
    case 'listed':
      return `listed ${event.objects.map(({ metadata }) => metadata.name).join(' ')}`.trim();
    case 'changed':
      return `changed ${event.object.metadata.name}`;
    case 'deleted':
      return `deleted ${event.id.split('/')[1]} ${event.uid === '' ? 'of no uid' : ''}`.trim();
    case 'out-of-sight':
      return `out-of-sight ${event.code}`;
    case 'in-sight':
      return 'in-sight';
  }
}

describe('a watch', () => {
  const watching = (objects: ApplicationObjects, namespaces: 'all' | readonly string[]) => {
    const events: ApplicationEvent[] = [];
    const log = recordingLog();
    const watch = objects.watch({ namespaces, onChange: (event) => events.push(event), log, now: () => new Date(), pacing: { slowRetryMs: 200, backoff: { baseMs: 10, maxMs: 50 } } });
    const saw = (text: string): Promise<boolean> => waitFor(() => events.some((event) => line(event) === text), { what: `${text} among ${events.map(line).join(', ')}` });
    return { watch, events, log, saw, [Symbol.asyncDispose]: () => watch.close() };
  };
  const inNamespace = async (name: string, inside: string, method: 'PATCH' | 'DELETE' = 'PATCH'): Promise<void> => {
    const path = `/apis/setpoint.dev/v1alpha1/namespaces/${inside}/applications/${name}`;
    const text = JSON.stringify({ ...application(name), metadata: { name, namespace: inside } });
    const body = { type: 'application/apply-patch+yaml', text };
    const answer = method === 'DELETE' ? await api.send('DELETE', path) : await api.send('PATCH', `${path}?fieldManager=test&force=true`, body);
    expect(answer.status).toBeLessThan(300);
  };

  test('tells of all that there are, and then of what changes', async () => {
    await using place = await admin.createNamespace();
    await inNamespace('one', place.name);
    await using seen = watching(applications, [place.name]);
    await seen.saw('listed one');
    await seen.saw('in-sight');
    expect(seen.watch.inSight()).toBe(true);
    expect(seen.watch.troubles()).toEqual([]);
    await inNamespace('two', place.name);
    await seen.saw('changed two');
    await applications.annotate(`${place.name}/one`, { 'setpoint.dev/refresh': 'x' }, signal);
    await seen.saw('changed one');
    await inNamespace('two', place.name, 'DELETE');
    await seen.saw('deleted two');
    expect(seen.events.map(line)).toEqual(['listed one', 'in-sight', 'changed two', 'changed one', 'deleted two']);
    const [first] = seen.events;
    expect(first).not.toHaveProperty('objects.0.metadata.managedFields');
    expect(first).toMatchObject({ objects: [{ apiVersion: 'setpoint.dev/v1alpha1', kind: 'Application', spec: { source } }] });
  });

  test('tells of an empty namespace that it is empty', async () => {
    await using place = await admin.createNamespace();
    await using seen = watching(applications, [place.name]);
    await seen.saw('listed');
  });

  test('of the whole cluster has those of every namespace', async () => {
    await using place = await admin.createNamespace();
    await inNamespace('anywhere', place.name);
    await using seen = watching(applications, 'all');
    await waitFor(() => seen.events.some((event) => event.type === 'listed' && event.objects.some(({ metadata }) => metadata.namespace === place.name)), { what: 'the list' });
    await inNamespace('later', place.name);
    await seen.saw('changed later');
  });

  test('that missed something tells of it after a new list, deletions included, and of nothing twice', async () => {
    await using place = await admin.createNamespace();
    await using front = await startApiFront((await serverOf(admin)).href);
    await using through = await opened(await kubeconfigVia(admin, front.port, front.authority));
    for (const name of ['stays', 'changes', 'goes']) await inNamespace(name, place.name);
    await using seen = watching(through.applications, [place.name]);
    await seen.saw('in-sight');
    await waitFor(() => front.watches.length === 1, { what: 'the watch' });
    let isDown = true;
    front.answerAll(() => isDown, { status: 503 });
    front.watches[0]?.end();
    await inNamespace('goes', place.name, 'DELETE');
    await inNamespace('comes', place.name);
    await applications.annotate(`${place.name}/changes`, { 'setpoint.dev/refresh': 'x' }, signal);
    front.answerNext(({ isWatch }) => isWatch, { status: 410, body: goneStatus });
    await waitFor(() => front.unused === 0, { what: 'the version to be too old' });
    isDown = false;
    await seen.saw('changed comes');
    expect(seen.events.map(line)).toEqual(['listed changes goes stays', 'in-sight', 'deleted goes', 'changed changes', 'changed comes']);
  });

  test('is out of sight where it is not allowed, and in sight elsewhere', async () => {
    await using forbidden = await admin.createNamespace();
    const user = await admin.restrictedUser(namespace.name, [{ apiGroups: ['setpoint.dev'], resources: ['applications'], verbs: ['list', 'watch'] }]);
    await using restricted = await opened(user);
    await using seen = watching(restricted.applications, [namespace.name, forbidden.name]);
    await seen.saw('in-sight');
    await seen.saw('out-of-sight Forbidden');
    expect(seen.events.filter(({ type }) => type === 'listed')).toHaveLength(1);
    expect(seen.watch.inSight()).toBe(false);
    expect(seen.watch.troubles()).toEqual([{ namespace: forbidden.name, code: 'Forbidden', message: `not allowed to list and watch applications.setpoint.dev in namespace ${forbidden.name}: ask for that right` }]);
  });

  test('says how to install the definition where there is none, and goes on when it is there', async () => {
    await using front = await startApiFront((await serverOf(admin)).href);
    let isInstalled = false;
    front.answerAll(({ url }) => !isInstalled && url.pathname.startsWith('/apis/setpoint.dev'), { status: 404, headers: { 'content-type': 'text/plain' }, body: '404 page not found\n' });
    await using through = await opened(await kubeconfigVia(admin, front.port, front.authority));
    await using seen = watching(through.applications, [namespace.name]);
    await seen.saw('out-of-sight KindNotServed');
    const [trouble] = seen.watch.troubles();
    expect(trouble?.message).toMatch(/^the cluster does not know Applications: install .* kubectl apply --server-side -f (charts\S+)$/);
    const file = trouble?.message.split(' ').at(-1) ?? '';
    expect(await readFile(join(import.meta.dirname, '..', '..', file), 'utf8')).toContain('name: applications.setpoint.dev');
    expect(seen.events.filter(({ type }) => type === 'listed')).toEqual([]);
    isInstalled = true;
    await seen.saw('in-sight');
    expect(seen.watch.inSight()).toBe(true);
  });

  test('ends with the cluster, and tells nothing afterwards', async () => {
    const other = createCluster(await loadKubeconfig({ file: admin.kubeconfig }));
    const seen = watching(other.applications(), [namespace.name]);
    await seen.saw('in-sight');
    await other.close();
    const told = seen.events.length;
    await made('after-the-end');
    expect(seen.events).toHaveLength(told);
  });
});
