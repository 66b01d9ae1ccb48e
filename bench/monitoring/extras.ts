// What a stack has one or two of: its namespace, autoscalers, storage, an aggregated API, a webhook.
import type { KubeObject } from '../../src/model/index.ts';
import { labelsOf, maybe } from './components.ts';
import type { Stack } from './stack.ts';
import { autoscaled } from './workloads.ts';

export function extrasOf(stack: Stack): readonly KubeObject[] {
  return [namespaceOf(stack), ...autoscalers(stack), ...storage(stack), apiService(stack), webhook(stack), priorityClass(stack)];
}

function namespaceOf({ namespace }: Stack): KubeObject {
  return { apiVersion: 'v1', kind: 'Namespace', metadata: { labels: { 'pod-security.kubernetes.io/warn': 'privileged', 'pod-security.kubernetes.io/warn-version': 'latest' }, name: namespace } };
}

function autoscalers({ namespace, random }: Stack): readonly KubeObject[] {
  return [...autoscaled].map((component) => ({
    apiVersion: 'autoscaling/v2',
    kind: 'HorizontalPodAutoscaler',
    metadata: { labels: labelsOf(component), name: component, namespace },
    spec: {
      ...maybe(0.5, { behavior: { scaleDown: { policies: [{ periodSeconds: 60, type: 'Percent', value: 50 }], stabilizationWindowSeconds: 300 } } }, random),
      maxReplicas: 3,
      metrics: [{ resource: { name: 'cpu', target: { averageUtilization: 80, type: 'Utilization' } }, type: 'Resource' }],
      minReplicas: 1,
      scaleTargetRef: { apiVersion: 'apps/v1', kind: 'Deployment', name: component },
    },
  }));
}

function storage({ namespace, random }: Stack): readonly KubeObject[] {
  return [
    { apiVersion: 'storage.k8s.io/v1', kind: 'StorageClass', metadata: { name: namespace }, provisioner: 'kubernetes.io/no-provisioner', ...maybe(0.3, { reclaimPolicy: 'Delete' }, random) },
    ...['archive', 'reports'].map((name) => ({
      apiVersion: 'v1',
      kind: 'PersistentVolume',
      metadata: { name: `${namespace}-${name}` },
      spec: { accessModes: ['ReadWriteOnce'], capacity: { storage: name === 'archive' ? '20480Mi' : '5Gi' }, hostPath: { path: `/srv/${name}` }, storageClassName: namespace },
    })),
    { apiVersion: 'v1', kind: 'PersistentVolumeClaim', metadata: { name: 'reports', namespace }, spec: { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '5120Mi' } }, storageClassName: namespace, volumeName: `${namespace}-reports` } },
  ];
}

function apiService({ namespace }: Stack): KubeObject {
  const group = `metrics.${namespace}.example.com`;
  return {
    apiVersion: 'apiregistration.k8s.io/v1',
    kind: 'APIService',
    metadata: { labels: labelsOf('adapter'), name: `v1beta1.${group}` },
    spec: { group, groupPriorityMinimum: 100, insecureSkipTLSVerify: true, service: { name: 'adapter', namespace }, version: 'v1beta1', versionPriority: 100 },
  };
}

/** Only for objects that ask for it, and none does: nothing answers there. */
function webhook({ namespace, group }: Stack): KubeObject {
  return {
    apiVersion: 'admissionregistration.k8s.io/v1',
    kind: 'ValidatingWebhookConfiguration',
    metadata: { labels: labelsOf('operator'), name: `${namespace}-rules` },
    webhooks: [
      {
        admissionReviewVersions: ['v1'],
        clientConfig: { service: { name: 'operator', namespace, path: '/validate/rules', port: 8443 } },
        failurePolicy: 'Ignore',
        name: 'rules.validate.example.com',
        objectSelector: { matchLabels: { 'example.com/validate': namespace } },
        rules: [{ apiGroups: [group], apiVersions: ['*'], operations: ['CREATE', 'UPDATE'], resources: ['rulesets'] }],
        sideEffects: 'None',
        timeoutSeconds: 5,
      },
    ],
  };
}

function priorityClass({ namespace }: Stack): KubeObject {
  return { apiVersion: 'scheduling.k8s.io/v1', description: 'For what must run on every node.', globalDefault: false, kind: 'PriorityClass', metadata: { name: `${namespace}-node` }, value: 1000000 };
}
