import type { TestCluster } from './cluster/test-cluster.ts';
import { openRawApi } from './raw-api.ts';

interface Write {
  /** The path of the object on the API server. */
  readonly path: string;
  /** A merge patch. */
  readonly patch: object;
}

/** A write as a controller makes it: under a name of its own, of the fields that it cares for. */
export async function writeAs(cluster: TestCluster, manager: string, { path, patch }: Write): Promise<void> {
  await using api = await openRawApi(cluster.kubeconfig);
  const { status, text } = await api.send('PATCH', `${path}?fieldManager=${manager}`, { type: 'application/merge-patch+json', text: JSON.stringify(patch) });
  if (status !== 200) throw new Error(`${status} to a write of ${manager}: ${text}`);
}
