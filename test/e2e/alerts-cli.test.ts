import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { emptyStatus, plainApplication, resourceKey, type Alert, type AppStatus, type JsonObject } from '../../src/model/index.ts';
import { applicationStatus } from '../../src/status/application-status.ts';
import { createSilencesFile, openStateFolder, readControls } from '../../src/status/index.ts';
import { installCrd } from '../support/application-crd.ts';
import { runCli, type CliResult } from '../support/cli.ts';
import { startHttpSink } from '../support/http-sink.ts';
import { recordingLog } from '../support/recording-log.ts';
import { sharedCluster } from '../support/test-run/index.ts';
import { tempFolder } from '../support/temp-folder.ts';

const cluster = sharedCluster();

beforeAll(() => installCrd(cluster), 60_000);

const ago = (seconds: number): string => new Date(Date.now() - seconds * 1000).toISOString();
const source = { repoURL: 'https://git.example.com/acme/fleet', path: 'apps/web', targetRevision: 'main' };
const firing: Alert = {
  ...{ id: 'drf_1', rule: 'drift', severity: 'warning', startedAt: ago(400), firedAt: ago(60), resolvedAt: null, fingerprint: 'f', episodes: ['e1'], transition: 1, transitionAt: ago(60) },
  deliveries: { team: { told: 1, toldAt: ago(50), toldState: 'firing' }, oncall: { told: 0, toldAt: null, toldState: null, dead: { notification: 'evt_3', transition: 1, at: ago(40), error: 'it answered 404' } } },
};
const alerting: Partial<AppStatus> = {
  verdict: { status: 'OutOfSync', cause: 'live-changed' },
  episodes: [{ id: 'e1', key: resourceKey({ group: 'apps', kind: 'Deployment', namespace: 'shop', name: 'web' }), cause: 'live-changed', openedAt: ago(400), closedAt: null, fingerprint: 'f', fields: ['spec.replicas'] }],
  alerts: [firing, { ...firing, id: 'drf_0', resolvedAt: ago(30), deliveries: {} }],
};

interface Scene {
  readonly namespace: string;
  create(name: string, status?: Partial<AppStatus>): Promise<void>;
  annotations(name: string): Promise<Readonly<Record<string, string>>>;
  setpoint(...args: readonly string[]): Promise<CliResult>;
}

/** Applications whose agent is in the same namespace. */
async function scene(): Promise<Scene> {
  const namespace = await cluster.createNamespace();
  onTestFinished(() => namespace[Symbol.asyncDispose]());
  const { name: place } = namespace;
  const application = plainApplication({ name: 'web', sources: [{ repository: source.repoURL, revision: 'main', path: 'apps/web', ref: undefined, options: {} }] });
  return {
    namespace: place,
    async create(name, status = alerting) {
      await cluster.apply(JSON.stringify({ apiVersion: 'setpoint.dev/v1alpha1', kind: 'Application', metadata: { name, namespace: place, labels: { tier: '3' } }, spec: { source, destination: { namespace: 'shop' } } }));
      const now = new Date();
      const written = { ...applicationStatus({ ...emptyStatus(`${place}/${name}`), checkedAt: now.toISOString(), generation: 1, ...status }, application, now), lease: `${place}/agent`, epoch: 1 };
      await cluster.kubectl(['patch', 'applications.setpoint.dev', name, '-n', place, '--subresource=status', '--type=merge', '-p', JSON.stringify({ status: written })]);
    },
    async annotations(name) {
      return (await cluster.getJson<{ metadata: { annotations?: Record<string, string> } }>('applications.setpoint.dev', name, '-n', place)).metadata.annotations ?? {};
    },
    setpoint: (...args) => runCli([...args, '-n', place, '--kubeconfig', cluster.kubeconfig]),
  };
}

const report = ({ stdout }: CliResult): { readonly items: readonly JsonObject[] } => JSON.parse(stdout) as { readonly items: readonly JsonObject[] };

