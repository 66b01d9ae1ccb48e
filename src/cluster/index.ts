// A kubeconfig in → what the cluster serves, holds, predicts and applies out. Talks to one Kubernetes API server.
export type { ApplicationEvent, ApplicationObjects, ApplicationWritten } from './application-objects.ts';
export type { ServerFacts } from './ask-server.ts';
export { createCluster, type Cluster, type Target } from './cluster.ts';
export type { Events, Occurrence } from './events.ts';
export { limitDryRuns } from './limit-dry-runs.ts';
export type { ApplicationQuery } from './list-applications.ts';
export { loadKubeconfig } from './kubeconfig.ts';
export type { Right } from './may.ts';
export type { Silences } from './silences.ts';
export type { LiveCache } from './watch/live-cache.ts';
export { followWith } from './watch/followed.ts';
