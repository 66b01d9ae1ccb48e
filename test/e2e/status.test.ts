import { execFile } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { beforeAll, describe, expect, test } from 'vitest';
import { emptyStatus, plainApplication, resourceKey, type AppStatus, type JsonObject } from '../../src/model/index.ts';
import { applicationStatus } from '../../src/status/application-status.ts';
import { openStateFolder, readControls } from '../../src/status/index.ts';
import { installCrd } from '../support/application-crd.ts';
import { runCli, startCli, type CliResult } from '../support/cli.ts';
import { kubeconfigText } from '../support/cluster/kubeconfig.ts';
import { freePort } from '../support/free-port.ts';
import { startGitServer } from '../support/git-server.ts';
import { sharedCluster } from '../support/test-run/index.ts';
import { tempFolder } from '../support/temp-folder.ts';
import { waitFor } from '../support/wait-for.ts';

const cluster = sharedCluster();

beforeAll(() => installCrd(cluster), 60_000);

const hoursAgo = (hours: number): string => new Date(Date.now() - hours * 3_600_000).toISOString();
const source = { repoURL: 'https://git.example.com/acme/fleet', path: 'apps/web', targetRevision: 'main' };
const drifted: Partial<AppStatus> = {
  verdict: { status: 'OutOfSync', cause: 'live-changed' },
  verdictSince: hoursAgo(10),
  commit: '4e9c917aaaabbbb',
  reference: { repository: source.repoURL, revision: 'main' },
  declared: 14,
  resources: [{ key: resourceKey({ group: 'apps', kind: 'Deployment', namespace: 'shop', name: 'web' }), origin: 'a.yaml#1', type: 'changed', cause: 'live-changed', since: hoursAgo(6.5), fields: ['spec.replicas'], by: 'kubectl-edit' }],
  episodes: [{ id: 'drf_1', key: resourceKey({ group: 'apps', kind: 'Deployment', namespace: 'shop', name: 'web' }), cause: 'live-changed', openedAt: hoursAgo(6.5), closedAt: null, fingerprint: 'f', fields: ['spec.replicas'], by: 'kubectl-edit' }],
  history: [{ id: 1, at: hoursAgo(11.5), revision: '4e9c917aaaabbbb', cause: 'git-ahead', applied: 3, held: 0, failed: 0 }],
};
const synced: Partial<AppStatus> = { verdict: { status: 'Synced' }, verdictSince: new Date().toISOString(), commit: '4e9c917aaaabbbb', reference: { repository: source.repoURL, revision: 'main' }, declared: 2 };

interface Scene extends AsyncDisposable {
  readonly namespace: string;
  create(name: string, parts?: { readonly labels?: JsonObject; readonly spec?: JsonObject }): Promise<void>;
  /** As an agent writes it. */
  observe(name: string, status: Partial<AppStatus>, extra?: JsonObject): Promise<void>;
  /** A sign of life of the agent. */
  beat(secondsAgo?: number): Promise<void>;
  setpoint(...args: readonly string[]): Promise<CliResult>;
}

async function scene(): Promise<Scene> {
  const namespace = await cluster.createNamespace();
  const { name: place } = namespace;
  const application = plainApplication({ name: 'web', sources: [{ repository: source.repoURL, revision: 'main', path: 'apps/web', ref: undefined, options: {} }] });
  return {
    namespace: place,
    async create(name, { labels = {}, spec = {} } = {}) {
      await cluster.apply(JSON.stringify({ apiVersion: 'setpoint.dev/v1alpha1', kind: 'Application', metadata: { name, namespace: place, labels }, spec: { source, destination: { namespace: 'shop' }, ...spec } }));
    },
    async observe(name, status, extra = {}) {
      const now = new Date();
      const written = { ...applicationStatus({ ...emptyStatus(`${place}/${name}`), checkedAt: now.toISOString(), generation: 1, ...status }, application, now), lease: `${place}/agent`, epoch: 1, ...extra };
      await cluster.kubectl(['patch', 'applications.setpoint.dev', name, '-n', place, '--subresource=status', '--type=merge', '-p', JSON.stringify({ status: written })]);
    },
    async beat(secondsAgo = 0) {
      const renewTime = new Date(Date.now() - secondsAgo * 1000).toISOString().replace('Z', '000Z');
      await cluster.apply(JSON.stringify({ apiVersion: 'coordination.k8s.io/v1', kind: 'Lease', metadata: { name: 'agent', namespace: place }, spec: { holderIdentity: 'pod-1', leaseDurationSeconds: 15, renewTime } }));
    },
    setpoint: (...args) => runCli([...args, '-n', place, '--kubeconfig', cluster.kubeconfig]),
    [Symbol.asyncDispose]: () => namespace[Symbol.asyncDispose](),
  };
}

