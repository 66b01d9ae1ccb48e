import { describe, expect, test } from 'vitest';
import { healthOf } from '../../../src/health/index.ts';
import { condition, health, minutesAgo, now, object, pod, runs, waiting } from './objects.ts';

const crashed = { reason: 'Error', exitCode: 1, message: 'panic: password is hunter2' };
const crashLoop = (backOff: string) => ({
  ...waiting('CrashLoopBackOff', `back-off ${backOff} restarting failed container=app pod=web-1_shop(5c1e)`),
  lastState: { terminated: crashed },
  restartCount: 7,
});
const unschedulable = {
  phase: 'Pending',
  containerStatuses: [],
  conditions: [condition('PodScheduled', 'False', { reason: 'Unschedulable', message: '0/3 nodes are available: 3 Insufficient cpu.' })],
};
const initStatus = (status: object) => ({ status: { initContainerStatuses: [{ name: 'migrate', restartCount: 2, ready: false, ...status }] } });

const troubles = [
  ['an image that does not exist', pod('web-1', waiting('ErrImagePull', 'rpc error: code = NotFound desc = not found')), 'pod web-1: image "registry.example.com/shop/web:1.4" cannot be pulled (ErrImagePull): rpc error: code = NotFound desc = not found'],
  ['an image that is tried again', pod('web-1', waiting('ImagePullBackOff', 'Back-off pulling image "registry.example.com/shop/web:1.4"')), 'pod web-1: image "registry.example.com/shop/web:1.4" cannot be pulled (ImagePullBackOff)'],
  ['an image name that is none', pod('web-1', waiting('InvalidImageName', 'couldn\'t parse image name "a//b"')), 'pod web-1: image "registry.example.com/shop/web:1.4" cannot be pulled (InvalidImageName): couldn\'t parse image name "a//b"'],
  ['a pod that fits nowhere', pod('web-1', {}, { status: unschedulable }), 'pod web-1: no node takes it: 0/3 nodes are available: 3 Insufficient cpu.'],
  ['a program that ends again and again', pod('web-1', crashLoop('20s')), 'pod web-1: container "app" keeps ending with exit code 1, restarted 7 times (CrashLoopBackOff)'],
  ['a program that needs too much memory', pod('web-1', { ...waiting('CrashLoopBackOff'), lastState: { terminated: { reason: 'OOMKilled', exitCode: 137 } }, restartCount: 1 }), 'pod web-1: container "app" keeps ending with exit code 137 (OOMKilled), restarted 1 time (CrashLoopBackOff)'],
  ['a program that has just ended', pod('web-1', { state: { terminated: crashed } }), 'pod web-1: container "app" ended with exit code 1'],
  ['a program that runs again after an end', pod('web-1', { state: { running: {} }, lastState: { terminated: crashed }, restartCount: 1 }), 'pod web-1: container "app" is not ready; before, it ended with exit code 1, restarted 1 time'],
  ['a missing key of a ConfigMap', pod('web-1', waiting('CreateContainerConfigError', "couldn't find key mode in ConfigMap shop/env")), 'pod web-1: container "app" cannot start: CreateContainerConfigError: couldn\'t find key mode in ConfigMap shop/env'],
  ['a probe that does not pass', pod('web-1', { state: { running: {} } }), 'pod web-1: container "app" is not ready'],
  ['a container that is being made', pod('web-1', waiting('ContainerCreating')), 'pod web-1: container "app" is being created'],
  ['an init container that ends again and again', pod('web-1', waiting('PodInitializing'), initStatus({ ...waiting('CrashLoopBackOff'), lastState: { terminated: crashed } })), 'pod web-1: init container "migrate" keeps ending with exit code 1, restarted 2 times (CrashLoopBackOff)'],
  ['an init container that has just failed', pod('web-1', waiting('PodInitializing'), initStatus({ state: { terminated: crashed } })), 'pod web-1: init container "migrate" ended with exit code 1, restarted 2 times'],
  ['an init container that is tried again', pod('web-1', waiting('PodInitializing'), initStatus({ state: { running: { startedAt: 'now' } }, lastState: { terminated: crashed } })), 'pod web-1: init container "migrate" runs again; before, it ended with exit code 1, restarted 2 times'],
  ['a readiness gate', pod('web-1', runs, { spec: { restartPolicy: 'Always', readinessGates: [{ conditionType: 'lb.example.com/ready' }] }, status: { conditions: [condition('Ready', 'False', { reason: 'ReadinessGatesNotReady' })] } }), 'pod web-1: readiness gate lb.example.com/ready is not open'],
  ['a scheduling gate', pod('web-1', {}, { status: { ...unschedulable, conditions: [condition('PodScheduled', 'False', { reason: 'SchedulingGated', message: 'Scheduling is blocked due to non-empty scheduling gates' })] } }), 'pod web-1: a scheduling gate holds it'],
] as const;

