import type { KubeObject } from '../../src/model/index.ts';
import { labelsOf, type Component } from './components.ts';
import type { Stack } from './stack.ts';

export function secretsOf({ namespace, random }: Stack): readonly KubeObject[] {
  const noise = (bytes: number): string => Buffer.from(Array.from({ length: bytes }, () => random.below(256))).toString('base64');
  const secret = (name: string, component: Component, content: Partial<KubeObject>): KubeObject => ({
    apiVersion: 'v1',
    kind: 'Secret',
    metadata: { labels: labelsOf(component), name, namespace },
    type: 'Opaque',
    ...content,
  });
  const dockerConfig = Buffer.from(JSON.stringify({ auths: { 'registry.example.com': { auth: noise(24) } } })).toString('base64');
  return [
    secret('registry', 'operator', { type: 'kubernetes.io/dockerconfigjson', data: { '.dockerconfigjson': dockerConfig } }),
    secret('alert-router-main', 'alert-router', { stringData: { 'router.yaml': routerConfig } }),
    secret('dashboards-config', 'dashboards', { stringData: { 'dashboards.ini': '[security]\nadmin_user = admin\ncookie_secure = true\n' } }),
    secret('dashboards-datasources', 'dashboards', { stringData: { 'datasources.yaml': 'apiVersion: 1\ndatasources:\n- access: proxy\n  editable: false\n' } }),
    secret('metric-store-scrape', 'metric-store', { data: { 'additional.yaml': noise(900) } }),
    secret('gateway-tls', 'gateway', { type: 'kubernetes.io/tls', data: { 'tls.crt': noise(1200), 'tls.key': noise(1700) } }),
    secret('query-auth', 'query', { data: { username: noise(12), password: noise(32) } }),
  ];
}

const routerConfig = `global:
  resolve_timeout: 5m
route:
  group_by: [namespace]
  group_interval: 5m
  group_wait: 30s
  receiver: default
  repeat_interval: 12h
receivers:
- name: default
- name: critical
`;