describe('status', () => {
  test('a table of all, with exit codes as the verdicts are', async () => {
    await using at = await scene();
    await at.beat();
    await at.create('web');
    await at.observe('web', synced);
    const good = await at.setpoint('status', '--exit-code');
    expect(good.stdout).toMatch(/NAMESPACE +APP +SYNC .*LAST CHECK\n\S+ +web +Synced +- +0\/2 +- +- +main@4e9c917 +alert +\ds\n1 app: 1 Synced\n/);
    expect(good).toMatchObject({ code: 0, stderr: '' });

    await at.create('cart', { labels: { tier: 'shop' } });
    const fresh = await at.setpoint('status', '--exit-code');
    expect(fresh.stdout).toMatch(/cart +Unknown .*✗ it has not been looked at yet\n/);
    expect(fresh.code).toBe(3);

    await at.observe('web', drifted);
    const bad = await at.setpoint('ls', '--exit-code');
    expect(bad.stdout).toMatch(/web +OutOfSync +live-changed +1\/14 +6h +kubectl-edit +main@4e9c917 +alert/);
    expect(bad.stdout).toMatch(/2 apps: 1 OutOfSync \(1 drifted\), 1 Unknown\n$/);
    expect(bad.code).toBe(1);
    expect((await at.setpoint('status')).code).toBe(0);

    expect((await at.setpoint('get', '-l', 'tier in (shop)', '-o', 'name')).stdout).toBe(`${at.namespace}/cart\n`);
    expect(await at.setpoint('status', '-l', 'tier=none', '--exit-code')).toMatchObject({ code: 3 });
    expect(await at.setpoint('status', '-l', '?')).toMatchObject({ code: 2, stdout: '' });
  });

  test('one with all that is known of it, and the documents for scripts', async () => {
    await using at = await scene();
    await at.beat();
    await at.create('web');
    await at.observe('web', drifted);
    const details = await at.setpoint('status', 'web');
    expect(details.stdout).toMatch(/^\S+\/web {2}OutOfSync \(live-changed\) {2}for 6h {2}main@4e9c917 {2}alert {2}1 of 14 resources differ/);
    expect(details.stdout).toMatch(/~ apps\/Deployment shop\/web {2}changed \(live-changed\) for 6h by kubectl-edit\n {4}spec\.replicas\n/);
    expect(details.stdout).toContain('1 open episode');
    expect(details.stdout).toMatch(/last sync 11h ago: 3 applied at 4e9c917\n/);
    const report = JSON.parse((await at.setpoint('status', `${at.namespace}/web`, '-o', 'json')).stdout) as { kind: string; items: readonly { sync: object }[] };
    expect(report).toMatchObject({ apiVersion: 'setpoint.dev/v1', kind: 'StatusReport', items: [{ name: 'web', sync: { status: 'OutOfSync', cause: 'live-changed' }, checkedBy: 'agent' }] });
    expect(await at.setpoint('status', 'nope')).toMatchObject({ code: 2, stdout: '', stderr: expect.stringMatching(/there is no Application \S+\/nope \(context test\)/) as string });
  });

  test('what no agent has vouched for in three intervals is Unknown; a lease that may not be read is said', async () => {
    await using at = await scene();
    await at.create('web');
    await at.observe('web', synced);
    expect((await at.setpoint('status', '--exit-code')).stdout).toMatch(/web +Unknown .*✗ no agent has been seen; before that it was Synced\n/);
    await at.beat(200);
    const dead = await at.setpoint('status', '--exit-code');
    expect(dead.stdout).toMatch(/web +Unknown .* 3m +✗ no agent has been seen since .*; before that it was Synced\n/);
    expect(dead.code).toBe(3);

    await at.beat();
    const reader = await cluster.restrictedUser(at.namespace, [{ apiGroups: ['setpoint.dev'], resources: ['applications'], verbs: ['get', 'list', 'watch'] }]);
    const fresh = await runCli(['status', '--kubeconfig', reader]);
    expect(fresh.stdout).toMatch(/web +Synced .*\ds\?\n/);
    expect(fresh.stderr).toMatch(/lease \S+\/agent cannot be read, .*not allowed: get leases/);
    await at.observe('web', { ...synced, checkedAt: new Date(Date.now() - 200_000).toISOString() });
    expect((await runCli(['status', '--exit-code', '--kubeconfig', reader])).code).toBe(3);
  });

  test('without rights it is 4, without a cluster 2', async () => {
    await using at = await scene();
    const nobody = await cluster.restrictedUser(at.namespace, [{ apiGroups: [''], resources: ['configmaps'], verbs: ['get'] }]);
    const denied = await runCli(['status', '--kubeconfig', nobody]);
    expect(denied).toMatchObject({ code: 4, stdout: '' });
    expect(denied.stderr).toMatch(/not allowed: list applications\.setpoint\.dev in namespace/);
    expect((await runCli(['status', '-A', '--kubeconfig', nobody])).stderr).toContain('in all namespaces');
    await using folder = await tempFolder();
    const away = join(folder.path, 'config');
    await writeFile(away, kubeconfigText({ server: `http://127.0.0.1:${await freePort()}`, token: 'x' }));
    expect(await runCli(['status', '--kubeconfig', away])).toMatchObject({ code: 2, stdout: '' });
  });

  test('--watch prints what changes, notices that the agent dies or an Application goes, and ends with 130', async () => {
    await using at = await scene();
    await at.beat();
    await at.create('web');
    await at.observe('web', synced);
    await using watching = startCli(['status', '-w', '-n', at.namespace, '--kubeconfig', cluster.kubeconfig]);
    await watching.saw(/1 app: 1 Synced\n/);
    await at.observe('web', drifted);
    await watching.saw(/\d\d:\d\d:\d\d {2}\S+\/web {2}OutOfSync \(live-changed\) {2}1\/14 {2}by kubectl-edit/);
    await at.create('cart');
    await watching.saw(/\/cart {2}Unknown {2}NotObserved: it has not been looked at yet/);
    await at.beat(200);
    await watching.saw(/\/web {2}Unknown {2}NotObserved: no agent has been seen since .*; before that it was OutOfSync/);
    await cluster.kubectl(['delete', 'applications.setpoint.dev', 'cart', '-n', at.namespace]);
    await watching.saw(/\/cart {2}is gone\n/);
    expect(await watching.stop('SIGINT')).toBe(130);
  });
});

