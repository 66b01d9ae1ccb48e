import { expect, test } from 'vitest';
import { startAdmissionWebhook } from '../support/admission-webhook.ts';
import type { RunningCli } from '../support/cli.ts';
import { sharedCluster } from '../support/test-run/index.ts';
import { configMap, deadlineMs, syncScene } from '../e2e/sync/scene.ts';

const cluster = sharedCluster();
const wave = (name: string, at: number, value: string): string => configMap(name, { value, annotations: { 'setpoint.dev/sync-wave': String(at) } });

test('what was asked for once has no part in a later sync, also when that is gone on with after a crash', { timeout: 180_000 }, async () => {
  await using parts = new AsyncDisposableStack();
  const at = parts.use(await syncScene(cluster, { 'a.yaml': wave('a', 0, 'on'), 'b.yaml': wave('b', 1, 'on'), 'extra.yaml': configMap('extra') }));
  let agent: RunningCli | undefined;
  parts.use(
    await startAdmissionWebhook(cluster, {
      type: 'validating',
      namespace: at.namespace,
      rules: [{ apiGroups: [''], resources: ['configmaps'] }],
      answer({ dryRun, object }) {
        const isLate = !dryRun && object.metadata.name === 'b' && (object as { readonly data?: { readonly mode?: string } }).data?.mode === 'new';
        if (isLate) agent?.signal('SIGKILL');
        return { type: 'allow' };
      },
    }),
  );
  await at.application({ syncPolicy: { automated: {} } });
  agent = await at.start();
  await at.until('shop', 'Synced', deadlineMs);
  await at.ask({ prune: true });
  const commit = await at.commit({ 'a.yaml': wave('a', 0, 'new'), 'b.yaml': wave('b', 1, 'new'), 'extra.yaml': null });
  expect(await agent.ended).toBeNull();
  agent = undefined;
  const { operation } = await at.view();
  expect(operation).toMatchObject({ type: 'deploy', state: 'running', revision: commit });
  expect(Object.keys(operation ?? {}).filter((field) => ['request', 'confirmed', 'endedAt'].includes(field))).toEqual([]);
  await at.start();
  await at.synced(commit);
  await at.heldFor('PruneDisabled');
  expect(await at.deleted()).toEqual([]);
  expect(await at.live('extra')).toBe('on');
});
