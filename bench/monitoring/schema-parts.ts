// Parts of large OpenAPI schemas as generators of definitions write them: every type spelled out where it is used.
import type { Json, JsonObject } from '../../src/model/index.ts';

export function text(description: string): JsonObject {
  return { description, type: 'string' };
}

export function flag(description: string): JsonObject {
  return { description, type: 'boolean' };
}

export function integer(description: string, format = 'int32'): JsonObject {
  return { description, format, type: 'integer' };
}

export function list(items: JsonObject, extensions: JsonObject = {}): JsonObject {
  return { items, type: 'array', ...extensions };
}

export function keyedBy(...keys: readonly string[]): JsonObject {
  return { 'x-kubernetes-list-map-keys': keys, 'x-kubernetes-list-type': 'map' };
}

export function map(values: JsonObject): JsonObject {
  return { additionalProperties: values, type: 'object' };
}

export function struct(properties: JsonObject, required: readonly string[] = []): JsonObject {
  return { properties, ...(required.length === 0 ? {} : { required }), type: 'object' };
}

export function atomic(schema: JsonObject): JsonObject {
  return { ...schema, 'x-kubernetes-map-type': 'atomic' };
}

export const intOrString: JsonObject = { anyOf: [{ type: 'integer' }, { type: 'string' }], 'x-kubernetes-int-or-string': true };

export const duration: JsonObject = {
  pattern: '^(0|(([0-9]+)y)?(([0-9]+)w)?(([0-9]+)d)?(([0-9]+)h)?(([0-9]+)m)?(([0-9]+)s)?(([0-9]+)ms)?)$',
  type: 'string',
};

const quantity: JsonObject = {
  ...intOrString,
  pattern: String.raw`^(\+|-)?(([0-9]+(\.[0-9]*)?)|(\.[0-9]+))(([KMGTPE]i)|[numkMGTPE]|([eE](\+|-)?(([0-9]+(\.[0-9]*)?)|(\.[0-9]+))))?$`,
};

const selectorRequirement = struct(
  { key: text('The label that the requirement is about.'), operator: text('In, NotIn, Exists or DoesNotExist.'), values: list(text('A value.'), { 'x-kubernetes-list-type': 'atomic' }) },
  ['key', 'operator'],
);

export const labelSelector = atomic(
  struct({
    matchExpressions: list(selectorRequirement, { 'x-kubernetes-list-type': 'atomic' }),
    matchLabels: map({ type: 'string' }),
  }),
);

/** A key of a ConfigMap or a Secret. */
export const keyReference = atomic(
  struct({ key: text('The key to select.'), name: { ...text('Name of the object that holds it.'), default: '' }, optional: flag('Whether it may be missing.') }, ['key']),
);

export const resources = struct({
  claims: list(struct({ name: text('A claim of the pod.'), request: text('Which request of it.') }, ['name']), keyedBy('name')),
  limits: map(quantity),
  requests: map(quantity),
});

const capabilities = struct({
  add: list(text('A capability.'), { 'x-kubernetes-list-type': 'atomic' }),
  drop: list(text('A capability.'), { 'x-kubernetes-list-type': 'atomic' }),
});

const seccompProfile = struct({ localhostProfile: text('A file on the node.'), type: text('Which kind of profile.') }, ['type']);

const securityContext = struct({
  allowPrivilegeEscalation: flag('Whether a process can gain more privileges than its parent.'),
  capabilities,
  privileged: flag('Run as root of the host.'),
  readOnlyRootFilesystem: flag('Whether the root is read-only.'),
  runAsGroup: integer('The group.', 'int64'),
  runAsNonRoot: flag('Refuse to run as root.'),
  runAsUser: integer('The user.', 'int64'),
  seccompProfile,
});

export const podSecurityContext = struct({
  fsGroup: integer('The group of volumes.', 'int64'),
  fsGroupChangePolicy: text('When to change owners.'),
  runAsGroup: integer('The group.', 'int64'),
  runAsNonRoot: flag('Refuse to run as root.'),
  runAsUser: integer('The user.', 'int64'),
  seccompProfile,
  supplementalGroups: list(integer('A group.', 'int64'), { 'x-kubernetes-list-type': 'atomic' }),
  sysctls: list(struct({ name: text('The name.'), value: text('The value.') }, ['name', 'value']), { 'x-kubernetes-list-type': 'atomic' }),
});

const httpGet = struct(
  {
    host: text('Host to connect to.'),
    httpHeaders: list(struct({ name: text('Name.'), value: text('Value.') }, ['name', 'value']), { 'x-kubernetes-list-type': 'atomic' }),
    path: text('Path to ask for.'),
    port: intOrString,
    scheme: text('HTTP or HTTPS.'),
  },
  ['port'],
);

const exec = struct({ command: list(text('A word of the command.'), { 'x-kubernetes-list-type': 'atomic' }) });

const probe = struct({
  exec,
  failureThreshold: integer('Failures in a row before it counts as failed.'),
  grpc: struct({ port: integer('Port.'), service: { ...text('Service.'), default: '' } }, ['port']),
  httpGet,
  initialDelaySeconds: integer('Seconds before the first.'),
  periodSeconds: integer('Seconds between two.'),
  successThreshold: integer('Successes in a row.'),
  tcpSocket: struct({ host: text('Host.'), port: intOrString }, ['port']),
  terminationGracePeriodSeconds: integer('Seconds to end.', 'int64'),
  timeoutSeconds: integer('Seconds to answer.'),
});

