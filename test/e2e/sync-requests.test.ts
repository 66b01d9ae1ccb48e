import { expect, test } from 'vitest';
import { agentScene, manifest } from '../support/agent-scene.ts';
import { runCli } from '../support/cli.ts';
import { sharedCluster } from '../support/test-run/index.ts';
import { waitFor } from '../support/wait-for.ts';
import type { SyncView } from './sync/scene.ts';

const cluster = sharedCluster();
const nowhere = JSON.stringify({
  apiVersion: 'apps/v1',
  kind: 'Deployment',
  metadata: { name: 'stuck' },
  spec: { selector: { matchLabels: { app: 'stuck' } }, template: { metadata: { labels: { app: 'stuck' } }, spec: { nodeSelector: { there: 'is-none' }, containers: [{ name: 'app', image: 'registry.example.com/app:1' }] } } },
});

test('a request for a commit that is not there is answered, and nothing else is applied in its place', { timeout: 120_000 }, async () => {
  await using at = await agentScene(cluster, ['web']);
  await at.declare('web');
  at.agent();
  await at.until('web', 'OutOfSync git-ahead', 60_000);
  const asked = await runCli(['sync', 'web', '--revision', 'f'.repeat(40), '--wait', '--timeout', '15s', '-n', at.namespace, '--kubeconfig', cluster.kubeconfig]);
  expect({ code: asked.code, live: await at.live('web'), stdout: asked.stdout }).toEqual({ code: 2, live: undefined, stdout: '' });
  expect((await at.status('web')).sync).toMatchObject({ status: 'OutOfSync' });
});

test('what was pushed a moment ago is what is synced, however long ago Git was asked', { timeout: 120_000 }, async () => {
  await using at = await agentScene(cluster, ['web']);
  const place = ['-n', at.namespace, '--kubeconfig', cluster.kubeconfig];
  await at.declare('web');
  at.agent('--interval', '10m');
  await at.until('web', 'OutOfSync git-ahead', 60_000);
  expect(await runCli(['sync', 'web', '--wait', ...place])).toMatchObject({ code: 0 });
  const pushed = await at.repository.commit({ 'apps/web/c.yaml': manifest('web', 'off'), 'apps/web/d.yaml': manifest('second', 'on') });
  expect(await runCli(['sync', 'web', '--wait', ...place])).toMatchObject({ code: 0, stdout: expect.stringContaining(`was synced to ${pushed.slice(0, 7)}: 2 applied`) as string });
  expect([await at.live('web'), await at.live('second')]).toEqual(['off', 'on']);

  // The plan of what is pushed and pruned is approved before any agent has seen the commit twice, or once.
  await at.repository.commit({ 'apps/web/c.yaml': manifest('web', 'on'), 'apps/web/d.yaml': null });
  const hash = /\bplan-[0-9a-f]{16}\b/.exec((await runCli(['sync', 'web', '--dry-run', '--prune', ...place])).stdout)?.[0] ?? 'no hash';
  expect(await runCli(['sync', 'web', '--prune', '--approve', hash, '--wait', ...place])).toMatchObject({ code: 0, stdout: expect.stringContaining('1 applied, 1 pruned') as string });
  expect([await at.live('web'), await at.live('second')]).toEqual(['on', undefined]);

  // Git is away: what it said last is not what it says.
  await at.server[Symbol.asyncDispose]();
  await at.edit('web', 'by hand');
  const silent = await runCli(['sync', 'web', '--wait', '--timeout', '30s', ...place]);
  expect(silent).toMatchObject({ code: 2, stdout: '', stderr: expect.stringMatching(/is not synced: what Git says now is not known: RepositoryUnreachable: .*; what it said last is --revision [0-9a-f]{40}/) as string });
  expect(await at.live('web')).toBe('by hand');
  const [revision = ''] = /[0-9a-f]{40}/.exec(silent.stderr) ?? [];
  expect(await runCli(['sync', 'web', '--revision', revision, '--wait', ...place])).toMatchObject({ code: 0 });
  expect(await at.live('web')).toBe('on');
});

test('a sync that somebody ended is on record, and is not begun again until there is something new', { timeout: 120_000 }, async () => {
  await using at = await agentScene(cluster, ['web']);
  const place = ['-n', at.namespace, '--kubeconfig', cluster.kubeconfig];
  await at.repository.commit({ 'apps/web/a.yaml': nowhere, 'apps/web/c.yaml': manifest('web', 'on').replace('metadata:', 'metadata:\n  annotations: { setpoint.dev/sync-wave: "1" }') });
  await at.declare('web', { syncPolicy: { automated: {} } });
  at.agent();
  const view = async (): Promise<SyncView> => (await at.status('web')) as SyncView;
  await waitFor(async () => (await view()).operation?.state === 'running', { what: 'a sync', deadlineMs: 60_000 });
  expect(await runCli(['terminate', 'web', ...place])).toMatchObject({ code: 0, stdout: expect.stringContaining('the sync was ended: 1 applied') as string });
  const { operation, history = [] } = await view();
  expect(operation).toMatchObject({ type: 'deploy', state: 'terminated', isEndedByHand: true });
  expect(history).toMatchObject([{ operation: operation?.id, state: 'terminated', applied: 1 }]);

  await at.refresh('web');
  await at.refresh('web');
  expect((await view()).operation).toMatchObject({ id: operation?.id, state: 'terminated' });
  expect(await at.live('web')).toBeUndefined();

  await at.repository.commit({ 'apps/web/a.yaml': null });
  await at.refresh('web');
  await waitFor(async () => (await at.live('web')) === 'on', { what: 'the next commit', deadlineMs: 60_000 });
});

test('a request that waited for the sync under way is taken up when that has ended', { timeout: 120_000 }, async () => {
  await using at = await agentScene(cluster, ['web']);
  const place = ['-n', at.namespace, '--kubeconfig', cluster.kubeconfig];
  await at.repository.commit({ 'apps/web/a.yaml': nowhere, 'apps/web/c.yaml': manifest('web', 'on').replace('metadata:', 'metadata:\n  annotations: { setpoint.dev/sync-wave: "1" }') });
  await at.declare('web');
  at.agent();
  await at.until('web', 'OutOfSync git-ahead', 60_000);
  await runCli(['sync', 'web', ...place]);
  expect(await runCli(['sync', 'web', '--resource', 'ConfigMap/web', '--timeout', '2s', ...place])).toMatchObject({ code: 5 });
  expect(await runCli(['terminate', 'web', ...place])).toMatchObject({ code: 0 });
  await waitFor(async () => (await at.live('web')) === 'on', { what: 'the second sync' });
});