describe('refresh', () => {
  test('leaves the wish on the Application, and waits until the agent has answered it', async () => {
    await using at = await scene();
    await at.beat();
    await at.create('web');
    await at.observe('web', synced);
    const wishOf = (): Promise<string> => cluster.kubectl(['get', 'applications.setpoint.dev', 'web', '-n', at.namespace, '-o', String.raw`jsonpath={.metadata.annotations.setpoint\.dev/refresh}`]);
    expect(await at.setpoint('refresh', 'web')).toMatchObject({ code: 0, stdout: `${at.namespace}/web will be looked at\n` });
    const first = await wishOf();
    expect(Date.now() - Date.parse(first)).toBeLessThan(60_000);

    const late = await at.setpoint('refresh', 'web', '--wait', '--timeout', '600ms');
    expect(late).toMatchObject({ code: 5, stdout: '' });
    expect(late.stderr).toContain('was not looked at within 600ms');

    const before = await wishOf();
    await using waiting = startCli(['refresh', 'web', '--wait', '-n', at.namespace, '--kubeconfig', cluster.kubeconfig]);
    const wish = await waitFor(async () => (await wishOf()).replace(before, ''), { what: 'the wish' });
    await at.observe('web', drifted, { observedRefresh: wish });
    expect(await waiting.ended).toBe(0);
    expect(waiting.output.stdout).toBe(`${at.namespace}/web was looked at: OutOfSync (live-changed)\n`);
  });

  test('an Application that is not there, or may not be changed', async () => {
    await using at = await scene();
    expect(await at.setpoint('refresh', 'nope')).toMatchObject({ code: 2, stdout: '' });
    await at.create('web');
    const reader = await cluster.restrictedUser(at.namespace, [{ apiGroups: ['setpoint.dev'], resources: ['applications'], verbs: ['get'] }]);
    const denied = await runCli(['refresh', 'web', '--kubeconfig', reader]);
    expect(denied.stderr).toMatch(/not allowed to patch applications\.setpoint\.dev in namespace/);
    expect(denied.code).toBe(4);
  });
});

