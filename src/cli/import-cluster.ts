import { createCluster, loadKubeconfig } from '../cluster/index.ts';
import type { ServedKind } from '../model/index.ts';
import type { Rendered } from '../render/index.ts';

interface ImportPlace {
  readonly namespace?: string;
  readonly context?: string;
  readonly kubeconfig?: string;
}

const argocdKind: ServedKind = { group: 'argoproj.io', version: 'v1alpha1', kind: 'Application', resource: 'applications', namespaced: true, hasStatus: false };

/** The Applications of Argo CD that a cluster has, with the user's own rights. Only reads. */
export async function readImportCluster({ namespace, context, kubeconfig }: ImportPlace, signal: AbortSignal): Promise<Rendered> {
  const connection = await loadKubeconfig({ file: kubeconfig, context });
  const cluster = createCluster(connection);
  try {
    const objects = await cluster.listKind({ ...argocdKind, namespaces: namespace === undefined ? 'all' : [namespace] }, signal);
    return { documents: objects.map((object) => ({ origin: connection.context, object })), findings: [] };
  } finally {
    await cluster.close();
  }
}
