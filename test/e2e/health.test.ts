import { describe, expect, test } from 'vitest';
import { healthOf } from '../../src/health/index.ts';
import type { KubeObject } from '../../src/model/index.ts';
import { sharedCluster } from '../support/test-run/index.ts';
import { waitFor } from '../support/wait-for.ts';
import { isHealthy, notReadyStatus, readyStatus, says, stage, template, workload, type Scene } from './health/scene.ts';

const cluster = sharedCluster();

/** The word of kubectl: whether a roll-out is done. */
async function isRolledOut(scene: Scene, target: string): Promise<boolean> {
  return /successfully rolled out|roll ?out complete|rolling update complete/.test(await scene.kubectl('rollout', 'status', target, '--watch=false'));
}

async function podsOf(scene: Scene, app: string, count: number): Promise<readonly KubeObject[]> {
  return waitFor(
    async () => {
      const pods = (await scene.pods(app)).filter(({ metadata }) => metadata['deletionTimestamp'] === undefined);
      return pods.length === count ? pods : undefined;
    },
    { what: `${count} pods of ${app}` },
  );
}

async function makeReady(scene: Scene, app: string, count: number): Promise<void> {
  for (const { metadata } of await podsOf(scene, app, count)) await scene.setStatus('pod', metadata.name, readyStatus());
}

describe('a Deployment', () => {
  test('is Progressing until its pods are ready, then Healthy, as kubectl says', async () => {
    await using scene = await stage(cluster);
    await scene.apply(workload('Deployment', 'web', { replicas: 2 }));
    await podsOf(scene, 'web', 2);
    expect(await scene.healthWhen({ kind: 'deployment', name: 'web' }, says('pods are available'))).toMatchObject({ status: 'Progressing', message: '0 of 2 pods are available' });
    expect(await isRolledOut(scene, 'deployment/web')).toBe(false);
    await makeReady(scene, 'web', 2);
    expect(await scene.healthWhen({ kind: 'deployment', name: 'web' }, isHealthy)).toEqual({ status: 'Healthy' });
    expect(await isRolledOut(scene, 'deployment/web')).toBe(true);
    const [set] = (await cluster.getJson<{ items: KubeObject[] }>('replicasets', '-l', 'app=web', '-n', scene.namespace)).items;
    expect(set && healthOf(set, { now: new Date() })).toEqual({ status: 'Healthy' });
  });

  test('says why its pods do not come up, while there is time and past its own deadline', async () => {
    await using scene = await stage(cluster);
    await scene.apply(workload('Deployment', 'web', { replicas: 1 }));
    const [pod] = await podsOf(scene, 'web', 1);
    const waiting = { reason: 'ImagePullBackOff', message: 'Back-off pulling image "registry.example.com/shop/web:1": ErrImagePull: not found' };
    await scene.setStatus('pod', pod?.metadata.name ?? '', notReadyStatus({ state: { waiting } }));
    const why = `pod ${pod?.metadata.name}: image "registry.example.com/shop/web:1" cannot be pulled (ImagePullBackOff): ErrImagePull: not found`;
    expect(await scene.healthWhen({ kind: 'deployment', name: 'web' }, says('cannot be pulled'))).toEqual({ status: 'Progressing', message: `0 of 1 pods are available; ${why}` });
    await scene.kubectl('patch', 'deployment', 'web', '--type=merge', '-p', '{"spec":{"progressDeadlineSeconds":1}}');
    await scene.kubectl('wait', 'deployment/web', '--for=condition=Progressing=false', '--timeout=50s');
    const late = await scene.healthWhen({ kind: 'deployment', name: 'web' }, ({ status }) => status === 'Degraded');
    expect(late.message).toBe(`its roll-out made no progress for 1 s; 0 of 1 pods are available; ${why}`);
    const rollout = scene.kubectl('rollout', 'status', 'deployment/web', '--watch=false');
    await expect(rollout).rejects.toThrow('exceeded its progress deadline');
  });

  test('is Suspended when paused', async () => {
    await using scene = await stage(cluster);
    await scene.apply(workload('Deployment', 'web', { replicas: 0, paused: true }));
    expect((await scene.healthWhen({ kind: 'deployment', name: 'web' }, () => true)).status).toBe('Suspended');
    await scene.kubectl('rollout', 'resume', 'deployment/web');
    expect(await scene.healthWhen({ kind: 'deployment', name: 'web' }, isHealthy)).toEqual({ status: 'Healthy' });
  });

  test('repeats what the scheduler says of pods that fit nowhere', async () => {
    await using scene = await stage(cluster);
    await scene.apply(workload('Deployment', 'web', { replicas: 1, template: template('web', { schedulerName: 'default-scheduler', nodeSelector: { 'example.com/nowhere': 'yes' } }) }));
    const { message = '' } = await scene.healthWhen({ kind: 'deployment', name: 'web' }, says('no node takes it'));
    const [pod] = await scene.pods('web');
    const scheduled = await scene.kubectl('get', 'pod', pod?.metadata.name ?? '', '-o', 'jsonpath={.status.conditions[?(@.type=="PodScheduled")].message}');
    expect(scheduled).not.toBe('');
    expect(message).toContain(scheduled);
  });

  test('says which quota keeps its pods away', async () => {
    await using scene = await stage(cluster);
    await scene.apply(JSON.stringify({ apiVersion: 'v1', kind: 'ResourceQuota', metadata: { name: 'none' }, spec: { hard: { pods: '0' } } }));
    await waitFor(async () => (await scene.live('resourcequota', 'none'))['status'], { what: 'the quota to hold' });
    await scene.apply(workload('Deployment', 'web', { replicas: 1 }));
    expect((await scene.healthWhen({ kind: 'deployment', name: 'web' }, says('exceeded quota: none'))).status).toBe('Progressing');
    const [set] = (await cluster.getJson<{ items: KubeObject[] }>('replicasets', '-l', 'app=web', '-n', scene.namespace)).items;
    expect(set && healthOf(set, { now: new Date() })).toMatchObject({ status: 'Degraded' });
  });
});

