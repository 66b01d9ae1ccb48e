import { describe, expect, test } from 'vitest';
import { sharedCluster } from '../support/test-run/index.ts';
import { waitFor } from '../support/wait-for.ts';
import { writeAs } from '../support/write-as.ts';
import { configMap, deadlineMs, syncScene } from './sync/scene.ts';

const cluster = sharedCluster();
const timeout = 180_000;
const two = `${JSON.stringify({ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'a' }, data: { mode: 'on', old: 'x' } })}\n`;
const web = `${JSON.stringify({
  apiVersion: 'apps/v1',
  kind: 'Deployment',
  metadata: { name: 'web' },
  spec: { replicas: 0, selector: { matchLabels: { app: 'web' } }, template: { metadata: { labels: { app: 'web' } }, spec: { containers: [{ name: 'web', image: 'registry.example.com/web:1' }] } } },
})}\n`;

interface Podded {
  readonly spec: { readonly template: { readonly metadata: { readonly annotations?: Readonly<Record<string, string>> }; readonly spec: { readonly containers: readonly { readonly name: string; readonly env?: readonly unknown[] }[] } } };
}

describe('what an apply leaves', () => {
  test('a field that Git drops goes, although somebody else holds it by now', { timeout }, async () => {
    await using at = await syncScene(cluster, { 'a.yaml': two });
    await at.application({ syncPolicy: { automated: {} } });
    await at.start();
    await at.until('shop', 'Synced', deadlineMs);
    const path = `/api/v1/namespaces/${at.namespace}/configmaps/a`;
    await writeAs(cluster, 'kubectl-edit', { path, patch: { data: { old: 'by hand' } } });
    await at.until('shop', 'OutOfSync live-changed', deadlineMs);
    const commit = await at.commit({ 'a.yaml': configMap('a') });
    const { operation } = await at.synced(commit);
    expect(operation).toMatchObject({ type: 'deploy', state: 'succeeded', done: { applied: 1, held: 0 } });
    expect((await at.object('configmaps', 'a'))?.data).toEqual({ mode: 'on' });
    expect(await at.written()).toEqual(['patch configmaps/a', 'patch configmaps/a', 'patch configmaps/a']);
  });

  test('foreignFields: Revert takes away what people add, and nothing that software or a restart needs', { timeout }, async () => {
    await using at = await syncScene(cluster, { 'a.yaml': configMap('a'), 'web.yaml': web });
    await at.application({ syncPolicy: { automated: {} }, drift: { mode: 'Heal', foreignFields: 'Revert' } });
    await at.start();
    await at.until('shop', 'Synced', deadlineMs);
    const map = `/api/v1/namespaces/${at.namespace}/configmaps/a`;
    await writeAs(cluster, 'operator', { path: map, patch: { data: { computed: 'x' } } });
    await writeAs(cluster, 'kubectl-edit', { path: map, patch: { data: { extra: 'by hand' }, metadata: { labels: { debug: 'yes' } } } });
    await waitFor(async () => (await at.object('configmaps', 'a'))?.data?.['extra'] === undefined, { what: 'the field to be taken away', deadlineMs });
    const { history = [], episodes = [] } = await at.viewWhen('the heal on record', ({ operation, sync }) => operation?.type === 'heal' && operation.state === 'succeeded' && sync?.status === 'Synced');
    expect(history).toMatchObject([{ type: 'heal', applied: 1 }, { type: 'deploy' }]);
    expect(episodes.filter(({ cause }) => cause === 'live-changed')).toMatchObject([{ key: `/ConfigMap/${at.namespace}/a`, by: 'kubectl-edit' }]);
    expect((await at.object('configmaps', 'a'))?.data).toEqual({ mode: 'on', computed: 'x' });
    expect((await at.object('configmaps', 'a'))?.metadata).not.toHaveProperty('labels');

    await cluster.kubectl(['rollout', 'restart', 'deployment/web', '-n', at.namespace]);
    await cluster.kubectl(['set', 'env', 'deployment/web', 'DEBUG=1', '-n', at.namespace]);
    const template = async (): Promise<Podded['spec']['template']> => ((await at.object('deployments', 'web')) as unknown as Podded).spec.template;
    await waitFor(async () => (await template()).spec.containers[0]?.env === undefined, { what: 'the variable to be taken away', deadlineMs });
    await at.until('shop', 'Synced', deadlineMs);
    expect((await template()).metadata.annotations).toHaveProperty(['kubectl.kubernetes.io/restartedAt']);
    const written = await at.written();
    await at.look();
    await at.viewWhen('a look', ({ observedRefresh }) => observedRefresh === 'look-1');
    expect(await at.written()).toEqual(written);
  });
});
