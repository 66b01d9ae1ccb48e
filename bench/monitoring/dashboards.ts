import type { JsonObject, KubeObject } from '../../src/model/index.ts';
import { labelsOf } from './components.ts';
import type { Stack } from './stack.ts';

const topics = [
  ...['apiserver', 'cluster-total', 'controllers', 'scheduler', 'proxy', 'kubelet', 'nodes', 'node-cluster', 'namespaces-by-pod', 'namespaces-by-workload'],
  ...['pod-total', 'workload-total', 'persistent-volumes', 'resources-cluster', 'resources-namespace', 'resources-node', 'resources-pod', 'resources-workload'],
  ...['metric-store', 'remote-write', 'alert-router', 'dashboards-overview', 'state-metrics', 'blackbox', 'gateway', 'query', 'storage', 'network'],
];

/** A ConfigMap for each dashboard, of 20 to 100 KB, and small ones with settings. */
export function dashboardsOf(stack: Stack): readonly KubeObject[] {
  const { namespace, random } = stack;
  const configMap = (name: string, data: JsonObject): KubeObject => ({
    apiVersion: 'v1',
    data,
    kind: 'ConfigMap',
    metadata: { labels: labelsOf('dashboards'), name, namespace },
  });
  const boards = topics.map((topic) => configMap(`dashboard-${topic}`, { [`${topic}.json`]: dashboard(topic, 10 + random.below(40), stack) }));
  const adapter = { 'config.yaml': '"resourceRules":\n  "cpu":\n    "containerLabel": "container"\n    "nodeQuery": |\n      sum by (<<.GroupBy>>) (rate(node_cpu_seconds_total[5m]))\n' };
  return [
    ...boards,
    configMap('dashboards-sources', { 'dashboards.yaml': JSON.stringify({ apiVersion: 1, providers: [{ folder: 'Default', name: '0', orgId: 1, type: 'file' }] }, null, 4) }),
    configMap('adapter-config', adapter),
    configMap('blackbox-config', { 'config.yml': 'modules:\n  http_2xx:\n    http:\n      preferred_ip_protocol: ip4\n    prober: http\n', empty: '' }),
    { ...configMap('gateway-flags', { LOG_LEVEL: 'info', WORKERS: '4', ZONES: 'a,b,c' }), immutable: false },
  ];
}

function dashboard(topic: string, panels: number, { random }: Stack): string {
  const panel = (id: number): JsonObject => ({
    datasource: { type: 'metrics', uid: '${datasource}' },
    description: `What ${topic} does, part ${id}.`,
    fieldConfig: { defaults: { custom: { fillOpacity: 10, showPoints: 'never', stacking: { mode: 'normal' } }, unit: random.next() < 0.5 ? 'bytes' : 'short' }, overrides: [] },
    gridPos: { h: 7, w: 12, x: 12 * (id % 2), y: 7 * Math.floor(id / 2) },
    id,
    options: { legend: { asTable: true, calcs: ['lastNotNull'], displayMode: 'table', placement: 'right' }, tooltip: { mode: 'multi' } },
    targets: [0, 1].map((at) => ({
      expr: `sum by (instance, namespace) (rate(${topic.replaceAll('-', '_')}_${['requests', 'bytes', 'errors', 'seconds'][random.below(4)]}_total{job="${topic}", cluster="$cluster", shard="${random.below(1000)}"}[$__rate_interval]))`,
      legendFormat: `{{instance}} ${at}`,
      refId: 'AB'[at] ?? 'A',
    })),
    title: `${topic} ${id}`,
    type: 'timeseries',
  });
  return JSON.stringify({ editable: false, panels: Array.from({ length: panels }, (_none, at) => panel(at + 1)), refresh: '10s', schemaVersion: 39, tags: ['monitoring'], title: topic, uid: `uid-${topic}` }, null, 4);
}
