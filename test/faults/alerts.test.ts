import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import type { AppStatus, Delivery } from '../../src/model/index.ts';
import { manifest } from '../support/agent-scene.ts';
import { startCli, type RunningCli } from '../support/cli.ts';
import { startGitServer } from '../support/git-server.ts';
import { startHttpSink, type HttpSink, type RecordedRequest } from '../support/http-sink.ts';
import { openRawApi } from '../support/raw-api.ts';
import { startRedis, type RedisServer } from '../support/redis.ts';
import { seededRandom } from '../support/seeded-random.ts';
import { sharedCluster } from '../support/test-run/index.ts';
import { tempFolder } from '../support/temp-folder.ts';
import { waitFor } from '../support/wait-for.ts';

const cluster = sharedCluster();

interface Scene extends AsyncDisposable {
  readonly sink: HttpSink;
  redis: RedisServer;
  /** All that it knows is in one folder: who comes after a kill goes on with it. No lease has to run out first. */
  agent(): RunningCli;
  edit(name: string, mode: string): Promise<void>;
  status(name: string): Promise<AppStatus>;
  delivery(name: string): Promise<Delivery | undefined>;
}

/** Applications of one ConfigMap each, in sync, and a sink that is told of drift at once. */
async function scene(names: readonly string[]): Promise<Scene> {
  const parts = new AsyncDisposableStack();
  const { name: namespace } = parts.use(await cluster.createNamespace());
  const server = parts.use(await startGitServer());
  const sink = parts.use(await startHttpSink());
  const folder = parts.use(await tempFolder());
  const api = parts.use(await openRawApi(cluster.kubeconfig));
  const repository = await server.createRepository('fleet');
  await repository.commit(Object.fromEntries(names.map((name) => [`apps/${name}/c.yaml`, manifest(name, 'on')])));
  for (const name of names) await cluster.kubectl(['apply', '--server-side', '-n', namespace, '-f', '-'], manifest(name, 'on'));
  const [applications, config, state] = [join(folder.path, 'applications.yaml'), join(folder.path, 'config.yaml'), join(folder.path, 'state')];
  const application = (name: string): string =>
    JSON.stringify({ apiVersion: 'setpoint.dev/v1alpha1', kind: 'Application', metadata: { name }, spec: { source: { repoURL: repository.url, targetRevision: 'main', path: `apps/${name}` }, destination: { namespace } } });
  await writeFile(applications, names.map(application).join('\n---\n'));
  await writeFile(
    config,
    JSON.stringify({
      destinations: [{ name: 'hook', type: 'webhook', url: sink.url, rateLimit: { perSecond: 100 } }],
      alerts: { rules: [{ name: 'drift', for: '0s', groupWait: '0s', groupInterval: '1s' }], allowPrivate: ['127.0.0.1'] },
    }),
  );
  const status = async (name: string): Promise<AppStatus> => JSON.parse(await readFile(join(state, 'apps', `${name}.json`), 'utf8')) as AppStatus;
  const at: Scene = {
    sink,
    redis: await startRedis(),
    agent: () => parts.use(startCli(['run', '-f', applications, '--config', config, '--state', state, '--redis', at.redis.url, '--kubeconfig', cluster.kubeconfig, '--listen-operations', 'none', '--log-format', 'json'])),
    async edit(name, mode) {
      const answer = await api.send('PATCH', `/api/v1/namespaces/${namespace}/configmaps/${name}?fieldManager=kubectl-edit`, { type: 'application/merge-patch+json', text: JSON.stringify({ data: { mode } }) });
      if (answer.status !== 200) throw new Error(`the edit was answered with ${answer.status}: ${answer.text}`);
    },
    status,
    delivery: async (name) => (await status(name)).alerts[0]?.deliveries['hook'],
    async [Symbol.asyncDispose]() {
      await parts.disposeAsync();
      await at.redis.stop();
    },
  };
  const first = at.agent();
  for (const name of names) await waitFor(async () => (await status(name)).verdict?.status === 'Synced', { what: `${name} to be in sync` });
  await first.stop();
  return at;
}

