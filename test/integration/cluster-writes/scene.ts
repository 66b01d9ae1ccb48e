// A namespace for the writes of one test file, and a cluster that writes there.
import { afterAll } from 'vitest';
import { createCluster, loadKubeconfig, type Cluster, type Target } from '../../../src/cluster/index.ts';
import type { JsonObject, KubeObject } from '../../../src/model/index.ts';
import type { TestCluster, TestNamespace } from '../../support/cluster/test-cluster.ts';
import { targetsIn } from '../../support/watched-cluster.ts';

export interface WriteScene {
  readonly cluster: Cluster;
  readonly namespace: TestNamespace;
  readonly targetOf: (object: JsonObject) => Target;
  readonly liveOf: (target: Target) => Promise<KubeObject>;
}

/** Let go of after the last test of the file. */
export async function writeScene(admin: TestCluster): Promise<WriteScene> {
  const parts = new AsyncDisposableStack();
  afterAll(() => parts.disposeAsync());
  const namespace = parts.use(await admin.createNamespace());
  const cluster = createCluster(await loadKubeconfig({ file: admin.kubeconfig }));
  parts.defer(() => cluster.close());
  const targetOf = await targetsIn(cluster, namespace.name);
  const liveOf = ({ kind, manifest }: Target): Promise<KubeObject> => admin.getJson<KubeObject>(kind.resource, manifest.object.metadata.name, '-n', namespace.name);
  return { cluster, namespace, targetOf, liveOf };
}

export function configMap(name: string, data: JsonObject = {}, metadata: JsonObject = {}): JsonObject {
  return { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name, ...metadata }, data };
}
