import { expect, test } from 'vitest';
import { startAdmissionWebhook } from '../support/admission-webhook.ts';
import { sharedCluster } from '../support/test-run/index.ts';
import { configMap, deadlineMs, syncScene } from './sync/scene.ts';

const cluster = sharedCluster();
const names = ['a', 'b', 'c', 'd', 'e', 'f'];
const files = (value: string): Record<string, string> => Object.fromEntries(names.map((name) => [`${name}.yaml`, configMap(name, { value })]));

test('a pause in the middle of a sync ends it after the writes under way, and what was done is on record', { timeout: 180_000 }, async () => {
  await using parts = new AsyncDisposableStack();
  const at = parts.use(await syncScene(cluster, files('on')));
  const annotate = (annotation: string): Promise<unknown> => cluster.kubectl(['annotate', 'application.setpoint.dev', 'shop', '-n', at.namespace, annotation]);
  const isPaused = async (): Promise<boolean> => (await at.view()).conditions?.some(({ type }) => type === 'Paused') === true;
  await at.application({ syncPolicy: { automated: {} } });
  await at.start();
  await at.until('shop', 'Synced', deadlineMs);
  const before = await at.written();

  // The first writes are held until the agent has heard of the pause.
  let pause: Promise<unknown> | undefined;
  const heard = async (): Promise<unknown> => {
    await annotate('setpoint.dev/pause=true');
    await new Promise((resolve) => setTimeout(resolve, 2000));
    return undefined;
  };
  parts.use(
    await startAdmissionWebhook(cluster, {
      type: 'validating',
      namespace: at.namespace,
      rules: [{ apiGroups: [''], resources: ['configmaps'] }],
      async answer({ dryRun }) {
        if (!dryRun) await (pause ??= heard());
        return { type: 'allow' };
      },
    }),
  );
  const commit = await at.commit(files('off'));
  await at.viewWhen('the pause', isPaused);
  const { operation } = await at.viewWhen('what was done', ({ operation: now }) => (now?.done?.applied ?? 0) > 0);
  expect(operation).toMatchObject({ state: 'running', revision: commit, done: { applied: 4 } });
  expect((await at.written()).slice(before.length).toSorted()).toEqual(['patch configmaps/a', 'patch configmaps/b', 'patch configmaps/c', 'patch configmaps/d']);

  await annotate('setpoint.dev/pause-');
  const { history } = await at.synced(commit);
  expect(history?.[0]).toMatchObject({ revision: commit, applied: 6, failed: 0 });
  expect((await at.written()).slice(before.length)).toHaveLength(6);
});
