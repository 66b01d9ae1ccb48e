// The folder of a run in → what kind is told of its cluster: an API server that writes its audit log into this folder.
import { join } from 'node:path';
import { stringify } from 'yaml';
import { auditFlags, auditPolicy } from '../cluster/audit-policy.ts';

export interface KindFile {
  readonly path: string;
  readonly text: string;
}

/** Where the folder of the log is inside of the node, and inside of the API server's pod. */
const inside = '/var/log/setpoint-audit';
const [policyName, logName] = ['policy.yaml', 'audit.log'];

export const configFile = (folder: string): string => join(folder, 'kind.yaml');
export const auditLogFile = (folder: string): string => join(folder, 'audit', logName);

export function kindFiles(folder: string): readonly KindFile[] {
  return [
    { path: configFile(folder), text: stringify(kindCluster(folder)) },
    { path: join(folder, 'audit', policyName), text: auditPolicy },
    // Made before the API server does: it appends to what is there, and one of its own only root could read.
    { path: auditLogFile(folder), text: '' },
  ];
}

function kindCluster(folder: string): object {
  const flags = auditFlags({ policyFile: `${inside}/${policyName}`, logFile: `${inside}/${logName}` });
  const extraVolumes = [{ name: 'setpoint-audit', hostPath: inside, mountPath: inside, pathType: 'Directory' }];
  // Which of them counts is up to the version of Kubernetes; the other one is passed over.
  const patches = [
    { version: 'v1beta3', extraArgs: flags },
    { version: 'v1beta4', extraArgs: Object.entries(flags).map(([name, value]) => ({ name, value })) },
  ];
  return {
    kind: 'Cluster',
    apiVersion: 'kind.x-k8s.io/v1alpha4',
    kubeadmConfigPatches: patches.map(({ version, extraArgs }) => stringify({ apiVersion: `kubeadm.k8s.io/${version}`, kind: 'ClusterConfiguration', apiServer: { extraArgs, extraVolumes } })),
    nodes: [{ role: 'control-plane', extraMounts: [{ hostPath: join(folder, 'audit'), containerPath: inside }] }],
  };
}
