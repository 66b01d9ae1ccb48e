import { join } from 'node:path';
import { createCluster, loadKubeconfig, type Cluster } from '../cluster/index.ts';
import { cacheFolder } from '../config/index.ts';
import { SetpointError, type Application } from '../model/index.ts';
import type { Rendered } from '../render/index.ts';
import { oneLine } from './format/index.ts';
import { createClusterSource } from './status-cluster.ts';
import type { StatusItem } from './status-item.ts';
import type { PlaceFlags } from './status-place.ts';
import { atRevision, renderWanted, wantedApplication } from './sync-application.ts';

interface ApplicationFlags extends PlaceFlags {
  readonly app: string;
  readonly gitCredentials?: string;
}

interface Opening {
  readonly signal: AbortSignal;
  /** A commit in place of the one that its reference names. */
  readonly revisionOf?: (item: StatusItem) => string | undefined;
}

export interface OpenApplication extends AsyncDisposable {
  readonly cluster: Cluster;
  readonly context: string;
  readonly item: StatusItem;
  readonly application: Application;
  readonly commit: string;
  /** Of each of its sources, in their order. */
  readonly commits: readonly string[];
  readonly rendered: Rendered;
  readonly warn: (text: string) => void;
}

/** An Application of the cluster and what Git says of it now, with the rights of who asks. The agent is not asked. */
export async function openApplication(flags: ApplicationFlags, process: NodeJS.Process, { signal, revisionOf }: Opening): Promise<OpenApplication> {
  const { env } = process;
  const warn = (text: string): void => void process.stderr.write(`setpoint: ${oneLine(text)}\n`);
  const connection = await loadKubeconfig({ file: flags.kubeconfig, context: flags.context });
  const cluster = createCluster(connection, { schemaCache: join(cacheFolder(env), 'schemas') });
  const usual = connection.namespace ?? 'default';
  await using opening = new AsyncDisposableStack();
  const source = opening.use(createClusterSource({ cluster, context: connection.context, namespace: usual, now: () => new Date(), warn }));
  const item = await source.find(flags, signal);
  const object = await cluster.applications().get(item.id, signal);
  if (object === undefined) throw new SetpointError('Usage', `there is no Application ${item.id} any more`);
  const application = atRevision(wantedApplication(object, usual), revisionOf?.(item));
  const { commit, commits, rendered } = await renderWanted(application, { env, gitCredentials: flags.gitCredentials, cluster, warn }, signal);
  const closing = opening.move();
  return { cluster, context: connection.context, item, application, commit, commits, rendered, warn, [Symbol.asyncDispose]: () => closing.disposeAsync() };
}
