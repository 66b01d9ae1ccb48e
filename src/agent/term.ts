import { mainSource, modeOf, type Application, type AppStatus, type Verdict } from '../model/index.ts';
import { createWebhook } from '../notify/index.ts';
import { createMemoryQueue, createRedisQueue, type WorkQueue } from '../queue/index.ts';
import { createController, deliverAlerts, warmUp, type Declared, type Observed, type Ports } from '../reconcile/index.ts';
import type { AppSample } from '../telemetry/index.ts';
import { systemClock } from './clock.ts';
import { idOf, type Declarations } from './declarations.ts';
import type { Parts } from './parts.ts';

export interface TermOptions {
  readonly parts: Parts;
  readonly declarations: Declarations;
  readonly status: Ports['status'] & { forget?(id: string): void };
  readonly mayWrite: () => void;
  readonly deletion?: Ports['deletion'];
  /** Told of each verdict that is another one than before. */
  readonly onVerdict?: (application: Application, status: Observed, before: Verdict | null) => void;
  readonly signal: AbortSignal;
}

/** The time in which this process is the one that looks and writes. */
export interface Term {
  /** Looks at it now, though nothing says that anything is new. False where there is no such application. */
  ask(id: string): boolean;
  samples(): readonly AppSample[];
  queues(): Promise<readonly { readonly queue: string; readonly waiting: number; readonly oldestMs: number }[]>;
  /** Whether every application has been looked at once. */
  hasLookedAtAll(): boolean;
  /** Lets work under way end, and writes nothing afterwards. */
  stop(): Promise<void>;
}

const sweepMs = 30_000;
const lookMs = 10 * 60_000;
const backoff = { baseMs: 1000, maxMs: 15 * 60_000 };

export async function startTerm({ parts, declarations, status, mayWrite, deletion, onVerdict, signal }: TermOptions): Promise<Term> {
  const { config, log, metrics, references } = parts;
  const looks = createMemoryQueue({ concurrency: config.looksAtOnce, backoff, log });
  const alerts = createAlertQueue(parts);
  const webhook = config.webhookUrl === undefined ? null : createWebhook(config.webhookUrl);
  const seen = new Map<string, Observed>();
  const verdicts = new Map<string, Verdict | null>();

  const queueAlerts = async (id: string): Promise<void> => {
    // A queue that is down costs time only: the outbox is in durable state, and the sweep tries again.
    await alerts?.add(id).catch((error: Error) => log.warn('alerts not queued yet', { application: id, reason: error.message }));
  };
  const observed = (application: Application, now: Observed): void => {
    parts.report.observed(application, now);
    const before = verdicts.get(application.id) ?? null;
    verdicts.set(application.id, now.verdict);
    seen.set(application.id, now);
    if (isDrift(now.verdict) && !isDrift(before)) metrics.driftDetected();
    if (nameOf(before) !== nameOf(now.verdict)) onVerdict?.(application, now, before);
  };
  const ports: Ports = {
    ...parts.ports,
    status,
    mayWrite,
    ...(deletion !== undefined && { deletion }),
    alerts: alerts === null ? null : { add: queueAlerts },
    report: {
      observed,
      synced(application, outcomes) {
        parts.report.synced(application, outcomes);
        for (const [type, some] of Map.groupBy(outcomes, (outcome) => outcome.type)) metrics.applied(type, some.length);
      },
    },
  };
  const controller = createController({
    ...{ ports, standings: parts.standings, queue: looks, clock: systemClock },
    pace: { intervalMs: config.intervalMs, sweepMs: config.sweepMs, lookMs },
    on: {
      triggered: (_id, trigger) => metrics.triggered(trigger),
      looked(id, { ms }) {
        metrics.looked(ms);
        log.debug('looked', { application: id, ms: Math.round(ms) });
      },
    },
  });

  const applications = declarations.all().flatMap(applicationIn);
  const read = applications.values();
  const readSome = async (): Promise<void> => {
    for (const { id } of read) verdicts.set(id, (await status.read(id)).verdict);
  };
  await Promise.all(Array.from({ length: config.looksAtOnce }, readSome));
  await warmUp(applications, { desired: ports.desired, cluster: ports.cluster, standings: parts.standings, status }, signal).catch((error: Error) => {
    signal.throwIfAborted();
    log.warn('not everything is at hand yet', { reason: error.message });
  });

  const refreshes = new Map(applications.map(({ id, refresh }) => [id, refresh]));
  const take = async (declared: Declared): Promise<void> => {
    const id = idOf(declared);
    const application = applicationIn(declared)[0];
    // Who asks for everything anew wants Git asked, too, before the answer.
    const isAsked = application !== undefined && refreshes.has(id) && refreshes.get(id) !== application.refresh;
    refreshes.set(id, application?.refresh);
    if (isAsked) await Promise.all(application.sources.map((source) => references.ask(source)));
    // What came meanwhile has been taken already.
    if (declarations.find(id) === declared) controller.declare(declared);
  };
  const ends = [
    declarations.onChange((change) => {
      if (change.type === 'declared') void take(change.declared);
      else {
        controller.withdraw(change.id);
        status.forget?.(change.id);
        for (const known of [seen, verdicts, refreshes]) known.delete(change.id);
      }
    }),
    parts.listen({
      liveChanged: (key) => controller.liveChanged(key),
      kindsChanged: () => controller.kindsChanged(),
      moved: ({ repository, revision }) => controller.moved((source) => source.repository === repository && source.revision === revision),
    }),
  ];
  alerts?.start(async (key, asking) => {
    // Whoever can write to Redis can put any name there: only our own mean anything.
    const application = applicationIn(declarations.find(key))[0];
    if (application === undefined || webhook === null) return;
    const destination: typeof webhook = {
      ...webhook,
      send: (event, sending) => webhook.send(event, sending).then(...counted(parts)),
    };
    await deliverAlerts(application, { status, destination, cluster: parts.context, signal: asking });
  });
  const sweep = setInterval(() => void sweepOutboxes().catch((error: Error) => log.error('sweep failed', { reason: error.message })), sweepMs);
  for (const declared of declarations.all()) controller.declare(declared);
  controller.start();

  /** Alerts that were recorded and not queued, because of a crash, a flush or an outage. */
  async function sweepOutboxes(): Promise<void> {
    for (const { id } of declarations.all().flatMap(applicationIn)) {
      const { outbox } = await status.read(id);
      if (outbox.length > 0) await queueAlerts(id);
    }
  }

  return {
    ask: (id) => controller.ask(id),
    samples: () => declarations.all().flatMap(applicationIn).map((application) => sampleOf(application, seen.get(application.id))),
    async queues() {
      const sample = async (queue: string, of: WorkQueue): Promise<{ queue: string; waiting: number; oldestMs: number }> => {
        const { waiting, oldestWaitingMs } = await of.stats();
        return { queue, waiting, oldestMs: oldestWaitingMs };
      };
      return Promise.all([sample('looks', looks), ...(alerts === null ? [] : [sample('alerts', alerts)])]);
    },
    hasLookedAtAll: () => declarations.all().every((declared) => declared.type === 'invalid' || seen.has(declared.application.id)),
    async stop() {
      clearInterval(sweep);
      for (const end of ends) end();
      await controller.stop();
      await alerts?.close();
      await webhook?.close();
    },
  };
}

