import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { createCluster, followWith, limitDryRuns, loadKubeconfig, type Cluster } from '../cluster/index.ts';
import type { AgentConfig } from '../config/index.ts';
import { describeChange, liveDigest, tagWith, type IgnoreRules } from '../diff/index.ts';
import { healthOf, loadHealthRules, type HealthRules } from '../health/index.ts';
import { SetpointError, staleIntervals, type ErrorCode } from '../model/index.ts';
import { createBreakers, createDesiredState, createMemory, createReferences, createStandings, leftAlone, type Ports, type Reference, type References, type Standings } from '../reconcile/index.ts';
import { openSources, type Credentials, type Sources } from '../sources.ts';
import { createMetrics, type Log, type Metrics } from '../telemetry/index.ts';
import { systemClock } from './clock.ts';
import { ignoresWith } from './ignores.ts';

export interface PartsOptions {
  readonly config: AgentConfig;
  readonly credentials: Credentials;
  readonly renderer: 'wasm' | 'binaries';
  readonly kubeconfig: { readonly file: string | undefined; readonly context: string | undefined };
  readonly ignores: IgnoreRules | undefined;
  readonly cacheFolder: string;
  readonly log: Log;
  readonly report: Ports['report'];
}

/** What lives as long as the process, whoever leads: the cluster in sight, repositories, a renderer, and what is known of each application. */
export interface Parts extends AsyncDisposable {
  readonly config: AgentConfig;
  readonly log: Log;
  readonly report: Ports['report'];
  /** As people are told of it. */
  readonly clusterName: string;
  readonly server: string;
  readonly defaultNamespace: string;
  readonly cluster: Cluster;
  readonly metrics: Metrics;
  readonly references: References;
  readonly standings: Standings;
  readonly ports: Pick<Ports, 'desired' | 'cluster' | 'standing' | 'ignoresOf' | 'healthOf' | 'tag' | 'now' | 'newId' | 'staleAfterMs'>;
  /** Told of changes in the cluster and in Git. One at a time: whoever leads. */
  listen(listener: PartsListener): () => void;
}

export interface PartsListener {
  liveChanged(key: Parameters<Standings['declarers']>[0]): void;
  kindsChanged(): void;
  moved(reference: Reference): void;
}

// When it is back, everybody waits for the verdicts.
const longestWithoutClusterMs = 30_000;

export async function openParts({ config, credentials, renderer, kubeconfig, ignores, cacheFolder, log, report }: PartsOptions): Promise<Parts> {
  const connection = await loadKubeconfig(kubeconfig);
  const { now, monotonic, random, setTimer } = systemClock;
  const metrics = createMetrics();
  const cluster = createCluster(connection, { schemaCache: join(cacheFolder, 'schemas') });
  const rules = await rulesOf(config);
  const live = cluster.watch({ digest: liveDigest, describeChange, healthOf: (object) => healthOf(object, { now: now(), ...rules }), log, now });
  const definitions = cluster.watchDefinitions({ log, now });
  const sources: Sources = await openSources({ credentials, renderer, folder: join(config.stateFolder, 'git'), remembers: true, log, metrics });
  const breakers = createBreakers({ now, random, isOutage: isOutage('RepositoryUnreachable') });
  const clusterBreakers = createBreakers({ now, random, isOutage: isOutage('ClusterUnreachable'), maxMs: longestWithoutClusterMs });
  const listeners = new Set<PartsListener>();
  // Of what is kept in memory only.
  const salt = randomUUID();
  const references = createReferences({
    ...{ pollMs: config.intervalMs, now: () => now().getTime(), random, setTimer },
    onMoved(reference) {
      for (const listener of listeners) listener.moved(reference);
    },
    onLate: ({ repository, revision }) => log.info('Git takes its time: its applications are looked at when it answers', { repository, revision }),
    resolve: ({ repository, revision }, signal) =>
      breakers.run(
        hostOf(repository),
        async () => {
          using snapshot = await sources.repository(repository).pull(revision, signal);
          return snapshot.commit;
        },
        signal,
      ),
  });
  const standings = createStandings({ watch: followWith(live, definitions), createMemory: () => createMemory({ now: monotonic, random, salt }) });
  live.onChange((key) => {
    for (const listener of listeners) listener.liveChanged(key);
  });
  definitions.onChange(() => {
    for (const listener of listeners) listener.kindsChanged();
  });
  return {
    ...{ config, log, report, cluster, metrics, references, standings },
    clusterName: config.clusterName ?? connection.context,
    server: connection.server,
    defaultNamespace: connection.namespace ?? 'default',
    ports: {
      desired: createDesiredState({ ...sources, references }),
      cluster: { ...cluster, ...leftAlone({ ...cluster, ...limitDryRuns(cluster), discover: definitions.discover }, (work, asking) => clusterBreakers.run(connection.server, work, asking)) },
      standing: standings,
      ignoresOf: ignoresWith(ignores),
      healthOf: (object, facts = {}) => healthOf(object, { now: now(), ...rules, ...facts }),
      tag: tagWith(randomUUID()),
      now,
      newId: () => `drf_${randomUUID()}`,
      staleAfterMs: staleIntervals * config.intervalMs,
    },
    listen(listener) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
    async [Symbol.asyncDispose]() {
      references.close();
      await Promise.all([cluster.close(), sources[Symbol.asyncDispose]()]);
    },
  };
}

function isOutage(code: ErrorCode): (error: unknown) => boolean {
  return (error) => error instanceof SetpointError && error.code === code;
}

/** Throws where one of them cannot be understood: an object that is called well by mistake may be waited for in vain, or not at all. */
async function rulesOf({ healthRules }: AgentConfig): Promise<{ readonly rules?: HealthRules }> {
  if (healthRules.length === 0) return {};
  const { rules, mistakes } = await loadHealthRules(healthRules);
  if (mistakes.length > 0) throw new SetpointError('Usage', `healthRules: ${mistakes.join('; ')}`);
  return { rules };
}

/** What an outage is an outage of: a server has many repositories. */
function hostOf(repository: string): string {
  return URL.canParse(repository) ? new URL(repository).host || repository : (repository.split(':')[0] ?? repository);
}