test('pause and resume say what they have done, and status shows it', async () => {
  await using at = await scene();
  await at.beat();
  await at.create('web', { spec: { syncPolicy: { automated: {} } } });
  await at.observe('web', synced);
  const paused = await at.setpoint('pause', 'web', '--for', '1h', '--reason', 'incident 4711');
  expect(paused.stdout).toMatch(/^\S+\/web is paused until \d{4}-\S+Z \(incident 4711\)\n$/);
  expect((await at.setpoint('status', 'web')).stdout).toMatch(/ {2}paused {2}until \S+: incident 4711\n/);
  expect((await at.setpoint('status')).stdout).toMatch(/main@4e9c917 +paused/);
  expect((await at.setpoint('pause', 'web')).stdout).toMatch(/web is paused until setpoint resume\n/);
  expect((await at.setpoint('resume', 'web')).stdout).toMatch(/web is no longer paused\n/);
  expect((await at.setpoint('resume', 'web')).stdout).toMatch(/web was not paused\n/);
  expect((await at.setpoint('status')).stdout).toMatch(/main@4e9c917 +auto/);
  expect(await at.setpoint('pause', 'web', '--until', 'later')).toMatchObject({ code: 2, stdout: '' });
  expect(await at.setpoint('pause', 'web', '--until', '2099-01-01T00:00:00Z', '--for', '1h')).toMatchObject({ code: 2 });
});

test('history has the drift, who did it, and the syncs', async () => {
  await using at = await scene();
  await at.create('web');
  await at.observe('web', drifted);
  const { stdout, code } = await at.setpoint('history', 'web');
  expect(stdout).toMatch(/SINCE .*\n\S+ +- +6h +drift +live-changed +apps\/Deployment shop\/web +kubectl-edit +open +spec\.replicas\n\S+ +\S+ +- +sync +git-ahead +3 applied at 4e9c917/);
  expect(code).toBe(0);
  expect(JSON.parse((await at.setpoint('history', 'web', '-o', 'json')).stdout)).toMatchObject({ kind: 'HistoryReport', items: [{ type: 'drift', until: null, by: 'kubectl-edit' }, { type: 'sync', applied: 3 }] });
  await at.create('cart');
  expect((await at.setpoint('history', 'cart')).stdout).toMatch(/nothing is on record of \S+\/cart/);
});

test('completion knows the Applications of the namespace, for the shell and for kubectl', async () => {
  await using at = await scene();
  await at.create('web');
  await at.create('worker');
  await at.create('cart');
  const place = ['-n', at.namespace, '--kubeconfig', cluster.kubeconfig];
  expect((await runCli(['__complete', 'status', ...place, 'w'])).stdout).toBe('web\tUnknown\nworker\tUnknown\n:4\n');
  const helper = join(import.meta.dirname, '..', '..', 'bin', 'kubectl_complete-setpoint.js');
  expect((await promisify(execFile)(process.execPath, [helper, 'status', ...place, 'c'])).stdout).toBe('cart\tUnknown\n:4\n');
  expect((await runCli(['completion', 'bash'])).stdout).toContain('complete -F _setpoint setpoint');
  expect((await runCli(['completion', 'tcsh'])).code).toBe(2);
});

test('an agent and its readers agree: a deploy, a live edit, a look that was asked for, an agent that is alive', async () => {
  await using at = await scene();
  await using server = await startGitServer();
  await using folder = await tempFolder();
  const repository = await server.createRepository('fleet');
  await repository.commit({ 'web/a.yaml': 'apiVersion: v1\nkind: ConfigMap\nmetadata: { name: env }\ndata: { a: "1" }\n' });
  await using agent = startCli([
    ...['run', '--namespaces', at.namespace, '--agent-namespace', at.namespace, '--listen-operations', 'none'],
    ...['--state', folder.path, '--kubeconfig', cluster.kubeconfig],
  ]);
  await at.create('web', { spec: { source: { repoURL: repository.url, path: 'web', targetRevision: 'main' }, destination: { namespace: at.namespace }, syncPolicy: { automated: {} } } });
  await agent.saw(/\/web {2}Synced {2}main@/);
  expect(await at.setpoint('status', '--exit-code')).toMatchObject({ code: 0, stdout: expect.stringMatching(/web +Synced +- +0\/1 .* auto +\ds\n/) as string });
  await cluster.kubectl(['patch', 'configmap', 'env', '-n', at.namespace, '--type=merge', '-p', '{"data":{"a":"2"}}']);
  await agent.saw(/\/web {2}OutOfSync \(live-changed\)/);
  expect(await at.setpoint('refresh', 'web', '--wait')).toMatchObject({ code: 0, stdout: `${at.namespace}/web was looked at: OutOfSync (live-changed)\n` });
  expect((await at.setpoint('status', 'web')).stdout).toMatch(/~ ConfigMap \S+\/env {2}changed \(live-changed\) for \d+s by kubectl-patch\n {4}data\.a\n/);
  expect((await at.setpoint('history', 'web')).stdout).toMatch(/drift +live-changed +ConfigMap \S+\/env +kubectl-patch +open +data\.a\n.*\bsync +git-ahead +1 applied.*\n.*\bdeploy +git-ahead .*\bcorrected\b/);
  expect((await runCli(['doctor', '-n', at.namespace, '--kubeconfig', cluster.kubeconfig])).stdout).toMatch(/✓ agent {9}\S+ leads \(lease \S+\/setpoint-agent\), seen \d+s ago/);
  expect(await agent.stop()).toBe(0);
});

