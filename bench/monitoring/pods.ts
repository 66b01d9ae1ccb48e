// Pod templates: what is in them differs from component to component, as it does where each comes from another author.
import type { Json, JsonObject } from '../../src/model/index.ts';
import { labelsOf, maybe, pick, selectorOf, type Component } from './components.ts';
import type { Stack } from './stack.ts';

const restricted: JsonObject = {
  allowPrivilegeEscalation: false,
  capabilities: { drop: ['ALL'] },
  readOnlyRootFilesystem: true,
  runAsNonRoot: true,
  seccompProfile: { type: 'RuntimeDefault' },
};

const amounts: readonly [JsonObject, ...JsonObject[]] = [
  { limits: { cpu: '200m', memory: '200Mi' }, requests: { cpu: '100m', memory: '100Mi' } },
  { limits: { cpu: '1000m', memory: '0.25Gi' }, requests: { cpu: '0.1', memory: '128Mi' } },
  { limits: { memory: '1024Mi' }, requests: { cpu: 0.1, memory: '0.5Gi' } },
  { requests: { cpu: '10m', memory: '64M' } },
  { limits: { cpu: 1, memory: '1.5Gi' }, requests: { cpu: '50m', memory: '96Mi' } },
  { limits: { cpu: '20m', memory: '40Mi' }, requests: { cpu: '10m', memory: '20Mi' } },
];

export interface Template extends JsonObject {
  readonly metadata: JsonObject;
  readonly spec: JsonObject;
}

export function podTemplate(component: Component, stack: Stack): Template {
  const { random } = stack;
  const port = portOf(component, random);
  return {
    metadata: {
      annotations: { 'example.com/default-container': component, ...maybe(0.5, { 'checksum/config': `${random.below(2 ** 31)}` }, random) },
      labels: labelsOf(component),
      ...maybe(0.15, { creationTimestamp: null }, random),
    },
    spec: {
      automountServiceAccountToken: random.next() < 0.5,
      containers: [mainContainer(component, port, stack), ...(random.next() < 0.6 ? [proxyContainer(port + 2, stack)] : [])],
      nodeSelector: { 'kubernetes.io/os': 'linux' },
      securityContext: random.next() < 0.2 ? {} : { fsGroup: 65534, runAsGroup: 65534, runAsNonRoot: true, runAsUser: 65534, ...maybe(0.5, { seccompProfile: { type: 'RuntimeDefault' } }, random) },
      serviceAccountName: component,
      volumes: volumesOf(component, stack),
      ...maybe(0.2, { affinity: spreadOut(component) }, random),
      ...maybe(0.2, { imagePullSecrets: [{ name: 'registry' }] }, random),
      ...maybe(0.2, { priorityClassName: 'system-cluster-critical' }, random),
      ...maybe(0.1, { restartPolicy: 'Always', dnsPolicy: 'ClusterFirst', terminationGracePeriodSeconds: 30, schedulerName: 'default-scheduler' }, random),
      ...maybe(0.25, { initContainers: [initContainer(stack)] }, random),
      ...maybe(0.15, { topologySpreadConstraints: [{ labelSelector: { matchLabels: selectorOf(component) }, maxSkew: 1, topologyKey: 'kubernetes.io/hostname', whenUnsatisfiable: 'ScheduleAnyway' }] }, random),
    },
  };
}

/** On the host's own network the stacks must not be in each other's way. */
function portOf(component: Component, random: Stack['random']): number {
  return component === 'node-agent' ? 20_000 + 10 * random.below(1000) : 8080;
}

function mainContainer(component: Component, port: number, { namespace, random }: Stack): JsonObject {
  const probe = (path: string): JsonObject => ({ httpGet: { path, port: 'http', ...maybe(0.3, { scheme: 'HTTP' }, random) }, ...maybe(0.6, { initialDelaySeconds: 5, periodSeconds: 10 }, random) });
  return {
    args: ['--log.level=info', `--web.listen-address=:${port}`, `--namespace=${namespace}`, '--storage.path=/data', `--config.file=/etc/${component}/config.yaml`],
    env: envOf(random),
    image: `registry.example.com/monitoring/${component}:v2.14.0`,
    ...maybe(0.3, { imagePullPolicy: 'IfNotPresent' }, random),
    livenessProbe: probe('/healthz'),
    name: component,
    ports: [
      { containerPort: port, name: 'http', ...maybe(0.4, { protocol: 'TCP' }, random) },
      { containerPort: port + 1, name: 'metrics', ...maybe(0.4, { protocol: 'TCP' }, random) },
    ],
    readinessProbe: probe('/ready'),
    resources: random.next() < 0.15 ? {} : pick(amounts, random),
    securityContext: random.next() < 0.1 ? {} : restricted,
    ...maybe(0.2, { startupProbe: { failureThreshold: 60, periodSeconds: 15, tcpSocket: { port } } }, random),
    ...maybe(0.2, { terminationMessagePolicy: 'FallbackToLogsOnError' }, random),
    volumeMounts: [
      { mountPath: `/etc/${component}`, name: 'config', readOnly: true },
      { mountPath: '/data', name: 'data', ...maybe(0.1, { readOnly: false }, random) },
      { mountPath: '/tmp', name: 'tmp' },
    ],
  };
}