interface Told {
  readonly key: string;
  readonly name: string;
  readonly type: string;
  readonly body: string;
  readonly at: number;
}

function toldIn({ headers, json, body, at }: RecordedRequest): Told {
  const { subject, type } = json as { readonly subject: string; readonly type: string };
  return { key: String(headers['idempotency-key']), name: subject, type: type.split('.').at(-2) ?? '', body, at };
}

test('killed before it could send: it is sent once, by the next one', async () => {
  await using at = await scene(['a']);
  const { port } = at.redis;
  await at.redis.stop();
  const agent = at.agent();
  await at.edit('a', 'by hand');
  await waitFor(async () => (await at.delivery('a'))?.claim, { what: 'the claim on record' });
  await agent.stop('SIGKILL');
  expect(at.sink.requests).toEqual([]);
  const { claim } = (await at.delivery('a')) ?? {};
  at.redis = await startRedis({ port });
  at.agent();
  await waitFor(async () => (await at.delivery('a'))?.told === 1, { what: 'the delivery on record' });
  expect(at.sink.requests.map(toldIn)).toMatchObject([{ key: claim?.notification, type: 'firing', body: expect.stringContaining('by hand') }]);
}, 120_000);

test.each(['that is flushed', 'that keeps what the killed one had taken'])('killed after it sent and before it was answered, with a Redis %s: there is a second copy soon, with the same key', async (redis) => {
  await using at = await scene(['a']);
  at.sink.answerNext('hang');
  const agent = at.agent();
  await at.edit('a', 'by hand');
  await at.sink.waitForRequests(1, 30_000);
  await agent.stop('SIGKILL');
  if (redis === 'that is flushed') await at.redis.command('FLUSHALL');
  at.agent();
  const again = performance.now();
  await waitFor(async () => (await at.delivery('a'))?.told === 1, { what: 'the delivery on record' });
  process.stdout.write(`a second copy ${((performance.now() - again) / 1000).toFixed(1)} s after the next one was started, with a Redis ${redis}\n`);
  const [one, two, ...more] = at.sink.requests.map(toldIn);
  expect(more).toEqual([]);
  expect(two?.key).toBe(one?.key);
}, 120_000);

test('killed after the delivery was on record: nothing is sent again', async () => {
  await using at = await scene(['a', 'b']);
  const agent = at.agent();
  await at.edit('a', 'by hand');
  await waitFor(async () => (await at.delivery('a'))?.told === 1, { what: 'the delivery on record' });
  await agent.stop('SIGKILL');
  await at.redis.command('FLUSHALL');
  at.agent();
  await at.edit('b', 'by hand');
  await waitFor(async () => (await at.delivery('b'))?.told === 1, { what: 'another delivery on record' });
  expect(at.sink.requests.map(toldIn).map(({ name }) => name)).toEqual(['a', 'b']);
}, 120_000);

interface Kills {
  readonly edits: number;
  readonly told: readonly Told[];
  /** Every delivery of a key after the first. */
  readonly copies: readonly Told[];
  readonly lifeOf: (told: Told) => number;
}

const names = ['a', 'b', 'c', 'd', 'e', 'f'];

