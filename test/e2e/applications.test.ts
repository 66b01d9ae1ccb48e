import { createHmac } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { agentScene, manifest } from '../support/agent-scene.ts';
import { runCli, startCli } from '../support/cli.ts';
import { sharedCluster } from '../support/test-run/index.ts';
import { waitFor } from '../support/wait-for.ts';

const cluster = sharedCluster();
const automated = { syncPolicy: { automated: {} } };
const healing = { syncPolicy: { automated: { selfHeal: true } } };

test('each Application has its own verdict, and does what its policies say', async () => {
  await using at = await agentScene(cluster, ['told', 'deployed', 'healed']);
  await at.declare('told');
  await at.declare('deployed', automated);
  await at.declare('healed', healing);
  at.agent();
  await at.until('told', 'OutOfSync git-ahead');
  await at.until('deployed', 'Synced');
  await at.until('healed', 'Synced');
  expect(await at.live('told')).toBeUndefined();

  await at.edit('deployed', 'by hand');
  await at.edit('healed', 'by hand');
  expect(await at.until('deployed', 'OutOfSync live-changed')).toMatchObject({ resources: [{ fields: ['data.mode'], by: 'kubectl-edit' }], drift: '1/1' });
  await waitFor(async () => (await at.live('healed')) === 'on', { what: 'the heal' });
  expect(await at.live('deployed')).toBe('by hand');
  const { episodes = [] } = await at.until('healed', 'Synced');
  expect(episodes.filter(({ cause }) => cause === 'live-changed')).toMatchObject([{ by: 'kubectl-edit', closedAt: expect.any(String) as string, correctedAt: expect.any(String) as string }]);

  for (const event of [/Warning\s+DriftDetected\s+application\/deployed/, /Normal\s+DriftResolved\s+application\/healed/]) {
    await waitFor(async () => event.test(await cluster.kubectl(['get', 'events', '-n', at.namespace])), { what: `the event ${event}` });
  }
});

test('a commit is seen, and only applications whose inputs it touches are rendered', async () => {
  await using at = await agentScene(cluster, ['a', 'b', 'c']);
  for (const name of ['a', 'b', 'c']) await at.declare(name, automated);
  const { operations } = await at.served('--interval', '10s');
  for (const name of ['a', 'b', 'c']) await at.until(name, 'Synced');
  const counted = async (name: string): Promise<number> => {
    const text = await (await fetch(`${operations}/metrics`)).text();
    return [...text.matchAll(new RegExp(`^${name}(?:\\{.*\\})? (\\d+)$`, 'gm'))].reduce((sum, [, value]) => sum + Number(value), 0);
  };
  const [renders, fetches] = [await counted('setpoint_renders_total'), await counted('setpoint_git_fetches_total')];
  await at.repository.commit({ 'apps/b/c.yaml': manifest('b', 'new') });
  await waitFor(async () => (await at.live('b')) === 'new', { what: 'the commit to arrive', deadlineMs: 40_000 });
  expect([(await counted('setpoint_renders_total')) - renders, (await counted('setpoint_git_fetches_total')) - fetches]).toEqual([1, 1]);
});

