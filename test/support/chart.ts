// The chart as Helm itself reads it, and the values that it is tried with.
import { spawn } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { parseAllDocuments } from 'yaml';
import { valueAt, type JsonObject } from '../../src/model/index.ts';
import { controlPlaneBinary } from './control-plane.ts';
import { tempFolder } from './temp-folder.ts';

export const chartFolder = join(import.meta.dirname, '..', '..', 'charts', 'setpoint');

export interface HelmResult {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

export async function helm(args: readonly string[], values: object = {}): Promise<HelmResult> {
  const binary = await controlPlaneBinary();
  await using folder = await tempFolder();
  const file = join(folder.path, 'values.json');
  await writeFile(file, JSON.stringify(values));
  const takesValues = ['template', 'lint', 'install', 'upgrade'].includes(args[0] ?? '');
  const env = { ...process.env, HELM_CACHE_HOME: folder.path, HELM_CONFIG_HOME: folder.path, HELM_DATA_HOME: folder.path };
  const child = spawn(binary, ['helm', ...args, ...(takesValues ? ['-f', file] : [])], { stdio: 'pipe', env });
  const [output, errors]: [string[], string[]] = [[], []];
  child.stdout.setEncoding('utf8').on('data', (text: string) => output.push(text));
  child.stderr.setEncoding('utf8').on('data', (text: string) => errors.push(text));
  const code = await new Promise<number | null>((resolve, reject) => child.once('error', reject).once('close', resolve));
  return { code, stdout: output.join(''), stderr: errors.join('') };
}

export interface Rendered extends JsonObject {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: { readonly name: string; readonly namespace?: string; readonly labels: Readonly<Record<string, string>>; readonly annotations?: Readonly<Record<string, string>> };
}

export interface Template {
  readonly text: string;
  readonly objects: readonly Rendered[];
}

export async function helmTemplate(namespace: string, values: object, chart: string = chartFolder): Promise<Template> {
  const { code, stdout, stderr } = await helm(['template', 'setpoint', chart, '-n', namespace], values);
  if (code !== 0) throw new Error(`helm template ended with ${code}: ${stderr}`);
  return { text: stdout, objects: objectsIn(stdout) };
}

export function objectsIn(text: string): readonly Rendered[] {
  return parseAllDocuments(text).flatMap((document) => (document.toJS() as Rendered | null) ?? []);
}

export function documentsText(objects: readonly object[]): string {
  return objects.map((object) => JSON.stringify(object)).join('\n---\n');
}

/** The account that the agent has. */
export function accountOf(objects: readonly Rendered[]): string {
  return valueAt(objects.find(({ kind }) => kind === 'Deployment'), ['spec', 'template', 'spec', 'serviceAccountName']) as string;
}

export interface Places {
  /** Two namespaces with Applications, or with their objects. */
  readonly one: string;
  readonly two: string;
}

const noIds = { runAsUser: null, runAsGroup: null, fsGroup: null };
const image = { repository: 'registry.example.com/setpoint' };
const receivers = [
  { id: 'fleet', provider: 'github', secretFile: 'hooks/fleet' },
  { id: 'ci', provider: 'generic', secretFiles: ['hooks/ci', 'hooks/ci-next'], repository: 'https://git.example.com/acme/fleet' },
];
const told = { destinations: [{ name: 'hook', type: 'webhook', url: 'https://hooks.example.com/drift' }] };
const hookFiles = ['fleet', 'ci', 'ci-next'].map((key) => ({ path: `hooks/${key}`, secret: 'setpoint-hooks', key }));

/** Values that go together, by what they are about. */
export function valuesMatrix({ one, two }: Places): Readonly<Record<string, object>> {
  return {
    'as it comes': { image },
    'two replicas': { image: { ...image, digest: `sha256:${'0'.repeat(64)}` }, replicas: 2, podLabels: { team: 'platform' }, nodeSelector: { 'kubernetes.io/os': 'linux' } },
    'without the definition': { image, crds: { install: false } },
    'Applications in two namespaces': { image, applications: { namespaces: [one, two] }, rbac: { noticeNewKinds: false } },
    'read-only with dry runs': { image, rbac: { dryRuns: true } },
    'read-only in one namespace': { image, rbac: { namespaces: [one], secrets: [{ namespace: one, names: ['keys'] }] } },
    'sync in two namespaces': { image, rbac: { level: 'sync-namespaces', namespaces: [one, two], secrets: [{ namespace: two, names: ['keys', 'other.keys'] }, { namespace: two, names: ['keys', 'more'] }] } },
    'sync everywhere': { image, rbac: { level: 'sync-everywhere', kinds: { 'cert-manager.io': ['certificates'], batch: null } } },
    'roles and account of one’s own': { image, rbac: { create: false }, serviceAccount: { create: false, name: 'mine' }, networkPolicy: { enabled: false } },
    'a Redis with it': { image, config: told, redis: { enabled: true, existingSecret: 'redis' } },
    'a Redis with a volume': { image, config: told, redis: { enabled: true, existingSecret: 'redis', persistence: { enabled: true, size: '2Gi', storageClass: 'fast' } } },
    'a Redis elsewhere': { image, config: told, externalRedis: { url: 'rediss+sentinel://s1:26380,s2/main', existingSecret: 'redis', usernameKey: 'user', sentinelPasswordKey: 'sentinel', caFile: 'redis-ca' }, secretFiles: [{ path: 'redis-ca', secret: 'redis', key: 'ca.crt' }] },
    'ids that the cluster gives': { image, config: told, podSecurityContext: noIds, redis: { enabled: true, existingSecret: 'redis', podSecurityContext: noIds, nodeSelector: { disk: 'fast' } }, networkPolicy: { dnsPorts: [53, 5353] }, strategy: { type: 'Recreate' } },
    'webhooks through an Ingress': { image, config: { receivers }, secretFiles: hookFiles, ingress: { enabled: true, host: 'hooks.example.com', tlsSecret: 'tls', className: 'nginx' } },
    'repositories with credentials': { image, gitCredentials: [{ secret: 'fleet', url: 'https://git.example.com/acme' }, { secret: 'infra' }], ignoreRules: [{ kind: 'Deployment', jsonPointers: ['/spec/replicas'] }], notifyWebhook: { secret: 'alerts', key: 'url' } },
    'alerts to many places': {
      image,
      config: {
        destinations: [
          { name: 'mail', type: 'email', host: 'mail.example.com', from: 'drift@example.com', to: ['team@example.com'] },
          { name: 'relay', type: 'email', host: 'relay.example.com', port: 2525, from: 'drift@example.com', to: ['team@example.com'] },
          { name: 'am', type: 'alertmanager', url: 'http://am.monitoring.svc:9093' },
          { name: 'hook', type: 'webhook', url: 'https://hooks.example.com:8443/drift' },
        ],
        alerts: { rules: [{ name: 'drift', destinations: ['mail', 'am'] }, { name: 'rest', destinations: ['relay', 'hook'] }], allowPrivate: ['am.monitoring.svc'] },
      },
      gitCredentials: [{ secret: 'fleet', url: 'ssh://git@git.example.com:7999/acme' }],
      extraEnv: [{ name: 'HTTPS_PROXY', value: 'http://proxy.example.com:3128' }],
    },
    'metrics': { image, serviceMonitor: { enabled: true, labels: { release: 'prometheus' } }, prometheusRule: { enabled: true } },
    'everything at once': {
      image,
      replicas: 2,
      fullnameOverride: 'drift',
      applications: { namespaces: [one] },
      rbac: { level: 'sync-namespaces', namespaces: [two] },
      config: { ...told, receivers, interval: '30s', healthRules: [{ kind: 'cert-manager.io/Certificate', healthy: 'true' }] },
      secretFiles: hookFiles,
      gitCredentials: [{ secret: 'fleet' }],
      redis: { enabled: true, existingSecret: 'redis' },
      ingress: { enabled: true, host: 'hooks.example.com' },
      networkPolicy: { hooksFrom: [{ ipBlock: { cidr: '192.0.2.0/24' } }], metricsFrom: [{ podSelector: {} }], egressPorts: [] },
      serviceMonitor: { enabled: true },
      prometheusRule: { enabled: true },
      topologySpreadConstraints: [{ maxSkew: 1, topologyKey: 'topology.kubernetes.io/zone', whenUnsatisfiable: 'ScheduleAnyway', labelSelector: {} }],
      tolerations: [{ key: 'infra', operator: 'Exists' }],
      strategy: { rollingUpdate: { maxSurge: '50%' } },
      affinity: { nodeAffinity: { requiredDuringSchedulingIgnoredDuringExecution: { nodeSelectorTerms: [{ matchExpressions: [{ key: 'arch', operator: 'Exists' }] }] } } },
      priorityClassName: 'system-cluster-critical',
      extraEnv: [{ name: 'HTTPS_PROXY', value: 'http://proxy:3128' }],
      extraVolumes: [{ name: 'more', emptyDir: {} }],
      extraVolumeMounts: [{ name: 'more', mountPath: '/more' }],
      extraObjects: [{ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: '{{ .Release.Name }}-more', namespace: '{{ .Release.Namespace }}', labels: { of: 'setpoint' } } }],
    },
  };
}
