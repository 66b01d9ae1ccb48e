import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { Alert, Claim } from '../../src/model/index.ts';
import { startCli, type RunningCli } from '../support/cli.ts';
import type { Repository } from '../support/git-repository.ts';
import { startGitServer } from '../support/git-server.ts';
import { startHttpSink, type HttpSink } from '../support/http-sink.ts';
import { startRedis } from '../support/redis.ts';
import { sharedCluster } from '../support/test-run/index.ts';
import { tempFolder } from '../support/temp-folder.ts';
import { waitFor } from '../support/wait-for.ts';

const cluster = sharedCluster();

const configMap = (mode: string, name = 'env'): string => `apiVersion: v1\nkind: ConfigMap\nmetadata: { name: ${name} }\ndata: { mode: "${mode}" }\n`;

interface Stage extends AsyncDisposable {
  readonly namespace: string;
  readonly repository: Repository;
  readonly sink: HttpSink;
  readonly state: string;
  agent(...args: string[]): RunningCli;
  live(name?: string): Promise<string | undefined>;
  status(): Promise<{ verdict: { status: string; cause?: string }; episodes: { closedAt: string | null }[]; alerts: Alert[] }>;
}

/** What is about to be sent. */
const claims = ({ alerts }: { readonly alerts: readonly Alert[] }): readonly Claim[] => alerts.flatMap(({ deliveries }) => deliveries['webhook']?.claim ?? []);

/** A repository with one ConfigMap, an empty namespace, a sink for alerts, and the agent between them. */
async function stage(): Promise<Stage> {
  const parts = new AsyncDisposableStack();
  const { name: namespace } = parts.use(await cluster.createNamespace());
  const server = parts.use(await startGitServer());
  const sink = parts.use(await startHttpSink());
  const folder = parts.use(await tempFolder());
  const repository = await server.createRepository('fleet');
  await repository.commit({ 'web/env.yaml': configMap('on') });
  return {
    namespace,
    repository,
    sink,
    state: folder.path,
    agent: (...args) =>
      parts.use(
        startCli([
          ...['run', '--repo', repository.url, '--path', 'web', '--interval', '1s', '--state', folder.path],
          ...['-n', namespace, '--kubeconfig', cluster.kubeconfig, ...args],
        ]),
      ),
    async live(name = 'env') {
      const text = await cluster.kubectl(['get', 'configmap', name, '-n', namespace, '-o', 'jsonpath={.data.mode}', '--ignore-not-found']);
      return text === '' ? undefined : text;
    },
    async status() {
      return JSON.parse(await readFile(join(folder.path, 'apps', 'web.json'), 'utf8')) as Awaited<ReturnType<Stage['status']>>;
    },
    [Symbol.asyncDispose]: () => parts.disposeAsync(),
  };
}