describe('alerts list', () => {
  test('what fires and what could not be told, in all formats', async () => {
    const at = await scene();
    await at.create('web');
    await at.create('quiet', {});
    const listed = await at.setpoint('alerts', 'list');
    expect(listed).toMatchObject({ code: 0, stderr: '' });
    expect(listed.stdout).toMatch(/^APP +RULE +SEVERITY +STATE +SINCE +DELIVERIES\n\S+\/web +drift +warning +firing +6m +oncall: dead evt_3: it answered 404; team: told at \S+Z\n$/);
    expect((await at.setpoint('alerts', 'list', 'web', '--all', '-o', 'name')).stdout).toBe('drf_1\ndrf_0\n');
    expect((await at.setpoint('alerts', '--dead', '-o', 'name')).stdout).toBe('drf_1\n');
    expect((await at.setpoint('alerts', 'list', '--firing', '-o', 'wide', '--no-headers')).stdout).toMatch(/firing +6m +drf_1 +drift +1 +oncall/);
    expect(report(await at.setpoint('alerts', 'list', '-o', 'json'))).toMatchObject({ kind: 'AlertsReport', items: [{ application: `${at.namespace}/web`, id: 'drf_1', state: 'firing' }] });
    expect((await at.setpoint('alerts', 'list', '-o', 'yaml')).stdout).toContain('kind: AlertsReport');
    expect((await at.setpoint('alerts', 'list', 'quiet')).stdout).toMatch(/^no alerts \(context test\): --all lists/);
    expect((await at.setpoint('alerts', 'list', '-A', '-o', 'json')).stdout).toContain(`"${at.namespace}/web"`);
    expect(await at.setpoint('alerts', 'list', 'wbe')).toMatchObject({ code: 2, stdout: '', stderr: expect.stringContaining(`did you mean ${at.namespace}/web?`) as string });
  });

  test('who may not read silences sees alerts all the same; who may read nothing gets 4', async () => {
    const at = await scene();
    await at.create('web');
    const reader = await cluster.restrictedUser(at.namespace, [{ apiGroups: ['setpoint.dev'], resources: ['applications'], verbs: ['get', 'list'] }]);
    const listed = await runCli(['alerts', 'list', '-n', at.namespace, '--kubeconfig', reader]);
    expect(listed).toMatchObject({ code: 0, stdout: expect.stringContaining('firing') as string });
    expect(listed.stderr).toMatch(/what is silenced cannot be told: not allowed: get configmap setpoint-silences/);
    expect((await runCli(['alerts', 'list', '-n', 'default', '--kubeconfig', reader])).code).toBe(4);
    expect((await runCli(['mute', 'web', '-n', at.namespace, '--for', '1h', '--reason', 'x', '--kubeconfig', reader])).code).toBe(4);
  });
});

