import { describe, expect, test } from 'vitest';
import { agentScene, manifest, type AgentScene } from '../support/agent-scene.ts';
import { seededRandom } from '../support/seeded-random.ts';
import { sharedCluster } from '../support/test-run/index.ts';
import { waitFor } from '../support/wait-for.ts';

const cluster = sharedCluster();
const sleep = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

/** Of one resource and cause there is at most one open episode, and none overlaps another: each difference is recorded once. */
async function expectRecordedOnce(at: AgentScene, names: readonly string[]): Promise<void> {
  for (const name of names) {
    const { episodes = [] } = await at.status(name);
    expect(new Set(episodes.map(({ id }) => id)).size).toBe(episodes.length);
    for (const [, some] of Map.groupBy(episodes, ({ key, cause }) => `${key} ${cause}`)) {
      const inOrder = some.toSorted((a, b) => (a.openedAt < b.openedAt ? -1 : 1));
      const overlapping = inOrder.filter(({ closedAt = 'still open' }, index) => closedAt > (inOrder[index + 1]?.openedAt ?? '~'));
      expect(overlapping).toEqual([]);
    }
  }
}

test('killed at random, fifty times while changes go on: the verdicts are right, and each difference is recorded once', async () => {
  const names = ['a', 'b', 'c', 'd'];
  await using at = await agentScene(cluster, names);
  for (const name of names) await at.declare(name, { syncPolicy: { automated: {} } });
  const first = at.agent();
  for (const name of names) await at.until(name, 'Synced');
  await first.stop('SIGKILL');
  const random = seededRandom(20_261_117);
  const wanted = new Map(names.map((name) => [name, 'on']));
  let edits = 0;
  let head = await at.repository.git('rev-parse', 'refs/heads/main').then((text) => text.trim());
  for (let kill = 0; kill < 50; kill += 1) {
    const agent = at.agent();
    const until = performance.now() + 300 + random.next() * 5500;
    while (performance.now() < until) {
      const name = names[Math.floor(random.next() * names.length)] ?? 'a';
      edits += 1;
      if (random.next() < 0.2) {
        const value = `commit-${edits}`;
        head = await at.repository.commit({ [`apps/${name}/c.yaml`]: manifest(name, value) });
        wanted.set(name, value);
      } else await at.edit(name, random.next() < 0.5 ? `edit-${edits}` : (wanted.get(name) ?? 'on'));
      await sleep(random.next() * 300);
    }
    await agent.stop('SIGKILL');
  }
  at.agent();
  for (const name of names) {
    await at.edit(name, wanted.get(name) ?? 'on');
    await waitFor(async () => (await at.status(name)).sync?.revision === head, { what: `the last commit to be compared for ${name}`, deadlineMs: 60_000 });
    await at.until(name, 'Synced', 60_000);
    expect(await at.live(name)).toBe(wanted.get(name));
  }
  await at.edit('a', 'drifted at the end');
  await at.until('a', 'OutOfSync live-changed', 60_000);
  await expectRecordedOnce(at, names);
  expect(edits).toBeGreaterThan(100);
}, 900_000);

