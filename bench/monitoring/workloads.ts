import type { JsonObject, KubeObject } from '../../src/model/index.ts';
import { deployed, labelsOf, maybe, onEveryNode, selectorOf, stateful, type Component } from './components.ts';
import { podTemplate, type Template } from './pods.ts';
import type { Stack } from './stack.ts';

export function workloadsOf(stack: Stack): readonly KubeObject[] {
  return [
    ...deployed.map((component) => deployment(component, stack)),
    ...onEveryNode.map((component) => daemonSet(component, stack)),
    ...stateful.map((component) => statefulSet(component, stack)),
    ...['backup', 'compact', 'cleanup'].map((name) => cronJob(name, stack)),
  ];
}

/** What they target leaves the number of replicas to them. */
export const autoscaled: ReadonlySet<Component> = new Set<Component>(['query', 'gateway', 'web-ui']);

function metadataOf(component: Component, { namespace, random }: Stack): KubeObject['metadata'] {
  return { labels: labelsOf(component), name: component, namespace, ...maybe(0.15, { creationTimestamp: null }, random) };
}

function deployment(component: Component, stack: Stack): KubeObject {
  const { random } = stack;
  return {
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: metadataOf(component, stack),
    spec: {
      ...(autoscaled.has(component) ? {} : { replicas: 1 }),
      selector: { matchLabels: selectorOf(component) },
      ...maybe(0.1, { strategy: {} }, random),
      ...maybe(0.2, { strategy: { rollingUpdate: { maxSurge: 1, maxUnavailable: '25%' } } }, random),
      ...maybe(0.2, { revisionHistoryLimit: 10 }, random),
      template: podTemplate(component, stack),
    },
    ...maybe(0.15, { status: {} }, random),
  };
}

function daemonSet(component: Component, stack: Stack): KubeObject {
  const template = podTemplate(component, stack);
  const host: JsonObject = {
    hostNetwork: component === 'node-agent',
    hostPID: true,
    tolerations: [{ operator: 'Exists' }],
  };
  return {
    apiVersion: 'apps/v1',
    kind: 'DaemonSet',
    metadata: metadataOf(component, stack),
    spec: {
      selector: { matchLabels: selectorOf(component) },
      template: { ...template, spec: { ...template.spec, ...(component === 'profiler' ? { tolerations: host['tolerations'] ?? [] } : host) } } as Template,
      updateStrategy: { rollingUpdate: { maxUnavailable: '10%' }, type: 'RollingUpdate' },
    },
  };
}

function statefulSet(component: Component, stack: Stack): KubeObject {
  const { random } = stack;
  const claim = {
    metadata: { name: 'archive', ...maybe(0.3, { creationTimestamp: null }, random) },
    spec: { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '10Gi' } }, storageClassName: stack.namespace },
    ...maybe(0.3, { status: {} }, random),
  };
  return {
    apiVersion: 'apps/v1',
    kind: 'StatefulSet',
    metadata: metadataOf(component, stack),
    spec: {
      ...maybe(0.5, { podManagementPolicy: 'Parallel' }, random),
      replicas: 1,
      selector: { matchLabels: selectorOf(component) },
      serviceName: `${component}-operated`,
      template: podTemplate(component, stack),
      ...maybe(0.5, { updateStrategy: { type: 'RollingUpdate' } }, random),
      ...(component === 'metric-store' ? { volumeClaimTemplates: [claim] } : {}),
    },
  };
}

function cronJob(name: string, stack: Stack): KubeObject {
  const { namespace, random } = stack;
  const template = podTemplate('report', stack);
  return {
    apiVersion: 'batch/v1',
    kind: 'CronJob',
    metadata: { name, namespace },
    spec: {
      concurrencyPolicy: 'Forbid',
      ...maybe(0.5, { failedJobsHistoryLimit: 1, successfulJobsHistoryLimit: 3 }, random),
      jobTemplate: { spec: { backoffLimit: 3, template: { ...template, spec: { ...template.spec, restartPolicy: 'OnFailure' } } as Template } },
      // A day that is not soon: a run in the middle of a measurement would be in the way.
      schedule: '17 3 29 2 *',
      ...maybe(0.3, { suspend: false }, random),
    },
  };
}