describe('mode auto', () => {
  test('a commit reaches the cluster, and the next one does too', async () => {
    await using scene = await stage();
    const agent = scene.agent('--mode', 'auto');
    await agent.saw(/web {2}Synced {2}main@[0-9a-f]{7} {2}1 resources/);
    expect(await scene.live()).toBe('on');
    const sha = await scene.repository.commit({ 'web/env.yaml': configMap('off') });
    await agent.saw(new RegExp(`OutOfSync \\(git-ahead\\) {2}main@${sha.slice(0, 7)}`));
    await agent.saw(new RegExp(`Synced {2}main@${sha.slice(0, 7)}`));
    expect(await scene.live()).toBe('off');
    expect((await scene.status()).verdict).toEqual({ status: 'Synced' });
    expect(await agent.stop()).toBe(0);
  });

  test('a live edit is drift, recorded, and healed', async () => {
    await using scene = await stage();
    const agent = scene.agent('--mode', 'auto');
    await agent.saw(/web {2}Synced/);
    await cluster.kubectl(['patch', 'configmap', 'env', '-n', scene.namespace, '--type=merge', '-p', '{"data":{"mode":"by hand"}}']);
    await agent.saw(/OutOfSync \(live-changed\).*\n.*ConfigMap.*\n\s+data\.mode {2}by kubectl-patch at \S+Z\n\s+- by hand\n\s+\+ "on"\n/);
    await waitFor(async () => (await scene.live()) === 'on', { what: 'the heal' });
    await waitFor(async () => (await scene.status()).episodes.filter(({ closedAt }) => closedAt !== null).length === 2, { what: 'two closed episodes' });
  });

  test('an object that is deleted comes back; one that Git drops stays', async () => {
    await using scene = await stage();
    await scene.repository.commit({ 'web/other.yaml': configMap('x', 'other') });
    const agent = scene.agent('--mode', 'auto');
    await agent.saw(/web {2}Synced {2}\S+ {2}2 resources/);
    await cluster.kubectl(['delete', 'configmap', 'env', '-n', scene.namespace]);
    await waitFor(async () => (await scene.live()) === 'on', { what: 'the deleted object to come back' });
    await scene.repository.commit({ 'web/other.yaml': null });
    await agent.saw(/web {2}Synced {2}\S+ {2}1 resources/);
    expect(await scene.live('other')).toBe('x');
  });

  test('a definition and its object in one commit both arrive', async () => {
    await using scene = await stage();
    const group = `${scene.namespace}.example.com`;
    const schema = { openAPIV3Schema: { type: 'object', properties: { spec: { type: 'object', properties: { size: { type: 'integer' } } } } } };
    const definition = {
      apiVersion: 'apiextensions.k8s.io/v1',
      kind: 'CustomResourceDefinition',
      metadata: { name: `widgets.${group}` },
      spec: { group, scope: 'Namespaced', names: { kind: 'Widget', plural: 'widgets' }, versions: [{ name: 'v1', served: true, storage: true, schema }] },
    };
    const widget = { apiVersion: `${group}/v1`, kind: 'Widget', metadata: { name: 'w' }, spec: { size: 9_007_199_254_740_991 } };
    await scene.repository.commit({ 'web/a.json': JSON.stringify(widget), 'web/b.json': JSON.stringify(definition) });
    try {
      await scene.agent('--mode', 'auto').saw(/web {2}Synced {2}\S+ {2}3 resources/);
      expect(await cluster.kubectl(['get', `widgets.${group}`, 'w', '-n', scene.namespace, '-o', 'jsonpath={.spec.size}'])).toBe('9007199254740991');
    } finally {
      await cluster.kubectl(['delete', 'crd', `widgets.${group}`, '--ignore-not-found', '--wait=false']);
    }
  });

  test('a field that other software holds is left alone, and said so', async () => {
    await using scene = await stage();
    const theirs = configMap('theirs');
    await cluster.kubectl(['apply', '--server-side', '--field-manager', 'some-operator', '-n', scene.namespace, '-f', '-'], theirs);
    const agent = scene.agent('--mode', 'auto');
    await agent.saw(/held ConfigMap .*: contested: other software holds data\.mode \(some-operator\)/);
    expect(await scene.live()).toBe('theirs');
  });

  test('while a file cannot be read nothing is applied, and the verdict says which file', async () => {
    await using scene = await stage();
    await scene.repository.commit({ 'web/broken.yaml': 'a: [\n' });
    const agent = scene.agent('--mode', 'auto');
    await agent.saw(/held ConfigMap .*: nothing is applied while web\/broken\.yaml#1 cannot be read/);
    expect(await scene.live()).toBeUndefined();
    await scene.repository.commit({ 'web/broken.yaml': null });
    await agent.saw(/web {2}Synced/);
  });
});

test('while nothing changes, nothing is asked: look after look, the watches are enough', async () => {
  await using scene = await stage();
  const agent = scene.agent('--mode', 'auto', '--log-level', 'debug', '--sweep', '1s');
  await agent.saw(/web {2}Synced/);
  const audit = await cluster.auditLog();
  const looks = (): number => agent.output.stderr.split('"message":"looked"').length - 1;
  const before = looks();
  await waitFor(() => looks() >= before + 5, { what: 'five looks' });
  const asked = (await audit.events()).filter(({ objectRef, userAgent }) => objectRef?.namespace === scene.namespace && userAgent?.startsWith('setpoint') === true);
  expect(asked.filter(({ verb }) => verb !== 'watch')).toEqual([]);
});

describe.each(['in memory', 'on Redis'])('mode alert, queue %s', (queue) => {
  test('a commit becomes one webhook alert, and its end another', async () => {
    await using scene = await stage();
    await using redis = await startRedis();
    const flags = ['--notify-webhook', scene.sink.url, ...(queue === 'on Redis' ? ['--redis', redis.url] : [])];
    const agent = scene.agent(...flags);
    await agent.saw(/OutOfSync \(git-ahead\)/);
    const [firing] = await scene.sink.waitForRequests(1);
    expect(firing?.json).toMatchObject({
      specversion: '1.0',
      type: 'dev.setpoint.drift.firing.v1',
      subject: 'web',
      data: { cause: 'git-ahead', resources: [{ kind: 'ConfigMap', name: 'env', change: 'missing' }], revision: { repo: scene.repository.url, ref: 'main' } },
    });
    expect(firing?.json).toHaveProperty('id', firing?.headers['idempotency-key']);
    expect(await scene.live()).toBeUndefined();

    // A restart is no news.
    expect(await agent.stop()).toBe(0);
    const second = scene.agent(...flags);
    await second.saw(/OutOfSync \(git-ahead\)/);
    await cluster.kubectl(['apply', '--server-side', '-n', scene.namespace, '-f', '-'], configMap('on'));
    await second.saw(/web {2}Synced/);
    const requests = await scene.sink.waitForRequests(2);
    expect(requests.map(({ json }) => (json as { type: string }).type)).toEqual(['dev.setpoint.drift.firing.v1', 'dev.setpoint.drift.resolved.v1']);

    // And a live edit is drift, not a deploy.
    await cluster.kubectl(['patch', 'configmap', 'env', '-n', scene.namespace, '--type=merge', '-p', '{"data":{"mode":"by hand"}}']);
    const drift = (await scene.sink.waitForRequests(3))[2];
    expect(drift?.json).toMatchObject({
      data: {
        cause: 'live-changed',
        resources: [{ fields: [{ display: 'data.mode', live: 'by hand', desired: 'on' }], patch: [{ op: 'replace', path: '/data/mode', value: 'on' }] }],
      },
    });
    expect(await scene.live()).toBe('by hand');
    await waitFor(async () => claims(await scene.status()).length === 0, { what: 'nothing to send' });
    expect((await scene.status()).alerts[0]?.deliveries['webhook']).toMatchObject({ toldState: 'firing' });
  });
});

test('an alert that could not be sent waits on disk, over a restart', async () => {
  await using scene = await stage();
  scene.sink.answerWith({ status: 500 });
  const agent = scene.agent('--notify-webhook', scene.sink.url);
  await scene.sink.waitForRequests(1);
  expect(await agent.stop('SIGKILL')).toBeNull();
  const [claim] = claims(await scene.status());
  scene.sink.answerWith({ status: 200 });
  scene.agent('--notify-webhook', scene.sink.url);
  const [first, second] = await scene.sink.waitForRequests(2, 30_000);
  expect(first?.headers['idempotency-key']).toBe(claim?.notification);
  expect(second?.headers['idempotency-key']).toBe(claim?.notification);
  await waitFor(async () => claims(await scene.status()).length === 0, { what: 'nothing to send' });
});

test('Redis that is down delays alerts and nothing else', async () => {
  await using scene = await stage();
  const redis = await startRedis();
  await redis.stop();
  const agent = scene.agent('--mode', 'auto', '--notify-webhook', scene.sink.url, '--redis', redis.url);
  await agent.saw(/web {2}Synced/);
  expect(await scene.live()).toBe('on');
});

describe('Unknown, with its reason, and never Synced', () => {
  test.each([
    ['no such repository', { repo: 'nope' }, /web {2}Unknown {2}main {2}RepositoryNotFound: no repository at http\S+nope/],
    ['no such revision', { revision: 'nope' }, /web {2}Unknown {2}nope {2}RevisionNotFound: \S+ has no branch or tag nope/],
  ])('%s', async (_name, { repo, revision }: { repo?: string; revision?: string }, said) => {
    await using scene = await stage();
    const url = repo === undefined ? [] : ['--repo', scene.repository.url.replace('fleet', repo)];
    await scene.agent(...url, ...(revision === undefined ? [] : ['--revision', revision])).saw(said);
  });

  test('no such path', async () => {
    await using scene = await stage();
    await scene.agent('--path', 'nope').saw(/nope {2}Unknown {2}main@[0-9a-f]{7} {2}PathNotFound: the source has no path nope/);
  });

  test('wrong credentials, which are shown nowhere', async () => {
    await using scene = await stage();
    await using server = await startGitServer({ username: 'me', password: 'right' });
    const { url } = await server.createRepository('private');
    const agent = scene.agent('--repo', url.replace('://', '://me:canary-4711@'));
    await agent.saw(/Unknown {2}main {2}RepositoryUnauthorized: \S+ does not accept these credentials/);
    expect(agent.output.stdout + agent.output.stderr + JSON.stringify(await scene.status())).not.toContain('4711');
  });

  test('a Git server that goes away, while the cluster stays as it is', async () => {
    await using scene = await stage();
    const server = await startGitServer();
    const repository = await server.createRepository('fleet');
    await repository.commit({ 'web/env.yaml': configMap('on') });
    const agent = scene.agent('--repo', repository.url, '--mode', 'auto');
    await agent.saw(/web {2}Synced/);
    await server.stop();
    await agent.saw(/web {2}Unknown {2}main@[0-9a-f]{7} {2}RepositoryUnreachable/);
    expect(await scene.live()).toBe('on');
  });
});

test('the agent stops by itself with exit code 2 where it can never work', async () => {
  await using scene = await stage();
  const agent = scene.agent('--kubeconfig', '/no/such/config');
  expect(await agent.ended).toBe(2);
  expect(agent.output.stderr).toBe('setpoint: no kubeconfig at /no/such/config: check --kubeconfig\n');
});

test('SIGINT ends it with 130', async () => {
  await using scene = await stage();
  const agent = scene.agent();
  await agent.saw(/OutOfSync/);
  expect(await agent.stop('SIGINT')).toBe(130);
});

test('the state of one application is not taken for that of another', async () => {
  await using scene = await stage();
  const first = scene.agent();
  await first.saw(/OutOfSync/);
  await first.stop();
  await scene.repository.commit({ 'other/env.yaml': configMap('on') });
  const second = scene.agent('--path', 'other', '--name', 'web');
  expect(await second.ended).toBe(2);
  expect(second.output.stderr).toContain('give another --name or --state');
});

test('Secrets are healed, and their values are in no output, log, state or alert', async () => {
  await using scene = await stage();
  const secret = (value: string): string => `apiVersion: v1\nkind: Secret\nmetadata: { name: keys }\nstringData: { password: "${value}" }\n`;
  await scene.repository.commit({ 'web/env.yaml': null, 'web/keys.yaml': secret('canary-one') });
  const read = async (): Promise<string> =>
    Buffer.from(await cluster.kubectl(['get', 'secret', 'keys', '-n', scene.namespace, '-o', 'jsonpath={.data.password}', '--ignore-not-found']), 'base64').toString();
  const alerting = scene.agent('--notify-webhook', scene.sink.url, '--log-level', 'debug');
  await scene.sink.waitForRequests(1);
  await alerting.stop();
  const agent = scene.agent('--mode', 'auto', '--log-level', 'debug', '--notify-webhook', scene.sink.url);
  await agent.saw(/web {2}Synced/);
  expect(await read()).toBe('canary-one');
  await cluster.kubectl(['patch', 'secret', 'keys', '-n', scene.namespace, '--type=merge', '-p', '{"stringData":{"password":"canary-two"}}']);
  await agent.saw(/OutOfSync \(live-changed\).*\n.*Secret.*\n\s+data\.password {2}by kubectl-patch/);
  await waitFor(async () => (await read()) === 'canary-one', { what: 'the heal' });
  const everything = [alerting.output, agent.output, await scene.status(), scene.sink.requests].map((part) => JSON.stringify(part)).join('\n');
  for (const value of ['canary-one', 'canary-two']) {
    expect(everything).not.toContain(value);
    expect(everything).not.toContain(Buffer.from(value).toString('base64'));
  }
});