const set = object('apps/v1 StatefulSet', { spec: { replicas: 3 }, status: { observedGeneration: 2, readyReplicas: 2, replicas: 3 } });

describe('the reason why a workload is not up', () => {
  test.each(troubles)('names %s while there is time, and after it', (_what, broken, text) => {
    const inTime = healthOf(set, { now, pods: [pod('web-0', runs), broken], progressingSince: minutesAgo(1) });
    expect(inTime).toEqual({ status: 'Progressing', message: `2 of 3 pods are ready; ${text}` });
    const late = healthOf(set, { now, pods: [broken], progressingSince: minutesAgo(130) });
    expect(late).toEqual({ status: 'Degraded', isOverdue: true, message: `for 2 h: 2 of 3 pods are ready; ${text}` });
  });

  test('is that of the worst pod, the newest of its sort, and counts the others', () => {
    const image = (name: string, creationTimestamp: string) => pod(name, waiting('ErrImagePull'), { metadata: { creationTimestamp } });
    const pods = [pod('web-0', { state: { running: {} } }), pod('web-1', crashLoop('10s')), image('web-2', '2026-03-01T11:00:00Z'), image('web-3', '2026-03-01T11:30:00Z')];
    expect(healthOf(set, { now, pods }).message).toBe('2 of 3 pods are ready; pod web-3 (and 1 other pod): image "registry.example.com/shop/web:1.4" cannot be pulled (ErrImagePull)');
  });

  test('is not that of a pod on its way out', () => {
    const leaving = pod('web-1', waiting('ErrImagePull'), { metadata: { deletionTimestamp: '2026-03-01T11:59:00Z' } });
    expect(healthOf(set, { now, pods: [leaving] }).message).toBe('2 of 3 pods are ready');
  });

  test('is said of a Deployment past its own deadline', () => {
    const status = { observedGeneration: 2, replicas: 1, updatedReplicas: 1, conditions: [condition('Progressing', 'False', { reason: 'ProgressDeadlineExceeded' })] };
    const pods = [pod('web-1', waiting('ErrImagePull'))];
    expect(healthOf(object('apps/v1 Deployment', { spec: { replicas: 1 }, status }), { now, pods })).toEqual({
      status: 'Degraded',
      message: 'its roll-out made no progress for 600 s; 0 of 1 pods are available; pod web-1: image "registry.example.com/shop/web:1.4" cannot be pulled (ErrImagePull)',
    });
  });

  test('is not said of a workload that is well', () => {
    const well = object('apps/v1 StatefulSet', { spec: { replicas: 1 }, status: { observedGeneration: 2, readyReplicas: 1, replicas: 1 } });
    expect(healthOf(well, { now, pods: [pod('web-9', waiting('ErrImagePull'))] })).toEqual({ status: 'Healthy' });
  });

  test.each([
    ['5m0s', '2026-03-01T11:00:00Z', 'Degraded'],
    ['2m40s', '2026-03-01T11:00:00Z', 'Degraded'],
    ['1m20s', '2026-03-01T11:00:00Z', 'Progressing'],
    ['5m0s', '2026-03-01T11:55:00Z', 'Progressing'],
  ])('a back-off of %s of a pod made at %s is %s, though it was up in between', (backOff, creationTimestamp, status) => {
    expect(healthOf(set, { now, pods: [pod('web-1', crashLoop(backOff), { metadata: { creationTimestamp } })], progressingSince: minutesAgo(0) }).status).toBe(status);
  });
});

