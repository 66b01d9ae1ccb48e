import { describe, expect, test } from 'vitest';
import { healthOf } from '../../../src/health/index.ts';
import type { HealthStatus, JsonObject } from '../../../src/model/index.ts';
import { condition, health, minutesAgo, now, object } from './objects.ts';

type Case = readonly [name: string, spec: JsonObject, status: JsonObject, health: HealthStatus, message?: string];

const rolledOut = [condition('Available', 'True', { reason: 'MinimumReplicasAvailable' }), condition('Progressing', 'True', { reason: 'NewReplicaSetAvailable' })];
const rolling = [condition('Available', 'True', { reason: 'MinimumReplicasAvailable' }), condition('Progressing', 'True', { reason: 'ReplicaSetUpdated' })];
const stuck = [condition('Progressing', 'False', { reason: 'ProgressDeadlineExceeded', message: 'ReplicaSet "web-5d" has timed out progressing.' })];
const quota = condition('ReplicaFailure', 'True', { reason: 'FailedCreate', message: 'pods "web-5d-x" is forbidden: exceeded quota: small' });
const all = { replicas: 3, updatedReplicas: 3, readyReplicas: 3, availableReplicas: 3, observedGeneration: 2 };

const deployments: readonly Case[] = [
  ['is Healthy when all pods have the template and are available', { replicas: 3 }, { ...all, conditions: rolledOut }, 'Healthy'],
  ['is Healthy with no replicas wanted and none there', { replicas: 0 }, { observedGeneration: 2, conditions: rolledOut }, 'Healthy'],
  ['is Progressing before its controller has seen it', { replicas: 3 }, {}, 'Progressing', 'its controller has not looked at it yet'],
  ['is Progressing before its controller has seen the change', { replicas: 3 }, { ...all, observedGeneration: 1 }, 'Progressing', 'its controller has not looked at the latest change yet'],
  ['is Progressing while pods have the old template', { replicas: 3 }, { ...all, replicas: 4, updatedReplicas: 1, conditions: rolling }, 'Progressing', '1 of 3 pods have the new template'],
  ['is Progressing while old pods are still there', { replicas: 3 }, { ...all, replicas: 4, conditions: rolling }, 'Progressing', '1 old pods are still to go'],
  ['is Progressing while pods are not available', { replicas: 3 }, { ...all, availableReplicas: 1, conditions: rolling }, 'Progressing', '1 of 3 pods are available'],
  ['says when the server lets it create no pods', { replicas: 3 }, { observedGeneration: 2, conditions: [...rolling, quota] }, 'Progressing', '0 of 3 pods have the new template; pods cannot be created: FailedCreate: pods "web-5d-x" is forbidden: exceeded quota: small'],
  ['is Degraded past its own deadline', { replicas: 3, progressDeadlineSeconds: 120 }, { ...all, availableReplicas: 1, conditions: stuck }, 'Degraded', 'its roll-out made no progress for 120 s; 1 of 3 pods are available'],
  ['is Suspended when paused', { replicas: 3, paused: true }, { ...all, updatedReplicas: 0, conditions: [condition('Progressing', 'Unknown', { reason: 'DeploymentPaused' })] }, 'Suspended', 'paused: changes are not rolled out'],
  ['wants one pod where it does not say how many', {}, { ...all, replicas: 1, updatedReplicas: 1, availableReplicas: 0, conditions: rolling }, 'Progressing', '0 of 1 pods are available'],
];

