import { describe, expect, test } from 'vitest';
import { sharedCluster } from '../support/test-run/index.ts';
import { syncScene } from './sync/scene.ts';
import { endJob, untilWritten, wavesExample } from './sync/waves.ts';

const cluster = sharedCluster();
// It fails once, and is not tried again by itself while the test looks.
const automated = { syncPolicy: { automated: {}, retry: { backoff: { duration: '10m', factor: 1, maxDuration: '10m' } } } };
const timeout = 180_000;

describe.each(['setpoint.dev', 'argocd.argoproj.io'])('with the annotations of %s', (domain) => {
  test('hooks and waves come in their order, each when the one before is done', { timeout }, async () => {
    await using at = await syncScene(cluster, wavesExample(domain));
    await at.application(automated);
    await at.start();
    await untilWritten(at, ['create jobs/migrate']);
    await at.viewWhen('the sync to wait for the migration', ({ operation }) => operation?.state === 'running' && operation.message?.includes('is a hook that runs') === true);
    expect(await at.written()).toEqual(['create jobs/migrate']);
    await endJob(at, 'migrate', 'Succeeded');

    const inOrder = ['create jobs/migrate', 'patch configmaps/settings', 'patch deployments/database', 'patch deployments/web', 'create jobs/smoke-test'];
    await untilWritten(at, inOrder);
    const { status } = await cluster.getJson<{ status: { availableReplicas?: number } }>('deployment', 'web', '-n', at.namespace);
    expect(status.availableReplicas).toBe(1);
    const [database, web] = await Promise.all(
      ['database', 'web'].map((name) => cluster.getJson<{ metadata: { creationTimestamp: string }; status: { conditions: { type: string; lastTransitionTime: string }[] } }>('deployment', name, '-n', at.namespace)),
    );
    const available = database?.status.conditions.find(({ type }) => type === 'Available')?.lastTransitionTime ?? '~';
    expect(available <= (web?.metadata.creationTimestamp ?? '')).toBe(true);
    expect((await at.view()).operation?.state).toBe('running');

    await endJob(at, 'smoke-test', 'Succeeded');
    const { operation, sync, history } = await at.viewWhen('the end', ({ operation: current }) => current?.endedAt !== undefined);
    expect(operation).toMatchObject({ type: 'deploy', state: 'succeeded' });
    expect(sync).toMatchObject({ status: 'Synced' });
    expect(history).toHaveLength(1);
    expect(await at.written()).toEqual([...inOrder, 'delete jobs/smoke-test']);
  });

  test('when a hook fails, nothing after it is done but what is there for failures', { timeout }, async () => {
    await using at = await syncScene(cluster, wavesExample(domain));
    await at.application(automated);
    await at.start();
    await endJob(at, 'migrate', 'Failed');
    await untilWritten(at, ['create jobs/migrate', 'create jobs/tell']);
    await endJob(at, 'tell', 'Succeeded');
    const { operation, sync, history } = await at.viewWhen('the end', ({ operation: current }) => current?.endedAt !== undefined);
    expect(operation).toMatchObject({ state: 'failed', message: expect.stringContaining('migrate failed') as string });
    expect(sync).toMatchObject({ status: 'OutOfSync', cause: 'git-ahead' });
    expect(history).toMatchObject([{ type: 'deploy', failed: 1 }]);
    expect(await at.written()).toEqual(['create jobs/migrate', 'create jobs/tell']);
  });
});
