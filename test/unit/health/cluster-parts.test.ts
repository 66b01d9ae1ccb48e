import { describe, expect, test } from 'vitest';
import { healthOf } from '../../../src/health/index.ts';
import type { HealthStatus, KubeObject } from '../../../src/model/index.ts';
import { condition, health, minutesAgo, now, object } from './objects.ts';

type Case = readonly [name: string, subject: KubeObject, health: HealthStatus, message?: string];

const balanced = { type: 'LoadBalancer' };
const service = (spec: Readonly<Record<string, string | readonly string[]>>, ingress: readonly Readonly<Record<string, string>>[] = []) =>
  object('v1 Service', { spec, status: { loadBalancer: ingress.length === 0 ? {} : { ingress } } });
const services: readonly Case[] = [
  ['that only the cluster sees is Healthy', service({ type: 'ClusterIP' }), 'Healthy'],
  ['is Healthy with an address', service(balanced, [{ ip: '192.0.2.7' }]), 'Healthy'],
  ['is Healthy with a name', service(balanced, [{ hostname: 'lb.example.com' }]), 'Healthy'],
  ['is Healthy with an address that the user gave', service({ ...balanced, externalIPs: ['192.0.2.9'] }), 'Healthy'],
  ['is Progressing without an address', service(balanced), 'Progressing', 'no load balancer has given it an address'],
  ['names the class that is waited for', service({ ...balanced, loadBalancerClass: 'example.com/metal' }), 'Progressing', 'no load balancer of class example.com/metal has given it an address'],
  ['is Degraded when a port is refused', object('v1 Service', { spec: balanced, status: { loadBalancer: { ingress: [{ ip: '192.0.2.7', ports: [{ port: 80, protocol: 'TCP', error: 'example.com/PortTaken' }] }] } } }), 'Degraded', 'its load balancer refuses a port: example.com/PortTaken'],
];

const ingresses: readonly Case[] = [
  ['is Healthy with an address', object('networking.k8s.io/v1 Ingress', { status: { loadBalancer: { ingress: [{ ip: '192.0.2.7' }] } } }), 'Healthy'],
  ['is Healthy without one, and says so', object('networking.k8s.io/v1 Ingress', { status: { loadBalancer: {} } }), 'Healthy', 'no controller has written an address'],
];

const asked = { annotations: { 'volume.kubernetes.io/storage-provisioner': 'ebs.csi.aws.com' } };
const claims: readonly Case[] = [
  ['is Healthy when bound', object('v1 PersistentVolumeClaim', { status: { phase: 'Bound' } }), 'Healthy'],
  ['is Degraded when its volume is lost', object('v1 PersistentVolumeClaim', { status: { phase: 'Lost' } }), 'Degraded', 'the volume it was bound to is gone'],
  ['is Progressing while a provisioner works on it', object('v1 PersistentVolumeClaim', { metadata: asked, status: { phase: 'Pending' } }), 'Progressing', 'provisioner ebs.csi.aws.com has made no volume yet'],
  ['is Progressing while the volume that it names does not answer', object('v1 PersistentVolumeClaim', { spec: { volumeName: 'disk-1' }, status: { phase: 'Pending' } }), 'Progressing', 'is not bound to volume disk-1 yet'],
  ['is Suspended while it waits for a pod', object('v1 PersistentVolumeClaim', { status: { phase: 'Pending' } }), 'Suspended', 'not bound: waits for the first pod that uses it, or for a volume or storage class that fits'],
  ['is Degraded when it cannot grow', object('v1 PersistentVolumeClaim', { status: { phase: 'Bound', allocatedResourceStatuses: { storage: 'ControllerResizeInfeasible' } } }), 'Degraded', 'its volume cannot get the wanted size (ControllerResizeInfeasible)'],
];

const scaler = (...conditions: ReturnType<typeof condition>[]) => object('autoscaling/v2 HorizontalPodAutoscaler', { status: { conditions } });
const able = condition('AbleToScale', 'True', { reason: 'ReadyForNewScale' });
const noMetrics = condition('ScalingActive', 'False', { reason: 'FailedGetResourceMetric', message: 'the HPA was unable to compute the replica count' });
const older = { lastTransitionTime: '2026-03-01T11:40:00Z' };
const autoscalers: readonly Case[] = [
  ['is Healthy when it scales', scaler(able, condition('ScalingActive', 'True', { reason: 'ValidMetricFound' }), condition('ScalingLimited', 'False', { reason: 'DesiredWithinRange' })), 'Healthy'],
  ['is Healthy at its limit', scaler(able, condition('ScalingActive', 'True'), condition('ScalingLimited', 'True', { reason: 'TooManyReplicas' })), 'Healthy'],
  ['is Healthy while it holds back', scaler(condition('AbleToScale', 'False', { reason: 'BackoffBoth' }), condition('ScalingActive', 'True')), 'Healthy'],
  ['is Progressing before it has read anything', scaler(), 'Progressing', 'has read no metrics yet'],
  ['is Progressing for a while without metrics', scaler(able, noMetrics), 'Progressing', 'FailedGetResourceMetric: the HPA was unable to compute the replica count'],
  ['is Degraded without metrics for long', scaler(able, { ...noMetrics, ...older }), 'Degraded', 'for 20 min: FailedGetResourceMetric: the HPA was unable to compute the replica count'],
  ['is Degraded when its target is not there for long', scaler(condition('AbleToScale', 'False', { reason: 'FailedGetScale', message: 'deployments.apps "web" not found', ...older })), 'Degraded', 'for 20 min: FailedGetScale: deployments.apps "web" not found'],
  ['is Degraded with a selector that is none', scaler(able, condition('ScalingActive', 'False', { reason: 'InvalidSelector', message: 'the HPA target\'s scale is missing a selector' })), 'Degraded', "InvalidSelector: the HPA target's scale is missing a selector"],
  ['is Suspended when its target is scaled to nothing', scaler(able, condition('ScalingActive', 'False', { reason: 'ScalingDisabled', message: 'scaling is disabled since the replica count of the target is zero' })), 'Suspended', 'ScalingDisabled: scaling is disabled since the replica count of the target is zero'],
  ['of the first version has its conditions in an annotation', object('autoscaling/v1 HorizontalPodAutoscaler', { metadata: { annotations: { 'autoscaling.alpha.kubernetes.io/conditions': JSON.stringify([able, noMetrics]) } } }), 'Progressing', 'FailedGetResourceMetric: the HPA was unable to compute the replica count'],
  ['with an annotation that is no list is Progressing', object('autoscaling/v1 HorizontalPodAutoscaler', { metadata: { annotations: { 'autoscaling.alpha.kubernetes.io/conditions': '{' } } }), 'Progressing', 'has read no metrics yet'],
];