describe('mute and silences', () => {
  test('an application is muted with who the cluster says it was, and no longer', async () => {
    const at = await scene();
    await at.create('web');
    const editor = await cluster.restrictedUser(at.namespace, [{ apiGroups: ['setpoint.dev'], resources: ['applications'], verbs: ['get', 'list', 'patch'] }]);
    const muted = await runCli(['mute', 'web', '-n', at.namespace, '--for', '1h', '--reason', 'incident 4711', '--kubeconfig', editor]);
    expect(muted).toMatchObject({ code: 0, stderr: '', stdout: expect.stringMatching(/^\S+\/web is muted until \S+Z \(incident 4711\)\n$/) as string });
    const mute = JSON.parse((await at.annotations('web'))['setpoint.dev/mute'] ?? '') as { author: string };
    expect(mute).toMatchObject({ reason: 'incident 4711', author: expect.stringMatching(`^system:serviceaccount:${at.namespace}:user-`) as string });
    expect((await at.setpoint('alerts', 'list')).stdout).toContain(`by ${mute.author}`);
    expect((await at.setpoint('silences')).stdout).toMatch(/^ID +UNTIL +MUTES +BY +WHAT +REASON\nmute\/\S+\/web +\S+Z +1 +system:\S+ +app=\S+\/web +incident 4711\n$/);
    expect((await at.setpoint('silences', 'end', `mute/${at.namespace}/web`)).stderr).toContain(`setpoint mute ${at.namespace}/web --off`);
    expect((await at.setpoint('mute', 'web', '--off')).stdout).toMatch(/is no longer muted\n$/);
    expect(await at.annotations('web')).not.toHaveProperty(['setpoint.dev/mute']);
    expect((await at.setpoint('mute', 'web', '--off')).stdout).toMatch(/was not muted\n$/);
    expect((await at.setpoint('silences')).stdout).toMatch(/^nothing is muted or silenced/);
  });

  test('a silence is kept where the agent is, keeps quiet what matches, and ends', async () => {
    const at = await scene();
    await at.create('web');
    const made = await at.setpoint('mute', '--matcher', 'kind=Deployment', '--matcher', 'label.tier=3', '--matcher', 'namespace=shop', '--for', '30m', '--reason', 'load test', '--context', 'test');
    expect(made).toMatchObject({ code: 0, stderr: '' });
    const [, id = ''] = /^(sil-[0-9a-f]{10}) mutes namespace=shop kind=Deployment label\.tier=3 until \S+Z \(load test\)\n$/.exec(made.stdout) ?? [];
    const { data } = await cluster.getJson<{ data: Record<string, string> }>('configmap', 'setpoint-silences', '-n', at.namespace);
    expect(JSON.parse(data[id] ?? '{}')).toMatchObject({ reason: 'load test', match: { kinds: ['Deployment'], labels: { tier: '3' } } });
    expect((await at.setpoint('alerts', 'list')).stdout).toMatch(/muted until \S+Z by \S+/);
    expect(report(await at.setpoint('silences', '-o', 'json'))).toMatchObject({ kind: 'SilencesReport', items: [{ id, type: 'silence', muted: 1, reason: 'load test' }] });
    expect(await at.setpoint('silences', 'end', 'sil-0')).toMatchObject({ code: 2, stderr: expect.stringContaining(`there is no silence sil-0: there are ${id}`) as string });
    expect(await at.setpoint('silences', 'end', id)).toMatchObject({ code: 0, stdout: `${id} has ended\n` });
    expect((await at.setpoint('alerts', 'list')).stdout).toMatch(/ firing /);
  });

  test.each<[readonly string[], string]>([
    [['mute', '--for', '1h', '--reason', 'x'], 'what is to be muted?'],
    [['mute', 'web', '--for', '1h'], '--reason is wanted'],
    [['mute', 'web', '--reason', 'x'], 'how long?'],
    [['mute', 'web', '--matcher', 'kind=Pod', '--for', '1h', '--reason', 'x'], 'not both'],
    [['mute', '--off'], '--off wants an application'],
    [['mute', '--matcher', 'cause=drift', '--for', '1h', '--reason', 'x'], 'wants live-changed, git-ahead or both, got drift'],
  ])('%j is refused before anything is asked', async (args, message) => {
    expect(await runCli([...args, '--kubeconfig', '/nowhere'])).toMatchObject({ code: 2, stdout: '', stderr: expect.stringContaining(message) as string });
  });
});

test('alerts replay asks for a dead letter, and refuses what is not dead', async () => {
  const at = await scene();
  await at.create('web');
  expect(await at.setpoint('alerts', 'replay', 'evt_3')).toMatchObject({ code: 0, stdout: `evt_3 of ${at.namespace}/web will be sent to oncall again\n` });
  expect((await at.annotations('web'))['setpoint.dev/replay']).toMatch(/^evt_3@\d{4}-\S+Z$/);
  expect((await at.setpoint('alerts', 'replay', 'drf_1')).code).toBe(0);
  const refused = await at.setpoint('alerts', 'replay', 'drf_0');
  expect(refused).toMatchObject({ code: 2, stdout: '' });
  expect(refused.stderr).toMatch(/drf_0 of \S+\/web has no dead letter \(-\); there are evt_3 \(\S+\/web to oncall\)/);
});