describe('a webhook', () => {
  test.each<[string, string, boolean]>([
    ['a poll alone', '10s', false],
    ['a webhook alone', '1h', true],
    ['a poll and a webhook', '10s', true],
  ])('%s: a commit is seen once', async (_name, interval, isSent) => {
    await using at = await agentScene(cluster, ['a']);
    await at.declare('a', automated);
    const { hooks } = await at.served('--interval', interval);
    await at.until('a', 'Synced');
    const before = (await at.status('a')).history?.length ?? 0;
    const commit = await at.repository.commit({ 'apps/a/c.yaml': manifest('a', 'new') });
    if (isSent) await send(hooks, body(at.repository.url, 'refs/heads/main'));
    await waitFor(async () => (await at.live('a')) === 'new', { what: 'the commit to arrive', deadlineMs: 40_000 });
    expect((await at.until('a', 'Synced')).sync).toMatchObject({ revision: commit });
    // Long enough for the poll to come, too.
    if (interval === '10s') await waitFor(() => at.server.requests.filter(({ path }) => path.includes('info/refs')).length > 3, { what: 'another poll' });
    expect((await at.status('a')).history).toHaveLength(before + 1);
  });

  const body = (url: string, ref: string): string => JSON.stringify({ ref, before: '1'.repeat(40), after: '2'.repeat(40), repository: { html_url: url, clone_url: url, ssh_url: 'git@example.com:none/none.git' } });
  const send = async (hooks: string, text: string, { secret = 'a secret of this test', id = 'd1' } = {}): Promise<number> => {
    const signature = createHmac('sha256', secret).update(text).digest('hex');
    const headers = { 'content-type': 'application/json', 'x-github-event': 'push', 'x-github-delivery': id, 'x-hub-signature-256': `sha256=${signature}` };
    return (await fetch(`${hooks}/hooks/push`, { method: 'POST', headers, body: text })).status;
  };

  test('has a commit seen at once, and what is false, repeated or about something else changes nothing', async () => {
    await using at = await agentScene(cluster, ['a', 'other']);
    await at.declare('a', automated);
    const elsewhere = await at.server.createRepository('elsewhere');
    await elsewhere.commit({ 'apps/other/c.yaml': manifest('other', 'on') });
    await at.declare('other', { source: { repoURL: elsewhere.url, targetRevision: 'main', path: 'apps/other' } });
    const { hooks, operations } = await at.served('--interval', '1h');
    await at.until('a', 'Synced');
    await at.until('other', 'OutOfSync git-ahead');
    const counted = async (): Promise<string> => [...(await (await fetch(`${operations}/metrics`)).text()).matchAll(/^setpoint_(?:git_listings|git_fetches|looks_wanted)_total(?:\{.*(?:elsewhere|fleet|trigger="git").*\}) \d+$/gm)].map(([line]) => line).toSorted().join('\n');

    await at.repository.commit({ 'apps/a/c.yaml': manifest('a', 'new') });
    const before = await counted();
    expect(await send(hooks, body(at.repository.url, 'refs/heads/main'), { secret: 'wrong' })).toBe(401);
    expect(await send(hooks, body('https://git.example.com/none', 'refs/heads/main'), { id: 'd2' })).toBe(202);
    expect(await send(hooks, body(at.repository.url, 'refs/heads/dev'), { id: 'd3' })).toBe(202);
    expect(await counted()).toBe(before);
    expect(await at.live('a')).toBe('on');

    expect(await send(hooks, body(at.repository.url, 'refs/heads/main'), { id: 'd4' })).toBe(202);
    await waitFor(async () => (await at.live('a')) === 'new', { what: 'the commit to arrive' });
    await at.until('a', 'Synced');
    const after = await counted();
    expect(after).toMatch(/looks_wanted_total\{trigger="git"\} 1$/m);
    expect(after).toMatch(/git_listings_total\{repository=".*fleet.*"\} 2$/m);
    expect(after).toMatch(/git_listings_total\{repository=".*elsewhere.*"\} 1$/m);
    expect(after).toMatch(/git_fetches_total\{repository=".*fleet.*",type="incremental"\} 1$/m);
    expect(await send(hooks, body(at.repository.url, 'refs/heads/main'), { id: 'd4' })).toBe(200);
    expect(await counted()).toBe(after);
  });
});

