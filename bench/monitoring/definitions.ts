// The definitions of custom kinds that an operator for monitoring brings: few, and large.
import type { JsonObject, KubeObject } from '../../src/model/index.ts';
import {
  affinity,
  claimTemplate,
  container,
  duration,
  flag,
  integer,
  intOrString,
  keyedBy,
  keyReference,
  labelSelector,
  list,
  map,
  podSecurityContext,
  resources,
  struct,
  text,
  toleration,
  topologySpreadConstraint,
  volume,
  volumeMount,
} from './schema-parts.ts';

interface Definition {
  readonly kind: string;
  readonly plural: string;
  readonly spec: JsonObject;
  readonly columns?: readonly JsonObject[];
  readonly hasScale?: boolean;
}

const secretOrConfigMap = struct({ configMap: keyReference, secret: keyReference });
const tls = struct({
  ca: secretOrConfigMap,
  cert: secretOrConfigMap,
  insecureSkipVerify: flag('Take any certificate.'),
  keySecret: keyReference,
  serverName: text('Name to expect.'),
});
const basicAuth = struct({ password: keyReference, username: keyReference });
const authorization = struct({ credentials: keyReference, type: text('The scheme.') });
const relabeling = struct({
  action: { ...text('What to do.'), default: 'replace', enum: ['replace', 'keep', 'drop', 'hashmod', 'labelmap', 'labeldrop', 'labelkeep'] },
  modulus: integer('Of the hash.', 'int64'),
  regex: text('What to match.'),
  replacement: text('What to put there.'),
  separator: text('Between values.'),
  sourceLabels: list(text('A label.')),
  targetLabel: text('The label to write.'),
});

const endpoint = struct({
  authorization,
  basicAuth,
  enableHttp2: flag('Speak HTTP/2.'),
  honorLabels: flag('Keep labels of the target.'),
  honorTimestamps: flag('Keep times of the target.'),
  interval: duration,
  metricRelabelings: list(relabeling),
  params: map(list({ type: 'string' })),
  path: text('Path to ask for.'),
  port: text('Name of the port.'),
  proxyUrl: text('A proxy.'),
  relabelings: list(relabeling),
  scheme: { ...text('http or https.'), enum: ['http', 'https'] },
  scrapeTimeout: duration,
  targetPort: intOrString,
  tlsConfig: tls,
});

const namespaceSelector = struct({ any: flag('All of them.'), matchNames: list(text('A namespace.')) });

const serviceMonitor = struct(
  {
    attachMetadata: struct({ node: flag('That of the node.') }),
    endpoints: list(endpoint),
    jobLabel: text('The label that names the job.'),
    labelLimit: integer('Most labels.', 'int64'),
    namespaceSelector,
    podTargetLabels: list(text('A label.')),
    sampleLimit: integer('Most samples.', 'int64'),
    selector: labelSelector,
    targetLabels: list(text('A label.')),
  },
  ['endpoints', 'selector'],
);

const rule = struct(
  {
    alert: text('Name of the alert.'),
    annotations: map({ type: 'string' }),
    expr: intOrString,
    for: duration,
    keep_firing_for: duration,
    labels: map({ type: 'string' }),
    record: text('Name of the series.'),
  },
  ['expr'],
);

const ruleGroup = struct(
  { interval: duration, limit: integer('Most alerts.'), name: text('Name of the group.'), partial_response_strategy: text('abort or warn.'), rules: list(rule) },
  ['name'],
);

const podPart: JsonObject = {
  affinity,
  containers: list(container, keyedBy('name')),
  initContainers: list(container, keyedBy('name')),
  image: text('The image.'),
  imagePullPolicy: { ...text('When to pull it.'), enum: ['', 'Always', 'Never', 'IfNotPresent'] },
  imagePullSecrets: list(struct({ name: { ...text('Name.'), default: '' } }), {}),
  logFormat: { ...text('logfmt or json.'), default: 'logfmt' },
  logLevel: text('How much to say.'),
  nodeSelector: map({ type: 'string' }),
  podMetadata: struct({ annotations: map({ type: 'string' }), labels: map({ type: 'string' }), name: text('Name.') }),
  portName: { ...text('Name of the port.'), default: 'web' },
  priorityClassName: text('Class.'),
  replicas: integer('How many.'),
  resources,
  securityContext: podSecurityContext,
  serviceAccountName: text('Account.'),
  storage: struct({ disableMountSubPath: flag('Mount it as it is.'), emptyDir: struct({ medium: text('What it lies on.'), sizeLimit: intOrString }), volumeClaimTemplate: claimTemplate }),
  tolerations: list(toleration),
  topologySpreadConstraints: list(topologySpreadConstraint),
  version: text('The version.'),
  volumeMounts: list(volumeMount),
  volumes: list(volume),
};

const metricServer = struct({
  ...podPart,
  additionalArgs: list(struct({ name: text('Name of the flag.'), value: text('Its value.') }, ['name'])),
  additionalScrapeConfigs: keyReference,
  alerting: struct(
    {
      receivers: list(
        struct({ apiVersion: text('Version.'), name: text('Service.'), namespace: text('Namespace.'), pathPrefix: text('Prefix.'), port: intOrString, scheme: text('Scheme.'), tlsConfig: tls }, [
          'name',
          'port',
        ]),
      ),
    },
    ['receivers'],
  ),
  enableFeatures: list({ minLength: 1, type: 'string' }, { 'x-kubernetes-list-type': 'set' }),
  evaluationInterval: { ...duration, default: '30s' },
  externalLabels: map({ type: 'string' }),
  externalUrl: text('Where it is reached.'),
  remoteWrite: list(
    struct(
      {
        basicAuth,
        headers: map({ type: 'string' }),
        name: text('Name.'),
        queueConfig: struct({ capacity: integer('Most in the queue.'), maxBackoff: duration, maxShards: integer('Most shards.'), minBackoff: duration }),
        remoteTimeout: duration,
        tlsConfig: tls,
        url: text('Where to.'),
        writeRelabelConfigs: list(relabeling),
      },
      ['url'],
    ),
  ),
  retention: duration,
  retentionSize: text('Most bytes.'),
  ruleNamespaceSelector: labelSelector,
  ruleSelector: labelSelector,
  scrapeInterval: { ...duration, default: '30s' },
  serviceMonitorNamespaceSelector: labelSelector,
  serviceMonitorSelector: labelSelector,
  shards: integer('How many parts.'),
  walCompression: flag('Compress the log.'),
  web: struct({ maxConnections: integer('Most connections.'), pageTitle: text('Title.'), tlsConfig: tls }),
});

