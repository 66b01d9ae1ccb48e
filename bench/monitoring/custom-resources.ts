import type { JsonObject, KubeObject } from '../../src/model/index.ts';
import { componentNames, labelsOf, maybe, selectorOf, type Component } from './components.ts';
import type { Stack } from './stack.ts';

const ruled: readonly Component[] = ['operator', 'state-metrics', 'alert-router', 'metric-store', 'node-agent', 'gateway', 'query', 'rule-engine', 'dashboards'];

export function customResourcesOf(stack: Stack): readonly KubeObject[] {
  return [
    ...componentNames.filter((name) => name !== 'report' && name !== 'profiler').map((component) => serviceMonitor(component, stack)),
    podMonitor(stack),
    ...ruled.map((component) => ruleSet(component, stack)),
    metricServer(stack),
    alertRouter(stack),
    receiverSet(stack),
    ...['site', 'api'].map((name) => probe(name, stack)),
    settings(stack),
  ];
}

interface Named {
  readonly kind: string;
  readonly component: Component;
  readonly name?: string;
}

function custom({ kind, component, name = component }: Named, spec: JsonObject, { namespace, group, random }: Stack): KubeObject {
  return { apiVersion: `${group}/v1`, kind, metadata: { labels: labelsOf(component), name, namespace, ...maybe(0.1, { creationTimestamp: null }, random) }, spec };
}

function serviceMonitor(component: Component, stack: Stack): KubeObject {
  const { random, namespace } = stack;
  const drop = (pattern: string): JsonObject => ({ action: 'drop', regex: pattern, sourceLabels: ['__name__'] });
  const endpoint: JsonObject = {
    authorization: { credentials: { key: 'token', name: `${component}-token` }, type: 'Bearer' },
    interval: '30s',
    metricRelabelings: [drop('process_start_time_seconds'), drop('(apiserver|etcd)_request_(count|latencies|duration)')],
    port: 'https',
    ...maybe(0.4, { relabelings: [{ replacement: '$1', sourceLabels: ['__meta_node'], targetLabel: 'instance' }, { action: 'labeldrop', regex: '(pod|service|endpoint|namespace)' }] }, random),
    scheme: 'https',
    ...maybe(0.3, { honorLabels: true }, random),
    ...maybe(0.1, { targetPort: 8443 }, random),
    tlsConfig: { insecureSkipVerify: true, ...maybe(0.3, { serverName: `${component}.${namespace}.svc` }, random) },
  };
  const spec = { endpoints: [endpoint], jobLabel: 'app.kubernetes.io/name', ...maybe(0.3, { namespaceSelector: { matchNames: [namespace] } }, random), selector: { matchLabels: selectorOf(component) } };
  return custom({ kind: 'ServiceMonitor', component }, spec, stack);
}

function podMonitor(stack: Stack): KubeObject {
  return custom({ kind: 'PodMonitor', component: 'profiler' }, { namespaceSelector: {}, podMetricsEndpoints: [{ path: '/metrics', port: 'metrics' }], selector: {} }, stack);
}

function ruleSet(component: Component, stack: Stack): KubeObject {
  const { random } = stack;
  const alert = (at: number): JsonObject => ({
    alert: `${component.replaceAll('-', '')}Trouble${at}`,
    annotations: { description: `Part ${at} of ${component} has trouble in {{ $labels.namespace }}.`, runbook_url: `https://runbooks.example.com/${component}/${at}`, summary: `${component} has trouble.` },
    expr: `(\n  sum(rate(errors_total{job="${component}",part="${at}"}[5m])) by (instance)\n/\n  sum(rate(requests_total{job="${component}"}[5m])) by (instance)\n) > 0.0${1 + random.below(8)}\n`,
    for: `${5 * (1 + random.below(3))}m`,
    labels: { severity: ['critical', 'warning', 'info'][random.below(3)] ?? 'info' },
  });
  const record = (at: number): JsonObject => ({ expr: at === 0 ? 1 : `sum by (cluster) (rate(bytes_total{part="${at}"}[5m]))`, record: `cluster:bytes${at}:rate5m` });
  const groups = Array.from({ length: 1 + random.below(4) }, (_none, at) => ({
    name: `${component}.group-${at}`,
    ...maybe(0.3, { interval: '3m' }, random),
    rules: Array.from({ length: 4 + random.below(16) }, (_rule, number) => (at % 2 === 0 ? alert(number) : record(number))),
  }));
  return custom({ kind: 'RuleSet', component }, { groups }, stack);
}