const budget = (status: Readonly<Record<string, number>>, reason: string) =>
  object('policy/v1 PodDisruptionBudget', { status: { observedGeneration: 2, expectedPods: 3, ...status, conditions: [condition('DisruptionAllowed', reason === 'SufficientPods' ? 'True' : 'False', { reason, message: 'no controller found' })] } });
const budgets: readonly Case[] = [
  ['is Healthy when it allows disruptions', budget({ disruptionsAllowed: 1, currentHealthy: 3, desiredHealthy: 2 }, 'SufficientPods'), 'Healthy'],
  ['is Healthy when it allows none', budget({ disruptionsAllowed: 0, currentHealthy: 2, desiredHealthy: 2 }, 'InsufficientPods'), 'Healthy', 'allows no disruption now: 2 pods are healthy, 2 have to be'],
  ['is Degraded when its controller cannot work with it', budget({ disruptionsAllowed: 0 }, 'SyncFailed'), 'Degraded', 'SyncFailed: no controller found'],
  ['is Progressing before its controller has seen it', object('policy/v1 PodDisruptionBudget', {}), 'Progressing', 'its controller has not looked at it yet'],
];

const api = (...conditions: ReturnType<typeof condition>[]) => object('apiregistration.k8s.io/v1 APIService', { status: { conditions } });
const definition = (...conditions: ReturnType<typeof condition>[]) => object('apiextensions.k8s.io/v1 CustomResourceDefinition', { status: { conditions } });
const accepted = condition('NamesAccepted', 'True', { reason: 'NoConflicts' });
const extensions: readonly Case[] = [
  ['an APIService is Healthy when available', api(condition('Available', 'True', { reason: 'Passed' })), 'Healthy'],
  ['an APIService is Progressing when not', api(condition('Available', 'False', { reason: 'ServiceNotFound', message: 'service/metrics in "shop" is not present' })), 'Progressing', 'ServiceNotFound: service/metrics in "shop" is not present'],
  ['an APIService is Progressing before anybody asked it', api(), 'Progressing', 'nobody has asked it yet'],
  ['a definition is Healthy when established', definition(accepted, condition('Established', 'True', { reason: 'InitialNamesAccepted' })), 'Healthy'],
  ['a definition is Progressing before', definition(accepted, condition('Established', 'False', { reason: 'Installing' })), 'Progressing', 'is not served yet'],
  ['a definition is Progressing without conditions', definition(), 'Progressing', 'is not served yet'],
  ['a definition is Degraded when its names are taken', definition(condition('NamesAccepted', 'False', { reason: 'PluralConflict', message: '"webs" is already in use' }), condition('Established', 'False', { reason: 'NotAccepted' })), 'Degraded', 'its names are not accepted: PluralConflict: "webs" is already in use'],
  ['a definition is Degraded with a loose schema', definition(accepted, condition('Established', 'True'), condition('NonStructuralSchema', 'True', { reason: 'Violations', message: 'spec: Required value' })), 'Degraded', 'its schema is refused: Violations: spec: Required value'],
];

describe.each<readonly [what: string, cases: readonly Case[]]>([
  ['a Service', services],
  ['an Ingress', ingresses],
  ['a PersistentVolumeClaim', claims],
  ['an autoscaler', autoscalers],
  ['a disruption budget', budgets],
  ['extensions of the API:', extensions],
])('%s', (_what, cases) => {
  const rows = cases.map(([name, subject, ...expected]) => ({ name, subject, expected: health(...expected) }));
  test.each(rows)('$name', ({ subject, expected }) => {
    expect(healthOf(subject, { now })).toEqual(expected);
  });
});

test.each([
  ['a Service without an address', service(balanced), 'for 10 min: no load balancer has given it an address'],
  ['an APIService that does not answer', api(condition('Available', 'False', { reason: 'MissingEndpoints' })), 'for 10 min: MissingEndpoints'],
  ['a claim that its provisioner leaves alone', object('v1 PersistentVolumeClaim', { metadata: asked, status: { phase: 'Pending' } }), 'for 10 min: provisioner ebs.csi.aws.com has made no volume yet'],
])('%s is Degraded after its time', (_what, subject, message) => {
  expect(healthOf(subject, { now, progressingSince: minutesAgo(10) })).toEqual({ status: 'Degraded', isOverdue: true, message });
});

test('a kind of another group that has a known name goes by the conventions', () => {
  expect(healthOf(object('serving.knative.dev/v1 Service', { spec: balanced }), { now })).toEqual({ status: 'Healthy' });
});