function envOf(random: Stack['random']): readonly Json[] {
  const env: JsonObject[] = [
    { name: 'LOG_FORMAT', value: 'logfmt' },
    { name: 'WORKERS', value: '4' },
  ];
  if (random.next() < 0.45) env.push({ name: 'POD_NAME', valueFrom: { fieldRef: { fieldPath: 'metadata.name', ...maybe(0.2, { apiVersion: 'v1' }, random) } } });
  if (random.next() < 0.3) env.push({ name: 'POD_NAMESPACE', valueFrom: { fieldRef: { fieldPath: 'metadata.namespace' } } });
  if (random.next() < 0.15) env.push({ name: 'GOMEMLIMIT', valueFrom: { resourceFieldRef: { resource: 'limits.memory' } } });
  if (random.next() < 0.3) env.push({ name: 'PASSWORD', valueFrom: { secretKeyRef: { key: 'password', name: 'query-auth', ...maybe(0.3, { optional: true }, random) } } });
  if (random.next() < 0.1) env.push({ name: 'EXTRA_FLAGS', value: '' });
  return env;
}

function proxyContainer(port: number, { random }: Stack): JsonObject {
  return {
    args: [`--secure-listen-address=:${port}`, `--upstream=http://127.0.0.1:${port - 1}/`, '--tls-cipher-suites=TLS_ECDHE_ECDSA_WITH_AES_128_GCM_SHA256'],
    image: 'registry.example.com/monitoring/auth-proxy:v0.19.0',
    name: 'auth-proxy',
    ports: [{ containerPort: port, name: 'https', ...maybe(0.5, { protocol: 'TCP' }, random) }],
    resources: { limits: { cpu: '20m', memory: '40Mi' }, requests: { cpu: '10m', memory: '20Mi' } },
    securityContext: { ...restricted, runAsGroup: 65532, runAsUser: 65532 },
    ...maybe(0.2, { env: [{ name: 'POD_IP', valueFrom: { fieldRef: { fieldPath: 'status.podIP' } } }] }, random),
  };
}

function initContainer({ random }: Stack): JsonObject {
  return { command: ['sh', '-c', 'cp -r /defaults/. /data'], image: 'registry.example.com/monitoring/init:1.0', name: 'prepare', ...maybe(0.5, { resources: {} }, random), volumeMounts: [{ mountPath: '/data', name: 'data' }] };
}

function volumesOf(component: Component, { random }: Stack): readonly JsonObject[] {
  const token = { serviceAccountToken: { audience: 'monitoring', path: 'token', ...maybe(0.6, { expirationSeconds: 7200 }, random) } };
  const projected = { name: 'config', projected: { sources: [{ secret: { name: 'query-auth' } }, { configMap: { name: 'gateway-flags', items: [{ key: 'LOG_LEVEL', path: 'level' }] } }, ...(random.next() < 0.5 ? [token] : [])] } };
  const config = random.next() < 0.25 ? projected : { name: 'config', configMap: { name: 'adapter-config', ...maybe(0.2, { defaultMode: 420 }, random), ...maybe(0.2, { items: [{ key: 'config.yaml', path: 'config.yaml' }] }, random) } };
  return [
    config,
    { emptyDir: random.next() < 0.3 ? { medium: 'Memory', sizeLimit: '0.5Gi' } : {}, name: 'data' },
    { emptyDir: {}, name: 'tmp' },
    ...(component === 'gateway' ? [{ name: 'tls', secret: { secretName: 'gateway-tls' } }] : []),
  ];
}

function spreadOut(component: Component): JsonObject {
  const term = { labelSelector: { matchLabels: selectorOf(component) }, namespaces: ['monitoring'], topologyKey: 'kubernetes.io/hostname' };
  return { podAntiAffinity: { preferredDuringSchedulingIgnoredDuringExecution: [{ podAffinityTerm: term, weight: 100 }] } };
}