function counted({ metrics }: Parts): readonly [() => void, (error: unknown) => never] {
  return [
    () => metrics.delivered('webhook', 'sent'),
    (error) => {
      metrics.delivered('webhook', 'failed');
      throw error;
    },
  ];
}

function applicationIn(declared: Declared | undefined): readonly Application[] {
  return declared?.type === 'application' ? [declared.application] : [];
}

function nameOf(verdict: Verdict | null): string {
  return verdict === null ? '' : `${verdict.status} ${'cause' in verdict ? verdict.cause : 'code' in verdict ? verdict.code : ''}`;
}

function isDrift(verdict: Verdict | null): boolean {
  return verdict?.status === 'OutOfSync' && verdict.cause !== 'git-ahead';
}

function sampleOf(application: Application, status: AppStatus | undefined): AppSample {
  const drifted = (status?.resources ?? []).filter(({ cause }) => cause !== undefined && cause !== 'git-ahead');
  const since = drifted.map((resource) => resource.since).toSorted()[0];
  const verdict = status?.verdict;
  return {
    namespace: application.namespace ?? '',
    app: application.name,
    status: verdict?.status ?? 'Unknown',
    cause: verdict?.status === 'OutOfSync' ? verdict.cause : '',
    mode: modeOf(application, systemClock.now()),
    repository: mainSource(application).repository,
    driftedSince: since === undefined ? undefined : new Date(since),
    drifted: drifted.length,
    checkedAt: typeof status?.checkedAt === 'string' ? new Date(status.checkedAt) : undefined,
  };
}

function createAlertQueue({ config: { webhookUrl, redisUrl }, log }: Parts): WorkQueue | null {
  if (webhookUrl === undefined) {
    if (redisUrl !== undefined) log.warn('--redis queues alerts, and there are none without --notify-webhook');
    return null;
  }
  const options = { concurrency: 1, backoff: { baseMs: 5000, maxMs: 6 * 3_600_000 }, log };
  return redisUrl === undefined ? createMemoryQueue(options) : createRedisQueue({ ...options, url: redisUrl, name: 'alerts' });
}
