import type { Json, SchemaField } from '../model/index.ts';

type Zero = NonNullable<SchemaField['zero']>;

/** What the server's Go code does with fields of its own types and its OpenAPI documents do not say. By name of the definition. */
interface GoType {
  /** Set to this wherever they are not given, whatever stands beside them. */
  readonly constants?: Readonly<Record<string, Json>>;
  /** Held by value and left out when zero: the zero of their type is the same as nothing given. Never a pointer, which tells them apart. */
  readonly zeros?: Readonly<Record<string, Zero>>;
}

const claimTemplate = { apiVersion: 'v1', kind: 'PersistentVolumeClaim', status: { phase: 'Pending' } };

// Read from the sources of Kubernetes 1.36; each has been so since its kind became v1. The differential gate holds it to the server.
const goTypes: Readonly<Record<string, GoType>> = {
  'io.k8s.api.admissionregistration.v1.RuleWithOperations': { constants: { scope: '*' } },
  'io.k8s.api.apps.v1.DaemonSetSpec': { zeros: { minReadySeconds: 0 } },
  'io.k8s.api.apps.v1.DeploymentSpec': { zeros: { minReadySeconds: 0, paused: false } },
  'io.k8s.api.apps.v1.StatefulSetSpec': { zeros: { minReadySeconds: 0 } },
  'io.k8s.api.core.v1.Container': { zeros: { stdin: false, stdinOnce: false, tty: false, workingDir: '' } },
  'io.k8s.api.core.v1.ContainerPort': { zeros: { hostIP: '', hostPort: 0, name: '' } },
  'io.k8s.api.core.v1.EmptyDirVolumeSource': { zeros: { medium: '' } },
  'io.k8s.api.core.v1.EnvVar': { zeros: { value: '' } },
  'io.k8s.api.core.v1.HTTPGetAction': { zeros: { host: '' } },
  'io.k8s.api.core.v1.NFSVolumeSource': { zeros: { readOnly: false } },
  'io.k8s.api.core.v1.ObjectFieldSelector': { constants: { apiVersion: 'v1' } },
  'io.k8s.api.core.v1.PersistentVolumeClaim': { constants: claimTemplate },
  'io.k8s.api.core.v1.PersistentVolumeClaimSpec': { constants: { volumeMode: 'Filesystem' }, zeros: { volumeName: '' } },
  'io.k8s.api.core.v1.PersistentVolumeClaimStatus': { constants: { phase: 'Pending' } },
  'io.k8s.api.core.v1.PersistentVolumeClaimVolumeSource': { zeros: { readOnly: false } },
  'io.k8s.api.core.v1.PodSpec': { zeros: { hostIPC: false, hostNetwork: false, hostPID: false, hostname: '', nodeName: '', priorityClassName: '', subdomain: '' } },
  'io.k8s.api.core.v1.Probe': { zeros: { initialDelaySeconds: 0 } },
  // A quantity that is always written.
  'io.k8s.api.core.v1.ResourceFieldSelector': { constants: { divisor: '0' } },
  'io.k8s.api.core.v1.ServiceAccountTokenProjection': { constants: { expirationSeconds: 3600 } },
  'io.k8s.api.core.v1.ServicePort': { zeros: { name: '' } },
  'io.k8s.api.core.v1.ServiceSpec': { zeros: { externalName: '', loadBalancerIP: '', publishNotReadyAddresses: false } },
  'io.k8s.api.core.v1.Toleration': { zeros: { effect: '', key: '', operator: '', value: '' } },
  'io.k8s.api.core.v1.VolumeMount': { zeros: { readOnly: false, subPath: '', subPathExpr: '' } },
  'io.k8s.api.networking.v1.NetworkPolicyPort': { constants: { protocol: 'TCP' } },
  'io.k8s.api.rbac.v1.Subject': { zeros: { apiGroup: '', namespace: '' } },
  'io.k8s.api.scheduling.v1.PriorityClass': { zeros: { description: '', globalDefault: false } },
};

export function constantOf(definition: string, field: string): Json | undefined {
  return goTypes[definition]?.constants?.[field];
}

export function zeroOf(definition: string, field: string): Zero | undefined {
  return goTypes[definition]?.zeros?.[field];
}
