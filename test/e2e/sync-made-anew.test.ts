import { randomBytes } from 'node:crypto';
import { expect, test } from 'vitest';
import { sharedCluster } from '../support/test-run/index.ts';
import { waitFor } from '../support/wait-for.ts';
import { configMap, deadlineMs, syncScene, type SyncScene } from './sync/scene.ts';
import { endJob } from './sync/waves.ts';

const cluster = sharedCluster();
const timeout = 180_000;

const migrate = `${JSON.stringify({
  apiVersion: 'batch/v1',
  kind: 'Job',
  metadata: { generateName: 'migrate-', annotations: { 'argocd.argoproj.io/hook': 'PreSync', 'argocd.argoproj.io/hook-delete-policy': 'HookSucceeded' } },
  spec: { backoffLimit: 0, template: { spec: { restartPolicy: 'Never', schedulerName: 'nobody', containers: [{ name: 'work', image: 'registry.example.com/work:1' }] } } },
})}\n`;

async function jobName(at: SyncScene): Promise<string> {
  return waitFor(
    async () => {
      const { items } = await cluster.getJson<{ items: readonly { metadata: { name: string; deletionTimestamp?: string } }[] }>('jobs', '-n', at.namespace);
      return items.find(({ metadata }) => metadata.deletionTimestamp === undefined)?.metadata.name;
    },
    { what: 'the hook', deadlineMs },
  );
}

test('a hook with a generated name runs in each sync, is waited for, and goes as it says', { timeout }, async () => {
  await using at = await syncScene(cluster, { 'migrate.yaml': migrate, 'a.yaml': configMap('a') });
  await at.application({ syncPolicy: { automated: {} } });
  await at.start();
  const name = await jobName(at);
  expect(name).toMatch(/^migrate-[0-9a-f]{8}$/);
  expect(await at.live('a')).toBeUndefined();
  await endJob(at, name, 'Succeeded');
  await at.viewWhen('the first sync', ({ history = [] }) => history.length === 1);
  expect(await at.live('a')).toBe('on');

  await at.commit({ 'a.yaml': configMap('a', { value: 'new' }) });
  await endJob(at, await jobName(at), 'Succeeded');
  const { history } = await at.viewWhen('the second sync', ({ history: some = [] }) => some.length === 2);
  expect(history).toMatchObject([{ state: 'succeeded' }, { state: 'succeeded' }]);
  const run = [`create jobs/${name}`, 'patch configmaps/a', `delete jobs/${name}`];
  expect((await at.written()).toSorted()).toEqual([...run, ...run].toSorted());
});

test('a namespace that a sync makes has the labels and annotations that are asked for', { timeout }, async () => {
  await using at = await syncScene(cluster, { 'a.yaml': configMap('a') });
  await using made = { name: `made-${randomBytes(4).toString('hex')}`, [Symbol.asyncDispose]: async () => void (await cluster.kubectl(['delete', 'namespace', made.name, '--ignore-not-found', '--wait=false'])) };
  const metadata = { labels: { 'pod-security.kubernetes.io/enforce': 'restricted' }, annotations: { team: 'shop' } };
  await at.application({ destination: { namespace: made.name }, syncPolicy: { automated: {}, syncOptions: ['CreateNamespace=true'], managedNamespaceMetadata: metadata } });
  await at.start();
  await at.until('shop', 'Synced', deadlineMs);
  expect(await cluster.getJson('namespace', made.name)).toMatchObject({ metadata });
});
