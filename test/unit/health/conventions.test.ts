import { describe, expect, test } from 'vitest';
import { healthOf } from '../../../src/health/index.ts';
import { condition, health, minutesAgo, now, object } from './objects.ts';

const thing = (status: Parameters<typeof object>[1], metadata = {}) => object('example.com/v1 Thing', { metadata, spec: {}, status: status ?? {} });
const ready = condition('Ready', 'True');
const notReady = condition('Ready', 'False', { reason: 'Issuing', message: 'waits for the authority' });

describe('a kind that is not known here', () => {
  test.each([
    ['is Healthy when it says nothing of itself', thing({}), 'Healthy', undefined],
    ['is Healthy with conditions that are not known here', thing({ conditions: [condition('Approved', 'False')] }), 'Healthy', undefined],
    ['is Healthy when Ready', thing({ observedGeneration: 2, conditions: [ready] }), 'Healthy', undefined],
    ['is Healthy when Available', thing({ conditions: [condition('Available', 'True'), condition('Progressing', 'True')] }), 'Healthy', undefined],
    ['is Progressing when its status is about an older spec', thing({ observedGeneration: 1, conditions: [ready] }), 'Progressing', 'its controller has not looked at the latest change yet'],
    ['is Progressing when its Ready is about an older spec', thing({ conditions: [{ ...ready, observedGeneration: 1 }] }), 'Progressing', 'its Ready is about an older spec'],
    ['is Progressing when not Ready', thing({ conditions: [notReady] }), 'Progressing', 'Ready is False: Issuing: waits for the authority'],
    ['is Progressing when nobody knows', thing({ conditions: [condition('Ready', 'Unknown')] }), 'Progressing', 'Ready is Unknown'],
    ['is Progressing when Reconciling, though Ready', thing({ conditions: [ready, condition('Reconciling', 'True', { reason: 'NewRevision' })] }), 'Progressing', 'Reconciling is True: NewRevision'],
    ['is Progressing when only Progressing is said', thing({ conditions: [condition('Progressing', 'True', { reason: 'Rolling' })] }), 'Progressing', 'Progressing is True: Rolling'],
    ['is Progressing when not Available', thing({ conditions: [condition('Available', 'False')] }), 'Progressing', 'Available is False'],
    ['is Degraded when Stalled, though Reconciling', thing({ conditions: [condition('Reconciling', 'True'), condition('Stalled', 'True', { reason: 'BadSpec', message: 'no such class' })] }), 'Degraded', 'Stalled is True: BadSpec: no such class'],
    ['is Degraded when it says so', thing({ conditions: [condition('Available', 'True'), condition('Degraded', 'True', { reason: 'Quorum' })] }), 'Degraded', 'Degraded is True: Quorum'],
    ['is Degraded past a deadline of its own', thing({ conditions: [condition('Progressing', 'False', { reason: 'ProgressDeadlineExceeded' })] }), 'Degraded', 'Progressing is False: ProgressDeadlineExceeded'],
    ['is Progressing when it is being deleted, whatever else', thing({ conditions: [ready] }, { deletionTimestamp: '2026-03-01T11:59:00Z', finalizers: ['example.com/keep', 'example.com/too'] }), 'Progressing', 'being deleted; waits for finalizers example.com/keep, example.com/too'],
    ['is Degraded when it cannot be deleted', thing({}, { deletionTimestamp: '2026-03-01T11:00:00Z', finalizers: ['example.com/keep'] }), 'Degraded', 'for 60 min: being deleted; waits for finalizer example.com/keep'],
  ])('%s', (_name, subject, status, message) => {
    expect(healthOf(subject, { now })).toEqual(health(status, message));
  });

  test('is Degraded when it is not Ready for too long', () => {
    expect(healthOf(thing({ conditions: [notReady] }), { now, progressingSince: minutesAgo(12) })).toEqual({ status: 'Degraded', isOverdue: true, message: 'for 12 min: Ready is False: Issuing: waits for the authority' });
  });
});

test.each(['v1 ConfigMap', 'v1 Secret', 'v1 ServiceAccount', 'rbac.authorization.k8s.io/v1 ClusterRole', 'rbac.authorization.k8s.io/v1 RoleBinding', 'v1 Namespace'])('a %s is Healthy', (type) => {
  expect(healthOf(object(type, {}), { now })).toEqual({ status: 'Healthy' });
});

test('a Namespace on its way out says what is left in it', () => {
  const conditions = [
    condition('NamespaceDeletionDiscoveryFailure', 'False', { message: 'All resources successfully discovered' }),
    condition('NamespaceContentRemaining', 'True', { reason: 'SomeResourcesRemain', message: 'Some resources are remaining: widgets.example.com has 1 resource instances' }),
  ];
  const namespace = object('v1 Namespace', { metadata: { deletionTimestamp: '2026-03-01T11:59:30Z' }, spec: { finalizers: ['kubernetes'] }, status: { phase: 'Terminating', conditions } });
  expect(healthOf(namespace, { now })).toEqual({ status: 'Progressing', message: 'being deleted; waits for finalizer kubernetes; Some resources are remaining: widgets.example.com has 1 resource instances' });
});

test.each(['apps/v1 Deployment', 'apps/v1 StatefulSet', 'v1 Pod', 'batch/v1 Job', 'batch/v1 CronJob', 'v1 Service', 'v1 PersistentVolumeClaim', 'autoscaling/v2 HorizontalPodAutoscaler', 'example.com/v1 Thing'])(
  'a %s whose fields are of the wrong type breaks nothing',
  (type) => {
    for (const wrong of [null, 7, 'text', [], [null, 3, 'x', { type: 5, status: {} }], { conditions: 'no', containerStatuses: [null, { name: 4, state: 'gone' }], loadBalancer: 3, active: {} }]) {
      const subject = object(type, { spec: wrong, status: wrong, metadata: { generation: 'two', annotations: wrong } });
      expect(['Healthy', 'Progressing', 'Suspended', 'Degraded']).toContain(healthOf(subject, { now, pods: [subject] }).status);
    }
  },
);