/** Kills the agent again and again, most often about when it sends something, while drifts come and go. */
async function killAgain(kills: number, seed: number): Promise<Kills> {
  await using at = await scene(names);
  const random = seededRandom(seed);
  const drifts = new Map<string, string>();
  /** Undone, and how many deliveries there were then. */
  const undone = new Map<string, number>();
  const edits: string[] = [];
  const lives: number[] = [];
  const told = (): readonly Told[] => at.sink.requests.map(toldIn);
  const isTold = (value: string): boolean => told().some(({ type, body }) => type !== 'resolved' && body.includes(`"${value}"`));
  /** By a message that is no copy of what an earlier drift ended with. */
  const isEndTold = (name: string, from: number): boolean => {
    const earlier = new Set(told().slice(0, from).map(({ key }) => key));
    return told().slice(from).some((one) => one.name === name && one.type === 'resolved' && !earlier.has(one.key));
  };
  const step = async (): Promise<void> => {
    const name = names[Math.floor(random.next() * names.length)] ?? 'a';
    const value = drifts.get(name);
    // What is undone and done again before anybody has looked goes on as what it was.
    const isOver = !undone.has(name) || isEndTold(name, undone.get(name) ?? 0);
    if (value === undefined && isOver) {
      const next = `edit-${edits.length}-`;
      edits.push(next);
      drifts.set(name, next);
      await at.edit(name, next);
    } else if (value !== undefined && isTold(value)) {
      drifts.delete(name);
      undone.set(name, told().length);
      await at.edit(name, 'on');
    }
  };
  // How long it takes to come up differs with what else runs here.
  let startMs = 1000;
  for (let kill = 0; kill < kills; kill += 1) {
    lives.push(Date.now());
    const [begun, before, kind] = [performance.now(), at.sink.requests.length, random.next()];
    const agent = at.agent();
    const hasBegun = (): boolean => (kind < 0.65 ? at.sink.requests.length > before : agent.output.stderr.includes('"agent started"'));
    // One in six while it comes up, half of them as it sends and records, the others whatever they do.
    let until = kind < 0.15 ? begun + random.next() * startMs : undefined;
    while (performance.now() < (until ?? begun + 15_000)) {
      await step();
      await sleep(random.next() * 20);
      if (until !== undefined || !hasBegun()) continue;
      startMs = performance.now() - begun;
      until = performance.now() + random.next() * (kind < 0.65 ? 40 : 500);
    }
    await agent.stop('SIGKILL');
    if (random.next() < 0.5) await at.redis.command('FLUSHALL');
  }
  lives.push(Date.now());
  at.agent();
  await waitFor(() => edits.every(isTold), { what: 'every drift to be told', deadlineMs: 120_000 }).catch(async (error: Error) => {
    const lost = [...drifts].filter(([, value]) => !isTold(value));
    const known = await Promise.all(lost.map(async ([name, value]) => ({ name, value, told: told().filter((one) => one.name === name).slice(-6), alerts: (await at.status(name)).alerts, episodes: (await at.status(name)).episodes.slice(0, 3) })));
    throw new Error(`${error.message}; not told: ${JSON.stringify(known)}`, { cause: error });
  });
  for (const name of names) await at.edit(name, 'on');
  for (const name of names) {
    await waitFor(async () => (await at.delivery(name))?.toldState === 'resolved' && (await at.delivery(name))?.claim === undefined, { what: `the end of ${name} to be told`, deadlineMs: 120_000 });
    expect(told().findLast((one) => one.name === name)?.type).toBe('resolved');
  }
  const copies = [...Map.groupBy(told(), ({ key }) => key).values()].flatMap((same) => same.slice(1));
  return { edits: edits.length, told: told(), copies, lifeOf: ({ at: time }) => lives.findLastIndex((start) => start <= time) };
}

test('killed a hundred times at random while drifts go on, and Redis flushed between: no drift is lost, and a kill makes at most one copy, with the same key', async () => {
  const halves = await Promise.all([killAgain(50, 20_261_118), killAgain(50, 20_261_119)]);
  for (const { edits, told, copies, lifeOf } of halves) {
    const active = new Set(told.map(lifeOf)).size;
    process.stdout.write(`kills: 50, drifts: ${edits}, deliveries: ${told.length}, copies: ${copies.length}, agents that sent something: ${active}\n`);
    const byKey = [...Map.groupBy(told, ({ key }) => key).values()];
    for (const same of byKey) {
      expect(new Set(same.map(lifeOf)).size).toBe(same.length);
      expect(new Set(same.map(({ name }) => name)).size).toBe(1);
    }
    // One at a time is under way: of what an agent sent, no more than that one is sent again by those who come after it.
    const sentAgain = byKey.flatMap((same) => same.slice(0, -1).map((one) => ({ life: lifeOf(one), key: one.key })));
    expect([...Map.groupBy(sentAgain, ({ life }) => life).values()].filter((some) => some.length > 1)).toEqual([]);
    expect(active).toBeGreaterThan(20);
    expect(edits).toBeGreaterThan(10);
  }
}, 600_000);
