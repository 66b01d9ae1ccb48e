import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { createCluster, followWith, limitDryRuns, loadKubeconfig } from './cluster/index.ts';
import type { RunConfig } from './config/index.ts';
import { describeChange, liveDigest, tagWith, type IgnoreRules } from './diff/index.ts';
import { mainSource, SetpointError, type Application } from './model/index.ts';
import { createWebhook } from './notify/index.ts';
import { createMemoryQueue, createRedisQueue } from './queue/index.ts';
import { createDesiredState, createMemory, deliverAlerts, reconcile, type Ports, type WorkQueue } from './reconcile/index.ts';
import { openSources, type Credentials } from './sources.ts';
import { openStateFolder, type StateFolder } from './status/index.ts';
import { createMetrics, type Log } from './telemetry/index.ts';

interface AgentOptions {
  readonly config: RunConfig;
  readonly credentials: Credentials;
  readonly renderer: 'wasm' | 'binaries';
  readonly kubeconfig: { readonly file: string | undefined; readonly context: string | undefined };
  readonly ignores: IgnoreRules | undefined;
  readonly cacheFolder: string;
  readonly log: Log;
  readonly report: Ports['report'];
}

export interface Agent {
  /** Lets work under way end, and lets go of everything. */
  stop(): Promise<void>;
}

const sweepMs = 30_000;
const soonest = 1000;

/** Wires the parts of the agent together and keeps them going. */
export async function startAgent({ config, credentials, renderer, kubeconfig, ignores, cacheFolder, log, report }: AgentOptions): Promise<Agent> {
  const connection = await loadKubeconfig(kubeconfig);
  const { name, source, mode, intervalMs } = config;
  const application: Application = { name, sources: [source], mode, namespace: config.namespace ?? connection.namespace ?? 'default' };
  const status = await openStateFolder(config.stateFolder);
  await claimStatus(status, application, connection.server);
  const cluster = createCluster(connection, { schemaCache: join(cacheFolder, 'schemas') });
  const now = (): Date => new Date();
  const live = cluster.watch({ digest: liveDigest, describeChange, log, now });
  const definitions = cluster.watchDefinitions({ log, now });

  const sources = await openSources({ credentials, renderer, folder: join(config.stateFolder, 'git'), remembers: true, log, metrics: createMetrics() });

  const backoff = { baseMs: soonest, maxMs: 15 * 60_000 };
  const looks = createMemoryQueue({ concurrency: 2, backoff, log });
  const alerts = createAlertQueue(config, log);
  const webhook = config.webhookUrl === undefined ? null : createWebhook(config.webhookUrl);
  const queueAlerts = async (): Promise<void> => {
    // A queue that is down costs time only: the outbox is on disk, and the sweep tries again.
    await alerts?.add(name).catch((error: Error) => log.warn('alerts not queued yet', { application: name, reason: error.message }));
  };
  const ports: Ports = {
    desired: createDesiredState({ ...sources, freshMs: intervalMs * 0.9, now }),
    cluster: { ...cluster, ...limitDryRuns(cluster), discover: definitions.discover },
    watch: followWith(live, definitions),
    memory: createMemory({ now, random: Math.random, salt: status.salt }),
    ignores,
    tag: tagWith(randomUUID()),
    status,
    alerts: alerts === null ? null : { add: queueAlerts },
    report,
    now,
    newId: () => `drf_${randomUUID()}`,
  };

  let soonInARow = 0;
  looks.start(async (_key, signal) => {
    const { lookAgainSoon } = await reconcile(application, ports, signal);
    log.debug('looked', { application: name });
    soonInARow = lookAgainSoon ? soonInARow + 1 : 0;
    const delayMs = soonest * 2 ** Math.min(soonInARow, 20);
    if (lookAgainSoon && delayMs < intervalMs) await looks.add(name, { delayMs });
  });
  alerts?.start(async (key, signal) => {
    // Whoever can write to Redis can put any name there: only our own means anything.
    if (key === name && webhook !== null) {
      await deliverAlerts(application, { status, destination: webhook, cluster: connection.context, signal });
    }
  });

  const lookNow = (): void => void looks.add(name);
  live.onChange(lookNow);
  definitions.onChange(lookNow);
  const timers = [
    setInterval(lookNow, intervalMs),
    setInterval(() => void sweep(status, name, queueAlerts).catch((error: Error) => log.error('sweep failed', { reason: error.message })), sweepMs),
  ];
  await looks.add(name);
  log.info('agent started', { application: name, mode, repository: source.repository, path: source.path, cluster: connection.server });
  return {
    async stop() {
      for (const timer of timers) clearInterval(timer);
      await looks.close();
      await alerts?.close();
      await Promise.all([cluster.close(), webhook?.close(), sources[Symbol.asyncDispose]()]);
      log.info('agent stopped', { application: name });
    },
  };
}

function createAlertQueue({ webhookUrl, redisUrl }: RunConfig, log: Log): WorkQueue | null {
  if (webhookUrl === undefined) {
    if (redisUrl !== undefined) log.warn('--redis queues alerts, and there are none without --notify-webhook');
    return null;
  }
  const options = { concurrency: 1, backoff: { baseMs: 5000, maxMs: 6 * 3_600_000 }, log };
  return redisUrl === undefined ? createMemoryQueue(options) : createRedisQueue({ ...options, url: redisUrl, name: 'alerts' });
}

/** Alerts that were recorded and not queued, because of a crash, a flush or an outage. */
async function sweep(status: StateFolder, name: string, queueAlerts: () => Promise<void>): Promise<void> {
  const { outbox } = await status.read(name);
  if (outbox.length > 0) await queueAlerts();
}

async function claimStatus(status: StateFolder, application: Application, server: string): Promise<void> {
  const { name } = application;
  const source = mainSource(application);
  const subject = `${source.repository} ${source.path ?? ''} -> ${server}`;
  const { subject: stored } = await status.update(name, (current) => (current.subject === null ? { ...current, subject } : current));
  if (stored !== subject) {
    throw new SetpointError('StateInvalid', `the state of application ${name} is about ${stored}, not ${subject}: give another --name or --state`);
  }
}
