import { expect, test } from 'vitest';
import { agentScene, manifest } from '../support/agent-scene.ts';
import { runCli } from '../support/cli.ts';
import { sharedCluster } from '../support/test-run/index.ts';
import { waitFor } from '../support/wait-for.ts';

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
  await waitFor(async () => (await at.live('web')) === 'on', { what: 'the second sync', deadlineMs: 30_000 });
});