const rollingUpdate = { type: 'RollingUpdate', rollingUpdate: { partition: 0 } };
const sameRevision = { currentRevision: 'web-7c', updateRevision: 'web-7c' };
const newRevision = { currentRevision: 'web-7c', updateRevision: 'web-9f' };
const statefulSets: readonly Case[] = [
  ['is Healthy when all pods are ready at one revision', { replicas: 3, updateStrategy: rollingUpdate }, { ...all, ...sameRevision }, 'Healthy'],
  ['is Progressing before its controller has seen it', { replicas: 3 }, { replicas: 0 }, 'Progressing', 'its controller has not looked at it yet'],
  ['is Progressing while pods are not ready', { replicas: 3, updateStrategy: rollingUpdate }, { ...all, ...sameRevision, readyReplicas: 2 }, 'Progressing', '2 of 3 pods are ready'],
  ['is Progressing while pods have not been ready for long enough', { replicas: 3, minReadySeconds: 30 }, { ...all, ...sameRevision, availableReplicas: 2 }, 'Progressing', '2 of 3 pods are available'],
  ['is Progressing while it scales down', { replicas: 1 }, { ...all, ...sameRevision }, 'Progressing', 'pods above the wanted number are still to go'],
  ['is Progressing while pods have the old revision', { replicas: 3, updateStrategy: rollingUpdate }, { ...all, ...newRevision, updatedReplicas: 1 }, 'Progressing', '1 of 3 pods have the new template'],
  ['is Progressing until its controller says that the roll-out is over', { replicas: 3, updateStrategy: rollingUpdate }, { ...all, ...newRevision }, 'Progressing', '3 of 3 pods have the new template'],
  ['is Progressing below its partition', { replicas: 3, updateStrategy: { type: 'RollingUpdate', rollingUpdate: { partition: 1 } } }, { ...all, ...newRevision, updatedReplicas: 1 }, 'Progressing', '1 of 2 pods have the new template'],
  ['is Healthy at its partition', { replicas: 3, updateStrategy: { type: 'RollingUpdate', rollingUpdate: { partition: 2 } } }, { ...all, ...newRevision, updatedReplicas: 1 }, 'Healthy', '2 of 3 pods keep the old template (partition 2)'],
  ['is Healthy with a partition above its replicas', { replicas: 3, updateStrategy: { type: 'RollingUpdate', rollingUpdate: { partition: 9 } } }, { ...all, ...newRevision, updatedReplicas: 0 }, 'Healthy', '3 of 3 pods keep the old template (partition 9)'],
  ['says which pods OnDelete leaves as they were', { replicas: 3, updateStrategy: { type: 'OnDelete' } }, { ...all, ...newRevision, updatedReplicas: 1 }, 'Healthy', '2 of 3 pods keep the old template until they are deleted (OnDelete)'],
  ['is Healthy with OnDelete when all were deleted, though the revisions differ', { replicas: 3, updateStrategy: { type: 'OnDelete' } }, { ...all, ...newRevision }, 'Healthy'],
  ['is Progressing with OnDelete while pods are not ready', { replicas: 3, updateStrategy: { type: 'OnDelete' } }, { ...all, ...newRevision, readyReplicas: 0 }, 'Progressing', '0 of 3 pods are ready'],
];

const everywhere = { observedGeneration: 2, desiredNumberScheduled: 3, currentNumberScheduled: 3, updatedNumberScheduled: 3, numberAvailable: 3, numberReady: 3, numberMisscheduled: 0 };
const daemonSets: readonly Case[] = [
  ['is Healthy when it is on every node', { updateStrategy: { type: 'RollingUpdate' } }, everywhere, 'Healthy'],
  ['is Healthy where no node wants it', {}, { ...everywhere, desiredNumberScheduled: 0, updatedNumberScheduled: 0, numberAvailable: 0 }, 'Healthy'],
  ['is Progressing before its controller has seen the change', {}, { ...everywhere, observedGeneration: 1 }, 'Progressing', 'its controller has not looked at the latest change yet'],
  ['is Progressing while pods have the old template', {}, { ...everywhere, updatedNumberScheduled: 1 }, 'Progressing', '1 of 3 pods have the new template'],
  ['is Progressing while pods are not available', {}, { ...everywhere, numberAvailable: 2, numberUnavailable: 1 }, 'Progressing', '2 of 3 pods are available'],
  ['says which pods OnDelete leaves as they were', { updateStrategy: { type: 'OnDelete' } }, { ...everywhere, updatedNumberScheduled: 1 }, 'Healthy', '2 of 3 pods keep the old template until they are deleted (OnDelete)'],
  ['is Progressing with OnDelete while pods are not available', { updateStrategy: { type: 'OnDelete' } }, { ...everywhere, updatedNumberScheduled: 1, numberAvailable: 0 }, 'Progressing', '0 of 3 pods are available'],
];

