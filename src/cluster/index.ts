// A kubeconfig in → what the cluster serves, holds, predicts and applies out. Talks to one Kubernetes API server.
export { createCluster, type Cluster, type Target } from './cluster.ts';
export { limitDryRuns } from './limit-dry-runs.ts';
export { loadKubeconfig } from './kubeconfig.ts';
export type { LiveCache } from './watch/live-cache.ts';
export { followWith } from './watch/followed.ts';