test('an agent that may not see one of its namespaces looks after the other, and vouches for that one alone', async () => {
  await using at = await scene();
  await using hidden = await scene();
  await using server = await startGitServer();
  await using folder = await tempFolder();
  const repository = await server.createRepository('fleet');
  await repository.commit({ 'web/a.yaml': 'apiVersion: v1\nkind: ConfigMap\nmetadata: { name: env }\n' });
  await cluster.apply(JSON.stringify({ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'env', namespace: at.namespace } }));
  const kubeconfig = await cluster.restrictedUser(at.namespace, [
    { apiGroups: ['setpoint.dev'], resources: ['applications', 'applications/status'], verbs: ['get', 'list', 'watch', 'patch', 'update'] },
    { apiGroups: ['coordination.k8s.io'], resources: ['leases'], verbs: ['create', 'get', 'patch'] },
    { apiGroups: [''], resources: ['secrets'], verbs: ['create', 'get'] },
    { apiGroups: [''], resources: ['configmaps'], verbs: ['get', 'list', 'watch'] },
  ]);
  await at.create('web', { spec: { source: { repoURL: repository.url, path: 'web', targetRevision: 'main' }, destination: { namespace: at.namespace } } });
  await hidden.create('web');
  await hidden.observe('web', synced, { lease: `${at.namespace}/setpoint-agent` });
  await using agent = startCli([
    ...['run', '--namespaces', `${at.namespace},${hidden.namespace},${at.namespace}`, '--agent-namespace', at.namespace, '--listen-operations', 'none'],
    ...['--state', folder.path, '--kubeconfig', kubeconfig],
  ]);
  await agent.saw(/\/web {2}Synced {2}main@/);
  expect((await at.setpoint('status', 'web')).stdout).toMatch(/\/web {2}Synced /);
  await waitFor(async () => (await hidden.setpoint('status', '--exit-code')).code === 3, { what: 'the other to be Unknown' });
  expect((await hidden.setpoint('status', 'web')).stdout).toContain(`${at.namespace}/setpoint-agent does not vouch for it`);
  expect(await agent.stop()).toBe(0);
});

describe('a state folder', () => {
  test('has the same verbs', async () => {
    await using folder = await tempFolder();
    const state = await openStateFolder(folder.path);
    await state.update('web', (status) => ({ ...status, ...drifted }));
    await state.beat({ aliveAt: new Date().toISOString(), intervalMs: 60_000, applications: ['web'] });
    const setpoint = (...args: readonly string[]): Promise<CliResult> => runCli([...args, '--state', folder.path]);
    const table = await setpoint('status', '--exit-code');
    expect(table.stdout).toMatch(/- +web +OutOfSync +live-changed +1\/14 +\S+ +kubectl-edit +main@4e9c917 +- +\ds\n/);
    expect(table.code).toBe(1);
    expect((await setpoint('history', 'web')).stdout).toContain('kubectl-edit');
    expect((await setpoint('pause', 'web', '--reason', 'freeze')).stdout).toBe('web is paused until setpoint resume (freeze)\n');
    expect((await setpoint('status')).stdout).toMatch(/4e9c917 +paused/);
    expect((await setpoint('resume', 'web')).stdout).toBe('web is no longer paused\n');

    await using waiting = startCli(['refresh', 'web', '--wait', '--state', folder.path]);
    const wish = await waitFor(async () => (await readControls(folder.path)).get('web')?.refresh, { what: 'the wish' });
    await state.update('web', (status) => ({ ...status, ...synced, observedRefresh: wish }));
    expect(await waiting.ended).toBe(0);
    expect(waiting.output.stdout).toContain('web was looked at: ');
  });

  test('is told by its absence, and the usual one is used where none is named', async () => {
    await using folder = await tempFolder();
    expect((await runCli(['status', '--state'], { env: { XDG_STATE_HOME: folder.path } })).stderr).toContain(`no agent has kept anything in ${folder.path}/setpoint`);
    await openStateFolder(`${folder.path}/setpoint`);
    expect(await runCli(['status', '--state'], { env: { XDG_STATE_HOME: folder.path } })).toMatchObject({ code: 0, stdout: expect.stringContaining('0 apps') as string });
  });
});
