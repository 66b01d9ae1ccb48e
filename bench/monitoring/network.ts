import type { JsonObject, KubeObject } from '../../src/model/index.ts';
import { componentNames, deployed, labelsOf, maybe, selectorOf, stateful, type Component } from './components.ts';
import type { Stack } from './stack.ts';

const guarded: readonly Component[] = ['operator', 'state-metrics', 'dashboards', 'adapter', 'blackbox', 'metric-store', 'alert-router', 'query', 'gateway'];
const published: readonly Component[] = ['dashboards', 'gateway', 'web-ui'];

export function networkOf(stack: Stack): readonly KubeObject[] {
  return [
    ...[...deployed, 'alert-router', 'metric-store'].map((component) => service(component as Component, stack)),
    ...[...stateful, 'node-agent' as const].map((component) => headless(component, stack)),
    ...guarded.map((component) => networkPolicy(component, stack)),
    denyAll(stack),
    ...published.map((component) => ingress(component, stack)),
    ...(['metric-store', 'alert-router', 'adapter', 'gateway', 'query'] as const).map((component) => disruptionBudget(component, stack)),
  ];
}

function service(component: Component, { namespace, random }: Stack): KubeObject {
  return {
    apiVersion: 'v1',
    kind: 'Service',
    metadata: { labels: labelsOf(component), name: component, namespace },
    spec: {
      ports: [
        { name: 'http', port: 8080, targetPort: 'http', ...maybe(0.3, { protocol: 'TCP' }, random) },
        { name: 'https', port: 8443, ...maybe(0.7, { targetPort: 'https' }, random) },
      ],
      selector: selectorOf(component),
      ...maybe(0.2, { sessionAffinity: 'ClientIP' }, random),
      ...maybe(0.3, { type: 'ClusterIP' }, random),
    },
    ...maybe(0.15, { status: { loadBalancer: {} } }, random),
  };
}

function headless(component: Component, { namespace, random }: Stack): KubeObject {
  return {
    apiVersion: 'v1',
    kind: 'Service',
    metadata: { labels: labelsOf(component), name: `${component}-operated`, namespace },
    spec: { clusterIP: 'None', ports: [{ name: 'https', port: 8443, targetPort: 'https' }], selector: selectorOf(component), ...maybe(0.2, { publishNotReadyAddresses: true }, random) },
  };
}

function networkPolicy(component: Component, { namespace, random }: Stack): KubeObject {
  const port = (number: number): JsonObject => ({ port: number, ...maybe(0.75, { protocol: 'TCP' }, random) });
  const from = [{ podSelector: { matchLabels: selectorOf('metric-store') } }];
  return {
    apiVersion: 'networking.k8s.io/v1',
    kind: 'NetworkPolicy',
    metadata: { labels: labelsOf(component), name: component, namespace },
    spec: {
      egress: [{}],
      ingress: [
        { from, ports: [port(8080), port(8443)] },
        ...(component === 'gateway' ? [{ from: [{ ipBlock: { cidr: '192.0.2.0/24', except: ['192.0.2.128/25'] } }], ports: [{ port: 8443, endPort: 8450, protocol: 'TCP' }] }] : []),
      ],
      podSelector: { matchLabels: selectorOf(component) },
      policyTypes: ['Egress', 'Ingress'],
    },
  };
}

function denyAll({ namespace }: Stack): KubeObject {
  return { apiVersion: 'networking.k8s.io/v1', kind: 'NetworkPolicy', metadata: { name: 'deny-all', namespace }, spec: { podSelector: {}, policyTypes: ['Ingress'] } };
}

function ingress(component: Component, { namespace, random }: Stack): KubeObject {
  const host = `${component}.example.com`;
  return {
    apiVersion: 'networking.k8s.io/v1',
    kind: 'Ingress',
    metadata: { annotations: { 'ingress.example.com/ssl-redirect': 'true' }, labels: labelsOf(component), name: component, namespace },
    spec: {
      ...maybe(0.7, { ingressClassName: 'internal' }, random),
      rules: [{ host, http: { paths: [{ backend: { service: { name: component, port: { name: 'http' } } }, path: '/', pathType: 'Prefix' }] } }],
      tls: [{ hosts: [host], secretName: 'gateway-tls' }],
    },
  };
}

function disruptionBudget(component: (typeof componentNames)[number], { namespace }: Stack): KubeObject {
  return {
    apiVersion: 'policy/v1',
    kind: 'PodDisruptionBudget',
    metadata: { labels: labelsOf(component), name: component, namespace },
    spec: { ...(component === 'gateway' ? { maxUnavailable: '25%' } : { minAvailable: 1 }), selector: { matchLabels: selectorOf(component) } },
  };
}
