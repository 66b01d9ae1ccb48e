import { expect, test } from 'vitest';
import { runCli } from '../support/cli.ts';
import { sharedCluster } from '../support/test-run/index.ts';
import { waitFor } from '../support/wait-for.ts';
import { deadlineMs, syncScene, type SyncScene, type SyncView } from './sync/scene.ts';

const cluster = sharedCluster();
const healing = { syncPolicy: { automated: {} }, drift: { mode: 'Heal' } };
const timeout = 180_000;

const web = (image: string): string =>
  `${JSON.stringify({
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: { name: 'web' },
    spec: { replicas: 1, selector: { matchLabels: { app: 'web' } }, template: { metadata: { labels: { app: 'web' } }, spec: { containers: [{ name: 'web', image }] } } },
  })}\n`;

/** Its controller needs no metrics to keep to the limits. */
const autoscaler = (limits: { readonly minReplicas: number; readonly maxReplicas: number }, namespace?: string): string =>
  `${JSON.stringify({
    apiVersion: 'autoscaling/v2',
    kind: 'HorizontalPodAutoscaler',
    metadata: { name: 'web', namespace },
    spec: { scaleTargetRef: { apiVersion: 'apps/v1', kind: 'Deployment', name: 'web' }, ...limits, metrics: [{ type: 'Resource', resource: { name: 'cpu', target: { type: 'Utilization', averageUtilization: 60 } } }] },
  })}\n`;

async function scaledTo(at: SyncScene, replicas: number): Promise<void> {
  await waitFor(async () => (await at.object('deployments', 'web'))?.spec?.replicas === replicas, { what: `the controller to scale to ${replicas}`, deadlineMs });
}

const saidOf = ({ conditions = [] }: SyncView): string => conditions.find(({ type }) => type === 'Autoscaled')?.message ?? '';
const notice = 'spec.replicas is left to the HorizontalPodAutoscaler web';

test('an autoscaler that nobody declares has the replicas within its limits: no difference, no fight, named once, also in the next deployment', { timeout }, async () => {
  await using at = await syncScene(cluster, { 'web.yaml': web('registry.example.com/web:1') });
  await at.application(healing);
  await at.start();
  await at.until('shop', 'Synced', deadlineMs);
  await cluster.apply(autoscaler({ minReplicas: 3, maxReplicas: 5 }, at.namespace));
  await scaledTo(at, 3);
  await at.viewWhen('it to be named', (view) => saidOf(view).includes(notice));
  await at.look();
  expect(await at.viewWhen('a look', ({ observedRefresh }) => observedRefresh === 'look-1')).toMatchObject({ sync: { status: 'Synced' }, held: [] });

  const commit = await at.commit({ 'web.yaml': web('registry.example.com/web:2') });
  const { operation, history } = await at.synced(commit);
  expect(operation).toMatchObject({ type: 'deploy', state: 'succeeded', done: { applied: 1, held: 0 } });
  expect(history).toHaveLength(2);
  expect((await at.object('deployments', 'web'))?.spec?.replicas).toBe(3);
  expect(await at.written()).toEqual(['patch deployments/web', 'patch deployments/web']);

  const { code, stdout } = await runCli(['diff', '-f', '-', '-n', at.namespace, '--kubeconfig', cluster.kubeconfig], { input: web('registry.example.com/web:2') });
  expect({ code, stdout }).toEqual({ code: 0, stdout: expect.stringContaining(notice) as string });

  await cluster.kubectl(['delete', 'hpa', 'web', '-n', at.namespace]);
  await at.look();
  expect(await at.heldFor('Contested')).toMatchObject({ name: 'web', why: expect.stringContaining('kube-controller-manager') as string });
});

test('one that Git declares counts by its own limits, and costs no request', { timeout }, async () => {
  await using at = await syncScene(cluster, { 'web.yaml': web('registry.example.com/web:1'), 'hpa.yaml': autoscaler({ minReplicas: 2, maxReplicas: 4 }) });
  await at.application(healing);
  await at.start();
  await scaledTo(at, 2);
  await at.viewWhen('it to be named', (view) => view.sync?.status === 'Synced' && saidOf(view).includes(`${notice}, which may choose 2 to 4`));
  const lists = async (): Promise<number> => (await at.requests()).filter(({ verb, requestURI }) => verb === 'list' && requestURI.includes('/horizontalpodautoscalers')).length;
  const before = await lists();
  const commit = await at.commit({ 'hpa.yaml': autoscaler({ minReplicas: 3, maxReplicas: 4 }) });
  await scaledTo(at, 3);
  await at.synced(commit);
  await at.viewWhen('the new limits', (view) => saidOf(view).includes('3 to 4'));
  expect(await lists()).toBe(before);
  expect((await at.written()).filter((line) => line.endsWith('deployments/web'))).toHaveLength(1);
});