const env = struct(
  {
    name: text('Name of the variable.'),
    value: text('Its value.'),
    valueFrom: struct({
      configMapKeyRef: keyReference,
      fieldRef: atomic(struct({ apiVersion: text('Version of the path.'), fieldPath: text('Path of the field.') }, ['fieldPath'])),
      resourceFieldRef: atomic(struct({ containerName: text('Container.'), divisor: quantity, resource: text('Resource.') }, ['resource'])),
      secretKeyRef: keyReference,
    }),
  },
  ['name'],
);

const port = struct(
  {
    containerPort: integer('Port of the container.'),
    hostIP: text('Address of the host.'),
    hostPort: integer('Port of the host.'),
    name: text('Name.'),
    protocol: { ...text('UDP, TCP or SCTP.'), default: 'TCP' },
  },
  ['containerPort'],
);

export const volumeMount = struct(
  {
    mountPath: text('Where to mount it.'),
    mountPropagation: text('How mounts spread.'),
    name: text('Name of the volume.'),
    readOnly: flag('Whether it is read-only.'),
    subPath: text('Path within the volume.'),
  },
  ['mountPath', 'name'],
);

export const container = struct(
  {
    args: list(text('An argument.'), { 'x-kubernetes-list-type': 'atomic' }),
    command: list(text('A word of the command.'), { 'x-kubernetes-list-type': 'atomic' }),
    env: list(env, keyedBy('name')),
    image: text('The image.'),
    imagePullPolicy: text('When to pull it.'),
    lifecycle: struct({ postStart: struct({ exec, httpGet }), preStop: struct({ exec, httpGet }) }),
    livenessProbe: probe,
    name: text('Name of the container.'),
    ports: list(port, keyedBy('containerPort', 'protocol')),
    readinessProbe: probe,
    resources,
    securityContext,
    startupProbe: probe,
    terminationMessagePolicy: text('Where the last message comes from.'),
    volumeMounts: list(volumeMount, keyedBy('mountPath')),
    workingDir: text('Folder to start in.'),
  },
  ['name'],
);

const keyToPath = struct({ key: text('The key.'), mode: integer('Bits of the file.'), path: text('Path of the file.') }, ['key', 'path']);
const keyItems: Json = list(keyToPath, { 'x-kubernetes-list-type': 'atomic' });

export const volume = struct(
  {
    configMap: atomic(struct({ defaultMode: integer('Bits of files.'), items: keyItems, name: { ...text('Name.'), default: '' }, optional: flag('May be missing.') })),
    emptyDir: struct({ medium: text('What it lies on.'), sizeLimit: quantity }),
    hostPath: struct({ path: text('Path on the host.'), type: text('What is expected there.') }, ['path']),
    name: text('Name of the volume.'),
    persistentVolumeClaim: struct({ claimName: text('Name of the claim.'), readOnly: flag('Read-only.') }, ['claimName']),
    projected: struct({
      defaultMode: integer('Bits of files.'),
      sources: list(struct({ configMap: struct({ items: keyItems, name: text('Name.') }), secret: struct({ items: keyItems, name: text('Name.') }) }), {
        'x-kubernetes-list-type': 'atomic',
      }),
    }),
    secret: struct({ defaultMode: integer('Bits of files.'), items: keyItems, optional: flag('May be missing.'), secretName: text('Name.') }),
  },
  ['name'],
);

const nodeTerm = atomic(struct({ matchExpressions: list(selectorRequirement, { 'x-kubernetes-list-type': 'atomic' }) }));
const podTerm = struct({ labelSelector, namespaces: list(text('A namespace.'), { 'x-kubernetes-list-type': 'atomic' }), topologyKey: text('What makes two nodes one place.') }, ['topologyKey']);
const podTerms = struct({
  preferredDuringSchedulingIgnoredDuringExecution: list(struct({ podAffinityTerm: podTerm, weight: integer('Weight.') }, ['podAffinityTerm', 'weight']), { 'x-kubernetes-list-type': 'atomic' }),
  requiredDuringSchedulingIgnoredDuringExecution: list(podTerm, { 'x-kubernetes-list-type': 'atomic' }),
});

export const affinity = struct({
  nodeAffinity: struct({
    requiredDuringSchedulingIgnoredDuringExecution: atomic(struct({ nodeSelectorTerms: list(nodeTerm, { 'x-kubernetes-list-type': 'atomic' }) }, ['nodeSelectorTerms'])),
  }),
  podAffinity: podTerms,
  podAntiAffinity: podTerms,
});

export const toleration = struct({
  effect: text('Which taint effect.'),
  key: text('Key of the taint.'),
  operator: text('Exists or Equal.'),
  tolerationSeconds: integer('For how long.', 'int64'),
  value: text('Value of the taint.'),
});

export const topologySpreadConstraint = struct(
  {
    labelSelector,
    maxSkew: integer('How uneven it may be.'),
    minDomains: integer('Least number of places.'),
    topologyKey: text('What makes two nodes one place.'),
    whenUnsatisfiable: text('What to do then.'),
  },
  ['maxSkew', 'topologyKey', 'whenUnsatisfiable'],
);

export const claimTemplate = struct({
  apiVersion: text('Version.'),
  kind: text('Kind.'),
  metadata: struct({ annotations: map({ type: 'string' }), labels: map({ type: 'string' }), name: text('Name.') }),
  spec: struct({
    accessModes: list(text('A mode.'), { 'x-kubernetes-list-type': 'atomic' }),
    resources: struct({ limits: map(quantity), requests: map(quantity) }),
    selector: labelSelector,
    storageClassName: text('Class.'),
    volumeMode: text('Block or Filesystem.'),
  }),
});
