import { expect, test } from 'vitest';
import { sharedCluster } from '../support/test-run/index.ts';
import { configMap, syncScene } from './sync/scene.ts';
import { endJob } from './sync/waves.ts';

const cluster = sharedCluster();

const job = (name: string): string =>
  `${JSON.stringify({
    apiVersion: 'batch/v1',
    kind: 'Job',
    metadata: { name },
    spec: { backoffLimit: 0, template: { spec: { restartPolicy: 'Never', schedulerName: 'nobody', containers: [{ name: 'work', image: 'registry.example.com/work:1' }] } } },
  })}\n`;

test('a wave that never gets well fails the sync after its time, which is tried again, and ends when the cause is gone', { timeout: 180_000 }, async () => {
  await using at = await syncScene(cluster, { 'work.yaml': job('work'), 'a.yaml': configMap('a', { annotations: { 'setpoint.dev/sync-wave': '1' } }) });
  await at.application({ syncPolicy: { automated: { prune: true }, timeout: '10s', retry: { backoff: { duration: '1s', factor: 1, maxDuration: '1s' } } } });
  await at.start();
  const running = await at.viewWhen('it to wait', ({ operation }) => operation?.waitingSince !== undefined);
  await endJob(at, 'work', 'Failed');
  const ended = await at.viewWhen('the end', ({ history = [] }) => history.length > 0);
  expect(ended.history).toMatchObject([{ type: 'deploy', failed: 1 }]);
  const { operation } = await at.viewWhen('another try', (view) => view.operation?.id !== running.operation?.id && view.operation?.state === 'running');
  expect(operation).toMatchObject({ message: expect.stringMatching(/^batch\/Job .*\/work is Degraded/) as string });
  await at.viewWhen('its end', (view) => view.operation?.state === 'failed' && /\/work is Degraded.*waited for 10 s/.test(view.operation.message ?? ''));
  expect(await at.live('a')).toBeUndefined();

  const commit = await at.commit({ 'work.yaml': null });
  await at.synced(commit);
  expect(await at.live('a')).toBe('on');
});