describe('a StatefulSet', () => {
  test('comes up pod by pod, and a partition or OnDelete keeps old pods on purpose', async () => {
    await using scene = await stage(cluster);
    const target = { kind: 'statefulset', name: 'db' };
    const set = (more: object, image = 'registry.example.com/shop/db:1') =>
      scene.apply(workload('StatefulSet', 'db', { replicas: 2, serviceName: 'db', template: template('db', { containers: [{ name: 'app', image }] }), ...more }));
    await set({});
    await makeReady(scene, 'db', 1);
    expect(await scene.healthWhen(target, says('1 of 2 pods are ready'))).toMatchObject({ status: 'Progressing' });
    expect(await isRolledOut(scene, 'statefulset/db')).toBe(false);
    await makeReady(scene, 'db', 2);
    expect(await scene.healthWhen(target, isHealthy)).toEqual({ status: 'Healthy' });
    expect(await isRolledOut(scene, 'statefulset/db')).toBe(true);
    await set({ updateStrategy: { type: 'RollingUpdate', rollingUpdate: { partition: 2 } } }, 'registry.example.com/shop/db:2');
    expect(await scene.healthWhen(target, says('partition'))).toEqual({ status: 'Healthy', message: '2 of 2 pods keep the old template (partition 2)' });
    expect(await isRolledOut(scene, 'statefulset/db')).toBe(true);
    await set({ updateStrategy: { type: 'OnDelete' } }, 'registry.example.com/shop/db:2');
    expect(await scene.healthWhen(target, says('OnDelete'))).toEqual({ status: 'Healthy', message: '2 of 2 pods keep the old template until they are deleted (OnDelete)' });
  });
});

test('a DaemonSet is Progressing until it runs where it should, then Healthy', async () => {
  await using scene = await stage(cluster);
  const target = { kind: 'daemonset', name: 'agent' };
  await scene.apply(workload('DaemonSet', 'agent', {}));
  expect(await scene.healthWhen(target, says('pods are available'))).toMatchObject({ status: 'Progressing' });
  expect(await isRolledOut(scene, 'daemonset/agent')).toBe(false);
  await makeReady(scene, 'agent', (await scene.pods('agent')).length);
  expect(await scene.healthWhen(target, isHealthy)).toEqual({ status: 'Healthy' });
  expect(await isRolledOut(scene, 'daemonset/agent')).toBe(true);
});

