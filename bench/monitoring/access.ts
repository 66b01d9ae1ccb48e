import type { JsonObject, KubeObject } from '../../src/model/index.ts';
import { componentNames, labelsOf, maybe, type Component } from './components.ts';
import type { Stack } from './stack.ts';

const rbac = 'rbac.authorization.k8s.io';
const readers: readonly Component[] = ['operator', 'state-metrics', 'adapter', 'metric-store', 'alert-router', 'node-agent', 'log-shipper', 'blackbox', 'rule-engine'];
const locals: readonly Component[] = ['operator', 'dashboards', 'metric-store', 'query', 'gateway'];

export function accessOf(stack: Stack): readonly KubeObject[] {
  return [...componentNames.map((component) => accountOf(component, stack)), ...readers.flatMap((reader) => clusterWide(reader, stack)), ...locals.flatMap((local) => inNamespace(local, stack)), ...aggregated(stack)];
}

function accountOf(component: Component, { namespace, random }: Stack): KubeObject {
  return {
    apiVersion: 'v1',
    ...maybe(0.7, { automountServiceAccountToken: false }, random),
    kind: 'ServiceAccount',
    metadata: { ...maybe(0.2, { creationTimestamp: null }, random), labels: labelsOf(component), name: component, namespace },
    ...maybe(0.2, { imagePullSecrets: [{ name: 'registry' }] }, random),
  };
}

function rulesOf(component: Component, { group }: Stack): readonly JsonObject[] {
  const read = ['get', 'list', 'watch'];
  const common: readonly JsonObject[] = [
    { apiGroups: [''], resources: ['nodes', 'services', 'endpoints', 'pods'], verbs: read },
    { apiGroups: ['discovery.k8s.io'], resources: ['endpointslices'], verbs: read },
    { nonResourceURLs: ['/metrics', '/metrics/slis'], verbs: ['get'] },
    { apiGroups: ['authentication.k8s.io'], resources: ['tokenreviews'], verbs: ['create'] },
    { apiGroups: ['authorization.k8s.io'], resources: ['subjectaccessreviews'], verbs: ['create'] },
  ];
  if (component === 'operator') return [{ apiGroups: [group], resources: ['metricservers', 'metricservers/status', 'alertrouters', 'rulesets'], verbs: ['*'] }, ...common];
  if (component !== 'state-metrics') return common;
  const groups = [
    ['', 'configmaps', 'secrets', 'persistentvolumeclaims', 'persistentvolumes', 'namespaces', 'limitranges', 'resourcequotas'],
    ['apps', 'statefulsets', 'daemonsets', 'deployments', 'replicasets'],
    ['batch', 'cronjobs', 'jobs'],
    ['autoscaling', 'horizontalpodautoscalers'],
    ['policy', 'poddisruptionbudgets'],
    ['storage.k8s.io', 'storageclasses', 'volumeattachments'],
    ['networking.k8s.io', 'networkpolicies', 'ingresses', 'ingressclasses'],
  ];
  return [...groups.map(([name = '', ...resources]) => ({ apiGroups: [name], resources, verbs: ['list', 'watch'] })), ...common];
}

function clusterWide(component: Component, stack: Stack): readonly KubeObject[] {
  const name = `${stack.namespace}-${component}`;
  const metadata = { labels: labelsOf(component), name };
  return [
    { apiVersion: `${rbac}/v1`, kind: 'ClusterRole', metadata, rules: rulesOf(component, stack) },
    {
      apiVersion: `${rbac}/v1`,
      kind: 'ClusterRoleBinding',
      metadata,
      roleRef: { apiGroup: rbac, kind: 'ClusterRole', name },
      subjects: [{ kind: 'ServiceAccount', name: component, namespace: stack.namespace }],
    },
  ];
}

function inNamespace(component: Component, { namespace, random }: Stack): readonly KubeObject[] {
  const metadata = { labels: labelsOf(component), name: component, namespace, ...maybe(0.3, { creationTimestamp: null }, random) };
  return [
    {
      apiVersion: `${rbac}/v1`,
      kind: 'Role',
      metadata,
      rules: [
        { apiGroups: [''], resources: ['configmaps'], resourceNames: [`${component}-config`], verbs: ['get', 'update'] },
        { apiGroups: ['coordination.k8s.io'], resources: ['leases'], verbs: ['get', 'create', 'update'] },
      ],
    },
    {
      apiVersion: `${rbac}/v1`,
      kind: 'RoleBinding',
      metadata,
      roleRef: { apiGroup: rbac, kind: 'Role', name: component },
      subjects: [{ ...maybe(0.15, { apiGroup: '' }, random), kind: 'ServiceAccount', name: component, namespace }],
    },
  ];
}

/** A role that others fill, and one that fills the built-in ones. */
function aggregated({ namespace, group }: Stack): readonly KubeObject[] {
  const label = `${namespace}.example.com/aggregate-to-monitoring`;
  return [
    { apiVersion: `${rbac}/v1`, kind: 'ClusterRole', metadata: { name: `${namespace}-monitoring` }, aggregationRule: { clusterRoleSelectors: [{ matchLabels: { [label]: 'true' } }] }, rules: [] },
    {
      apiVersion: `${rbac}/v1`,
      kind: 'ClusterRole',
      metadata: { labels: { [label]: 'true', 'rbac.authorization.k8s.io/aggregate-to-view': 'true' }, name: `${namespace}-monitoring-view` },
      rules: [{ apiGroups: [group], resources: ['*'], verbs: ['get', 'list', 'watch'] }],
    },
  ];
}