function podSettings(component: Component, { random }: Stack): JsonObject {
  return {
    image: `registry.example.com/monitoring/${component}:v2.14.0`,
    nodeSelector: { 'kubernetes.io/os': 'linux' },
    podMetadata: { labels: labelsOf(component) },
    replicas: 2,
    resources: { requests: { cpu: '0.4', memory: '400Mi' }, ...maybe(0.5, { limits: { memory: '1024Mi' } }, random) },
    securityContext: { fsGroup: 2000, runAsNonRoot: true, runAsUser: 1000 },
    serviceAccountName: component,
    version: '2.14.0',
  };
}

function metricServer(stack: Stack): KubeObject {
  const { namespace } = stack;
  const spec = {
    ...podSettings('metric-store', stack),
    alerting: { receivers: [{ apiVersion: 'v2', name: 'alert-router', namespace, port: 'http' }] },
    containers: [{ name: 'auth-proxy', image: 'registry.example.com/monitoring/auth-proxy:v0.19.0', ports: [{ containerPort: 8443, name: 'https' }], resources: {} }],
    enableFeatures: [],
    externalLabels: {},
    remoteWrite: [{ url: 'https://metrics.example.com/write', basicAuth: { username: { key: 'username', name: 'query-auth' }, password: { key: 'password', name: 'query-auth' } } }],
    ruleNamespaceSelector: {},
    ruleSelector: {},
    serviceMonitorNamespaceSelector: {},
    serviceMonitorSelector: {},
    storage: { volumeClaimTemplate: { spec: { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '50Gi' } } } } },
  };
  return custom({ kind: 'MetricServer', component: 'metric-store', name: 'k8s' }, spec, stack);
}

function alertRouter(stack: Stack): KubeObject {
  return custom({ kind: 'AlertRouter', component: 'alert-router', name: 'main' }, { ...podSettings('alert-router', stack), configSelector: {}, volumes: [{ emptyDir: {}, name: 'spool' }] }, stack);
}

function receiverSet(stack: Stack): KubeObject {
  const spec = {
    inhibitRules: [{ equal: ['namespace', 'alertname'], sourceMatch: [{ name: 'severity', value: 'critical' }] }],
    receivers: [{ name: 'default' }, { name: 'pager', webhookConfigs: [{ sendResolved: true, url: 'https://pager.example.com/hook' }] }],
    route: { group_by: ['namespace'], receiver: 'default', routes: [{ continue: false, matchers: ['severity = critical'], receiver: 'pager', routes: [] }] },
  };
  return custom({ kind: 'ReceiverSet', component: 'alert-router', name: 'main' }, spec, stack);
}

function probe(name: string, stack: Stack): KubeObject {
  const targets = { staticConfig: { labels: { team: 'platform' }, static: [`https://${name}.example.com/`, `https://${name}.example.com/healthz`] } };
  return custom({ kind: 'Probe', component: 'blackbox', name }, { interval: '60s', module: 'http_2xx', prober: { url: 'blackbox:8080' }, targets }, stack);
}

function settings(stack: Stack): KubeObject {
  const data = { defaults: { interval: '30s', limits: { series: 1000000, ratio: 0.5 } }, features: ['exemplars', 'native'], overrides: {}, tenants: [{ name: 'a', limits: null }, { name: 'b' }] };
  return custom({ kind: 'Settings', component: 'operator', name: 'settings' }, { data }, stack);
}