const alertRouter = struct({
  ...podPart,
  clusterAdvertiseAddress: text('Address to tell others.'),
  configSecret: text('Secret with the configuration.'),
  configSelector: labelSelector,
  externalUrl: text('Where it is reached.'),
  retention: { ...duration, default: '120h' },
  web: struct({ getConcurrency: integer('Most at once.'), timeout: integer('Seconds.') }),
});

const receivers = struct({
  inhibitRules: list(struct({ equal: list(text('A label.')), sourceMatch: list(struct({ name: text('Label.'), value: text('Value.') }, ['name'])) })),
  receivers: list(
    struct(
      {
        name: { minLength: 1, type: 'string' },
        webhookConfigs: list(struct({ maxAlerts: integer('Most alerts.'), sendResolved: flag('Tell the end too.'), url: text('Where to.') })),
        emailConfigs: list(struct({ headers: list(struct({ key: text('Name.'), value: text('Value.') }, ['key', 'value'])), requireTLS: flag('Insist on TLS.'), to: text('To whom.') })),
      },
      ['name'],
    ),
    keyedBy('name'),
  ),
  // Routes hold routes: a schema cannot say that, so it says nothing.
  route: { type: 'object', properties: { receiver: text('Which receiver.'), routes: list({ 'x-kubernetes-preserve-unknown-fields': true }) }, 'x-kubernetes-preserve-unknown-fields': true },
});

const probe = struct({
  interval: duration,
  module: text('How to probe.'),
  prober: struct({ path: { ...text('Path.'), default: '/probe' }, scheme: text('Scheme.'), url: text('Where it is.') }, ['url']),
  targets: struct({
    ingress: struct({ namespaceSelector, relabelingConfigs: list(relabeling), selector: labelSelector }),
    staticConfig: struct({ labels: map({ type: 'string' }), relabelingConfigs: list(relabeling), static: list(text('A target.')) }),
  }),
  tlsConfig: tls,
});

const settings = struct({ data: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true } });

const age = { jsonPath: '.metadata.creationTimestamp', name: 'Age', type: 'date' };
const definitions: readonly Definition[] = [
  { kind: 'ServiceMonitor', plural: 'servicemonitors', spec: serviceMonitor },
  { kind: 'PodMonitor', plural: 'podmonitors', spec: struct({ podMetricsEndpoints: list(endpoint), namespaceSelector, selector: labelSelector }, ['selector']) },
  { kind: 'RuleSet', plural: 'rulesets', spec: struct({ groups: list(ruleGroup, keyedBy('name')) }) },
  {
    kind: 'MetricServer',
    plural: 'metricservers',
    spec: metricServer,
    columns: [
      { description: 'The version', jsonPath: '.spec.version', name: 'Version', type: 'string' },
      { description: 'How many', jsonPath: '.spec.replicas', name: 'Desired', type: 'integer' },
      age,
      { jsonPath: '.status.paused', name: 'Paused', priority: 1, type: 'boolean' },
    ],
    hasScale: true,
  },
  { kind: 'AlertRouter', plural: 'alertrouters', spec: alertRouter, columns: [age], hasScale: true },
  { kind: 'ReceiverSet', plural: 'receiversets', spec: receivers },
  { kind: 'Probe', plural: 'probes', spec: probe },
  { kind: 'Settings', plural: 'settings', spec: settings },
];

export function monitoringDefinitions(group: string): readonly KubeObject[] {
  return definitions.map((definition) => definitionOf(definition, group));
}

function definitionOf({ kind, plural, spec, columns, hasScale = false }: Definition, group: string): KubeObject {
  const condition = struct({ lastTransitionTime: { format: 'date-time', type: 'string' }, message: text('For people.'), status: text('True, False or Unknown.'), type: text('Of what.') }, ['status', 'type']);
  const status = struct({ conditions: list(condition, keyedBy('type')), paused: flag('Not acted upon.'), replicas: integer('How many there are.'), selector: text('Which pods.') });
  return {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { annotations: { 'definitions.example.com/generator': 'v0.18.0' }, name: `${plural}.${group}` },
    spec: {
      group,
      names: { categories: ['monitoring'], kind, listKind: `${kind}List`, plural, singular: kind.toLowerCase() },
      scope: 'Namespaced',
      versions: [
        {
          ...(columns === undefined ? {} : { additionalPrinterColumns: columns }),
          name: 'v1',
          schema: {
            openAPIV3Schema: {
              description: `The definition of ${kind}.`,
              properties: { apiVersion: text('Version of the representation.'), kind: text('Kind of the resource.'), metadata: { type: 'object' }, spec, status },
              required: ['spec'],
              type: 'object',
            },
          },
          served: true,
          storage: true,
          subresources: hasScale ? { scale: { labelSelectorPath: '.status.selector', specReplicasPath: '.spec.replicas', statusReplicasPath: '.status.replicas' }, status: {} } : { status: {} },
        },
      ],
    },
  };
}