test('without Applications in a cluster the same is in the state folder', async () => {
  await using folder = await tempFolder();
  const state = await openStateFolder(folder.path);
  await state.update('shop/web', (status) => ({ ...status, ...alerting }));
  const at = (...args: readonly string[]): Promise<CliResult> => runCli([...args, '--state', folder.path]);
  expect((await at('alerts', 'list')).stdout).toMatch(/shop\/web +drift +warning +firing/);
  expect((await at('mute', 'web', '--for', '1h', '--reason', 'x')).code).toBe(0);
  expect((await at('alerts', 'replay', 'evt_3')).code).toBe(0);
  expect((await readControls(folder.path)).get('shop/web')).toMatchObject({ mute: { reason: 'x' }, replay: { notifications: ['evt_3'] } });
  expect((await at('alerts', 'list')).stdout).toMatch(/muted until/);
  expect((await at('mute', 'web', '--off')).stdout).toBe('shop/web is no longer muted\n');
  expect((await at('mute', '--matcher', 'app=web', '--until', ago(-600), '--reason', 'y')).code).toBe(0);
  const [silence] = await createSilencesFile(folder.path, { log: recordingLog(), now: () => new Date() }).read(new AbortController().signal);
  expect(silence).toMatchObject({ match: { applications: ['web'] }, reason: 'y' });
  expect((await at('silences')).stdout).toMatch(/sil-\S+ +\S+Z +1 +\S+ +app=web +y\n/);
  expect((await at('silences', 'end', silence?.id ?? '')).code).toBe(0);
  expect((await at('silences')).stdout).toMatch(/^nothing is muted/);
});

describe('alerts test', () => {
  test('sends from here, says what came back, and never shows the secret', async () => {
    await using folder = await tempFolder();
    await using sink = await startHttpSink();
    const file = join(folder.path, 'config.yaml');
    await writeFile(join(folder.path, 'url'), `${sink.url}/services/canary-token`);
    await writeFile(file, 'destinations:\n  - { name: team, type: webhook, urlFile: url }\n  - { name: lost, type: discord, urlFile: absent }\nalerts: { allowPrivate: [127.0.0.1] }\n');
    const at = (...args: readonly string[]): Promise<CliResult> => runCli(['alerts', 'test', ...args, '--config', file]);

    expect(await at()).toMatchObject({ code: 0, stdout: expect.stringMatching(/^NAME +TYPE +RULES\nteam +webhook +drift, blind, contested\nlost +discord/) as string });
    expect(await at('team')).toMatchObject({ code: 0, stdout: 'team (webhook) has taken the test message\n', stderr: '' });
    expect(sink.requests).toMatchObject([{ path: '/services/canary-token', json: { type: 'dev.setpoint.test.v1' } }]);

    for (const [status, words] of [[400, 'refuses'], [503, 'may another time'], [410, 'is gone for good']] as const) {
      sink.answerNext({ status, body: 'no /services/canary-token here' });
      const refused = await at('team');
      expect(refused).toMatchObject({ code: 2, stdout: '', stderr: expect.stringContaining(words) as string });
      expect(refused.stderr).not.toContain('canary');
    }
    expect(await at('lost')).toMatchObject({ code: 2, stderr: expect.stringContaining('there is no such file') as string });
    expect(await at('taem')).toMatchObject({ code: 2, stderr: expect.stringContaining('there is no destination taem: did you mean team?') as string });
  });

  test('goes to no private address that nobody allowed', async () => {
    await using folder = await tempFolder();
    await using sink = await startHttpSink();
    const file = join(folder.path, 'config.yaml');
    await writeFile(file, `destinations:\n  - { name: team, type: webhook, url: "${sink.url}" }\n`);
    expect(await runCli(['alerts', 'test', 'team', '--config', file])).toMatchObject({ code: 2, stderr: expect.stringContaining('private address') as string });
    expect(sink.requests).toEqual([]);
  });
});