test('one that cannot be read hurts only itself, and says what is wrong', async () => {
  await using at = await agentScene(cluster, ['good']);
  await at.declare('good', automated);
  await at.declare('bad', { source: { repoURL: at.repository.url, targetRevision: 'main', path: 'apps/good' }, ignoreDifferences: [{ kind: 'ConfigMap', jsonPointers: ['no pointer'] }] });
  await at.declare('nowhere', { source: { repoURL: at.repository.url, targetRevision: 'main', path: 'apps/none' } });
  await at.declare('odd', { project: 'team-a', revisionHistoryLimit: 3 });
  at.agent();
  await at.until('good', 'Synced');
  expect((await at.until('bad', 'Unknown')).sync).toMatchObject({ code: 'ApplicationInvalid', message: expect.stringContaining('ignoreDifferences') as string });
  expect((await at.until('nowhere', 'Unknown')).sync).toMatchObject({ code: 'PathNotFound' });
  const { conditions = [] } = await waitFor(async () => ((await at.status('odd')).conditions === undefined ? undefined : at.status('odd')), { what: 'a status' });
  expect(conditions.find(({ type }) => type === 'NotSupported')?.message).toMatch(/spec\.project.*spec\.revisionHistoryLimit|spec\.revisionHistoryLimit.*spec\.project/);
});

test('deleting an Application deletes no workload and leaves nothing that blocks it', async () => {
  await using at = await agentScene(cluster, ['a']);
  await at.declare('a', automated);
  at.agent();
  await at.until('a', 'Synced');
  await cluster.kubectl(['delete', 'application.setpoint.dev', 'a', '-n', at.namespace, '--timeout=10s']);
  expect(await at.live('a')).toBe('on');
});

test('a pause holds the hand and not the eye, and a refresh is answered', async () => {
  await using at = await agentScene(cluster, ['a']);
  await at.declare('a', healing);
  at.agent();
  await at.until('a', 'Synced');
  await cluster.kubectl(['annotate', 'application.setpoint.dev', 'a', '-n', at.namespace, 'setpoint.dev/pause=true', 'setpoint.dev/pause-reason=incident 7']);
  await waitFor(async () => (await at.status('a')).conditions?.find(({ type }) => type === 'Paused')?.message === 'incident 7', { what: 'the pause' });
  await at.edit('a', 'by hand');
  await at.until('a', 'OutOfSync live-changed');
  expect(await at.live('a')).toBe('by hand');
  await cluster.kubectl(['annotate', 'application.setpoint.dev', 'a', '-n', at.namespace, 'setpoint.dev/pause-', 'setpoint.dev/refresh=please']);
  await waitFor(async () => (await at.status('a')).observedRefresh === 'please', { what: 'the answer' });
  await at.until('a', 'Synced');
  expect(await at.live('a')).toBe('on');
});

test('applications in a file: no definition, no lease, the state in a folder', async () => {
  await using at = await agentScene(cluster, ['a', 'b']);
  const file = join(at.folder, 'apps.yaml');
  const app = (name: string, more = ''): string =>
    `---\napiVersion: setpoint.dev/v1alpha1\nkind: Application\nmetadata: { name: ${name} }\nspec:\n  source: { repoURL: ${at.repository.url}, targetRevision: main, path: apps/${name} }\n  destination: { namespace: ${at.namespace} }\n${more}`;
  await writeFile(file, app('a', '  syncPolicy: { automated: {} }\n'));
  const state = join(at.folder, 'state');
  await using agent = startCli(['run', '-f', file, '--state', state, '--interval', '10s', '--listen-operations', 'none', '--kubeconfig', cluster.kubeconfig]);
  await agent.saw(/a {2}Synced/);
  await writeFile(file, app('a', '  syncPolicy: { automated: {} }\n') + app('b'));
  await agent.saw(/b {2}OutOfSync \(git-ahead\)/);
  const { code } = await waitFor(
    async () => {
      const shown = await runCli(['status', '--state', state, '--exit-code']);
      return /a\s+Synced[^]*b\s+OutOfSync\s+git-ahead/.test(shown.stdout) ? shown : undefined;
    },
    { what: 'setpoint status to show both' },
  );
  expect(code).toBe(1);
  expect(await agent.stop()).toBe(0);
});