const replicaSets: readonly Case[] = [
  ['is Healthy when all are available', { replicas: 2 }, { observedGeneration: 2, replicas: 2, availableReplicas: 2 }, 'Healthy'],
  ['is Progressing while some are not', { replicas: 2 }, { observedGeneration: 2, replicas: 2, availableReplicas: 1 }, 'Progressing', '1 of 2 pods are available'],
  ['is Progressing before its controller has seen it', { replicas: 2 }, { replicas: 0 }, 'Progressing', 'its controller has not looked at it yet'],
  ['is Degraded when the server lets it create no pods', { replicas: 2 }, { observedGeneration: 2, replicas: 0, conditions: [quota] }, 'Degraded', 'pods cannot be created: FailedCreate: pods "web-5d-x" is forbidden: exceeded quota: small'],
  ['is Healthy when scaled to nothing', { replicas: 0 }, { observedGeneration: 2, replicas: 0 }, 'Healthy'],
];

describe.each<readonly [what: string, type: string, cases: readonly Case[]]>([
  ['a Deployment', 'apps/v1 Deployment', deployments],
  ['a StatefulSet', 'apps/v1 StatefulSet', statefulSets],
  ['a DaemonSet', 'apps/v1 DaemonSet', daemonSets],
  ['a ReplicaSet', 'apps/v1 ReplicaSet', replicaSets],
  ['a ReplicationController', 'v1 ReplicationController', replicaSets],
])('%s', (_what, type, cases) => {
  const rows = cases.map(([name, spec, status, ...expected]) => ({ name, subject: object(type, { spec, status }), expected: health(...expected) }));
  test.each(rows)('$name', ({ subject, expected }) => {
    expect(healthOf(subject, { now })).toEqual(expected);
  });
});

describe('the deadline', () => {
  const late = { now, progressingSince: minutesAgo(11) };
  const notReady = { ...all, availableReplicas: 1 };

  test.each([
    ['a StatefulSet', object('apps/v1 StatefulSet', { spec: { replicas: 3 }, status: { ...all, ...sameRevision, readyReplicas: 2 } }), 'for 11 min: 2 of 3 pods are ready'],
    ['a DaemonSet', object('apps/v1 DaemonSet', { status: { ...everywhere, numberAvailable: 0 } }), 'for 11 min: 0 of 3 pods are available'],
    ['a Deployment whose pods fail after the roll-out', object('apps/v1 Deployment', { spec: { replicas: 3 }, status: { ...notReady, conditions: rolledOut } }), 'for 11 min: 1 of 3 pods are available'],
    ['a Deployment that its controller does not look at', object('apps/v1 Deployment', { spec: { replicas: 3 } }), 'for 11 min: its controller has not looked at it yet'],
  ])('makes %s Degraded', (_what, subject, message) => {
    expect(healthOf(subject, late)).toEqual({ status: 'Degraded', isOverdue: true, message });
    expect(healthOf(subject, { now, progressingSince: minutesAgo(9) }).status).toBe('Progressing');
    expect(healthOf(subject, { now }).status).toBe('Progressing');
    expect(healthOf(subject, { now, progressingSince: minutesAgo(2), deadlineMs: 60_000 }).status).toBe('Degraded');
  });

  test.each([
    ['that its controller still rolls out', { replicas: 3 }, rolling],
    ['that wants no deadline', { replicas: 3, progressDeadlineSeconds: 2_147_483_647 }, rolledOut],
  ])('is not ours to set for a Deployment %s', (_what, spec, conditions) => {
    expect(healthOf(object('apps/v1 Deployment', { spec, status: { ...notReady, conditions } }), late).status).toBe('Progressing');
  });
});
