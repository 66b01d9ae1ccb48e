// A kubeconfig in → what the cluster serves, holds, predicts and applies out. Talks to one Kubernetes API server.
export { createCluster, type Cluster, type Target } from './cluster.ts';
export { loadKubeconfig } from './kubeconfig.ts';