describe('a Pod', () => {
  const old = { metadata: { creationTimestamp: '2026-03-01T11:00:00Z' } };
  const job = { spec: { restartPolicy: 'Never' } };
  const notReadySince = (time: string) => ({ status: { phase: 'Running', conditions: [{ ...condition('Ready', 'False'), lastTransitionTime: time }] } });

  test.each([
    ['is Healthy when ready', pod('a', runs), 'Healthy', undefined],
    ['is Healthy when it has done its work', pod('a', { state: { terminated: { exitCode: 0, reason: 'Completed' } } }, { ...job, status: { phase: 'Succeeded' } }), 'Healthy', undefined],
    ['is Progressing while its image is pulled in vain', pod('a', waiting('ErrImagePull')), 'Progressing', 'pending; pod a: image "registry.example.com/shop/web:1.4" cannot be pulled (ErrImagePull)'],
    ['is Degraded when that has lasted', pod('a', {}, { ...old, status: unschedulable }), 'Degraded', 'for 60 min: pending; pod a: no node takes it: 0/3 nodes are available: 3 Insufficient cpu.'],
    ['is Progressing while it is not ready', pod('a', { state: { running: {} } }, notReadySince('2026-03-01T11:55:00Z')), 'Progressing', 'pod a: container "app" is not ready'],
    ['is Degraded when it is not ready for too long', pod('a', { state: { running: {} } }, notReadySince('2026-03-01T11:45:00Z')), 'Degraded', 'for 15 min: pod a: container "app" is not ready'],
    ['is Progressing however long it runs to an end', pod('a', runs, { ...old, ...job }), 'Progressing', 'running'],
    ['is Degraded when its program failed', pod('a', { state: { terminated: crashed } }, { ...job, status: { phase: 'Failed' } }), 'Degraded', 'pod a: container "app" ended with exit code 1'],
    ['is Degraded when it was evicted', pod('a', {}, { status: { phase: 'Failed', reason: 'Evicted', message: 'The node was low on resource: memory.', containerStatuses: [] } }), 'Degraded', 'pod a: failed: Evicted: The node was low on resource: memory.'],
    ['is Unknown when its node is lost', pod('a', runs, { status: { phase: 'Unknown' } }), 'Unknown', 'its node does not answer'],
    ['is Progressing before anybody has seen it', object('v1 Pod', { spec: { restartPolicy: 'Always' } }), 'Progressing', 'pending'],
  ])('%s', (_name, subject, status, message) => {
    expect(healthOf(subject, { now })).toEqual(health(status, message));
  });
});

describe('a message', () => {
  const env = [{ name: 'TOKEN', value: 'canary-of-env' }, { name: 'SHORT', value: 'x' }];
  const failing = waiting('RunContainerError', 'failed to create task: exec: "canary-of-env": executable file not found in $PATH');

  test('has no value of the environment', () => {
    const { message } = healthOf(pod('a', failing, { spec: { restartPolicy: 'Always', containers: [{ name: 'app', image: 'i', env }] } }), { now });
    expect(message).toBe('pending; pod a: container "app" cannot start: RunContainerError: failed to create task: exec: "***": executable file not found in $PATH');
  });

  test('has nothing that the program wrote', () => {
    expect(JSON.stringify(troubles.map(([, broken]) => healthOf(set, { now, pods: [broken] })))).not.toContain('hunter2');
  });

  test('has no user and no query of a URL', () => {
    const text = 'Get "https://joe:secret1@registry.example.com/v2/token?service=x&token=secret2": 401';
    expect(healthOf(pod('a', waiting('ErrImagePull', text)), { now }).message).toMatch(/: Get "https:\/\/registry\.example\.com\/v2\/token": 401$/);
  });

  test.each([
    ['a long text', 'x'.repeat(100_000)],
    ['two-part signs', '😀'.repeat(5000)],
    ['signs that a terminal obeys', '\u001b[31mred\u202e\n\r\t'.repeat(200)],
    ['what a slow pattern would choke on', `https://${'a'.repeat(50_000)}`],
  ])('of %s is one line of at most 500 signs', (_what, text) => {
    const started = performance.now();
    const { message = '' } = healthOf(pod('a', waiting('CreateContainerError', text), { spec: { containers: [{ name: 'app', image: text, env }] } }), { now });
    expect(message.length).toBeLessThanOrEqual(500);
    expect(message).not.toMatch(/[\p{Cc}\p{Cf}\p{Cs}]/u);
    expect(performance.now() - started).toBeLessThan(5000);
  });
});