describe('two agents', () => {
  test('one leads; when it is stopped for longer than its lease the other takes over, and the old one writes nothing afterwards', async () => {
    await using at = await agentScene(cluster, ['a', 'b']);
    for (const name of ['a', 'b']) await at.declare(name, { syncPolicy: { automated: { selfHeal: true } } });
    const audit = await cluster.auditLog();
    const [one, two] = [at.agent('--kubeconfig', await at.kubeconfigOf('agent-one')), at.agent('--kubeconfig', await at.kubeconfigOf('agent-two'))];
    await at.until('a', 'Synced');
    await at.until('b', 'Synced');
    const leads = ({ output }: typeof one): boolean => output.stderr.includes('"message":"this agent leads"');
    expect([one, two].filter(leads)).toHaveLength(1);
    const [leader, standby] = leads(one) ? [one, two] : [two, one];
    const { epoch: before = 0 } = await at.status('a');

    leader.signal('SIGSTOP');
    await waitFor(() => leads(standby), { what: 'the other to take over' });
    await at.edit('a', 'by hand');
    await waitFor(async () => (await at.live('a')) === 'on', { what: 'the heal by the new leader' });
    const { epoch: after = 0 } = await waitFor(async () => ((await at.status('a')).epoch === before ? undefined : at.status('a')), { what: 'a status of the new term' });
    expect(after).toBeGreaterThan(before);

    leader.signal('SIGCONT');
    await at.edit('b', 'by hand');
    await waitFor(async () => (await at.live('b')) === 'on', { what: 'another heal' });
    await sleep(3000);
    const writes = (await audit.events()).filter(
      ({ verb, objectRef, requestURI }) => ['patch', 'create', 'update', 'delete'].includes(verb) && objectRef?.namespace === at.namespace && objectRef.resource !== 'events' && !requestURI.includes('dryRun=All'),
    );
    // Each campaigns, and each tries to make the key that they share.
    const writesOf = (agent: typeof one): typeof writes => writes.filter(({ impersonatedUser, objectRef }) => impersonatedUser?.username === (agent === one ? 'agent-one' : 'agent-two') && !['leases', 'secrets'].includes(objectRef?.resource ?? ''));
    const taken = writesOf(standby)[0]?.requestReceivedTimestamp ?? '';
    expect(taken).not.toBe('');
    expect(writesOf(leader).length).toBeGreaterThan(3);
    expect(writesOf(leader).filter(({ requestReceivedTimestamp }) => requestReceivedTimestamp > taken)).toEqual([]);
  }, 180_000);

  test('the next one goes on from the last commit, though it has seen only an older one', async () => {
    await using at = await agentScene(cluster, ['a']);
    await at.declare('a', { syncPolicy: { automated: { prune: true, selfHeal: true } }, interval: '1h' });
    const first = at.agent('--interval', '1h');
    await at.until('a', 'Synced');
    const second = at.agent('--interval', '1h');
    const asked = (): number => at.server.requests.filter(({ path }) => path.includes('upload-pack')).length;
    const before = asked();
    await waitFor(() => asked() > before, { what: 'the second to have the repository at hand' });
    await waitFor(() => second.output.stderr.includes('"the lease is held"'), { what: 'the second to see the first' });

    const commit = await at.repository.commit({ 'apps/a/c.yaml': manifest('a', 'new') });
    await at.refresh('a');
    await waitFor(async () => (await at.live('a')) === 'new', { what: 'the commit to be live' });
    await at.until('a', 'Synced');
    expect(await first.stop()).toBe(0);
    await at.edit('a', 'by hand');
    await waitFor(async () => (await at.live('a')) !== 'by hand', { what: 'the heal by the next one' });
    expect(await at.live('a')).toBe('new');
    expect((await at.until('a', 'Synced')).sync?.revision).toBe(commit);
  }, 120_000);

  test('a leader that ends hands over at once', async () => {
    await using at = await agentScene(cluster, ['a']);
    await at.declare('a', { syncPolicy: { automated: {} } });
    const first = at.agent();
    await at.until('a', 'Synced');
    const second = at.agent();
    await waitFor(() => second.output.stderr.includes('"the lease is held"'), { what: 'the second to see the first' });
    const stopped = performance.now();
    expect(await first.stop()).toBe(0);
    await waitFor(() => second.output.stderr.includes('"message":"this agent leads"'), { what: 'the second to lead' });
    await at.edit('a', 'by hand');
    await at.until('a', 'OutOfSync live-changed');
    process.stdout.write(`hand-over: ${((performance.now() - stopped) / 1000).toFixed(1)} s from SIGTERM to a verdict of the next one\n`);
  }, 120_000);
});