describe('a Pod', () => {
  test('is as its kubelet says: pending, failing, ready, evicted', async () => {
    await using scene = await stage(cluster);
    const target = { kind: 'pod', name: 'one' };
    await scene.apply(JSON.stringify({ apiVersion: 'v1', kind: 'Pod', ...template('one'), metadata: { name: 'one', labels: { app: 'one' } } }));
    expect(await scene.healthWhen(target, () => true)).toEqual({ status: 'Progressing', message: 'pending' });
    const terminated = { exitCode: 137, reason: 'OOMKilled', message: 'canary-of-health' };
    const crash = { restartCount: 3, state: { waiting: { reason: 'CrashLoopBackOff', message: 'back-off 40s restarting failed container=app' } }, lastState: { terminated } };
    await scene.setStatus('pod', 'one', { ...notReadyStatus(crash), phase: 'Running' });
    const crashing = 'pod one: container "app" keeps ending with exit code 137 (OOMKilled), restarted 3 times (CrashLoopBackOff)';
    expect(await scene.healthWhen(target, () => true)).toEqual({ status: 'Progressing', message: crashing });
    const later = { now: new Date(Date.now() + 11 * 60_000) };
    expect(await scene.healthWhen(target, () => true, later)).toMatchObject({ status: 'Degraded', message: expect.stringContaining(crashing) as string });
    await scene.setStatus('pod', 'one', readyStatus());
    expect(await scene.healthWhen(target, () => true)).toEqual({ status: 'Healthy' });
    await scene.setStatus('pod', 'one', { ...notReadyStatus({ state: { terminated: { exitCode: 1, reason: 'Error' } } }), phase: 'Failed', reason: 'Evicted', message: 'The node was low on resource: memory.' });
    expect(await scene.healthWhen(target, () => true)).toEqual({ status: 'Degraded', message: 'pod one: failed: Evicted: The node was low on resource: memory.' });
  });
});

describe('a Job', () => {
  const job = (name: string, spec: object): string =>
    JSON.stringify({ apiVersion: 'batch/v1', kind: 'Job', metadata: { name }, spec: { template: template(name, { restartPolicy: 'Never' }), ...spec } });

  test('is Suspended, then runs, then is complete', async () => {
    await using scene = await stage(cluster);
    const target = { kind: 'job', name: 'migrate' };
    await scene.apply(job('migrate', { suspend: true }));
    expect(await scene.healthWhen(target, () => true)).toEqual({ status: 'Suspended', message: 'suspended' });
    await scene.kubectl('patch', 'job', 'migrate', '--type=merge', '-p', '{"spec":{"suspend":false}}');
    const [pod] = await podsOf(scene, 'migrate', 1);
    expect((await scene.healthWhen(target, says('running'), { progressingSince: new Date(0) })).status).toBe('Progressing');
    const container = { state: { terminated: { exitCode: 0, reason: 'Completed' } } };
    await scene.setStatus('pod', pod?.metadata.name ?? '', { ...notReadyStatus(container), phase: 'Succeeded' });
    expect(await scene.healthWhen(target, isHealthy)).toEqual({ status: 'Healthy' });
    await scene.kubectl('wait', '--for=condition=complete', 'job/migrate', '--timeout=50s');
  });

  test('is Degraded when it has failed as often as it may', async () => {
    await using scene = await stage(cluster);
    await scene.apply(job('migrate', { backoffLimit: 0 }));
    const [pod] = await podsOf(scene, 'migrate', 1);
    const container = { state: { terminated: { exitCode: 3, reason: 'Error', message: 'canary-of-health' } } };
    await scene.setStatus('pod', pod?.metadata.name ?? '', { ...notReadyStatus(container), phase: 'Failed' });
    const { message } = await scene.healthWhen({ kind: 'job', name: 'migrate' }, ({ status }) => status === 'Degraded');
    expect(message).toBe(`BackoffLimitExceeded: Job has reached the specified backoff limit; pod ${pod?.metadata.name}: container "app" ended with exit code 3`);
  });

  test('of a CronJob: Healthy before its time, Suspended when told to be', async () => {
    await using scene = await stage(cluster);
    const spec = { schedule: '0 0 1 1 *', jobTemplate: { spec: { template: template('nightly', { restartPolicy: 'Never' }) } } };
    await scene.apply(JSON.stringify({ apiVersion: 'batch/v1', kind: 'CronJob', metadata: { name: 'nightly' }, spec }));
    expect(await scene.healthWhen({ kind: 'cronjob', name: 'nightly' }, () => true)).toEqual({ status: 'Healthy' });
    await scene.kubectl('patch', 'cronjob', 'nightly', '--type=merge', '-p', '{"spec":{"suspend":true}}');
    expect(await scene.healthWhen({ kind: 'cronjob', name: 'nightly' }, () => true)).toEqual({ status: 'Suspended', message: 'suspended' });
  });
});
