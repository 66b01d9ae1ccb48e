import { isOfDelivery } from '../alert/index.ts';
import { driftIn, mainSource, modeOf, type Application, type AppStatus, type ResourceKey, type Verdict } from '../model/index.ts';
import { createMemoryQueue, type WorkQueue } from '../queue/index.ts';
import { createController, warmUp, type Declared, type Observed, type Ports } from '../reconcile/index.ts';
import type { AlertSample, AppSample, DestinationSample } from '../telemetry/index.ts';
import type { Alerting, SilenceSource } from './alerting.ts';
import { createAskGitFirst } from './ask-git-first.ts';
import { systemClock } from './clock.ts';
import type { Declarations } from './declarations.ts';
import type { Parts } from './parts.ts';

export interface TermOptions {
  readonly parts: Parts;
  readonly declarations: Declarations;
  readonly status: Ports['status'] & { forget?(id: string): void };
  readonly silences: SilenceSource;
  readonly mayWrite: () => void;
  readonly deletion?: Ports['deletion'];
  /** Told of each verdict that is another one than before. */
  readonly onVerdict?: (application: Application, status: Observed, before: Verdict | null) => void;
  /** Told of what a deleted application leaves, though it asked for it to go. */
  readonly onLeft?: (application: Application, left: readonly ResourceKey[]) => void;
  readonly signal: AbortSignal;
}

/** The time in which this process is the one that looks and writes. */
export interface Term {
  /** Looks at it now, though nothing says that anything is new. False where there is no such application. */
  ask(id: string): boolean;
  /** Those whose records are worth nothing, and it could not be recorded. */
  unrecorded(): readonly string[];
  samples(): readonly AppSample[];
  /** For how long looks have been waited for, and none has ended. */
  stuckMs(): Promise<number>;
  /** Without those that cannot be asked now. */
  queues(): Promise<readonly { readonly queue: string; readonly waiting: number; readonly oldestMs: number }[]>;
  alerts(): Promise<readonly AlertSample[]>;
  destinations(): readonly DestinationSample[];
  /** Whether every application has been looked at once, or waits for its Git server. It stays so: one that is new later is not what others wait for. */
  hasLookedAtAll(): boolean;
  /** Lets work under way end, and writes nothing afterwards. */
  stop(): Promise<void>;
}

/** No look takes longer. */
export const lookMs = 10 * 60_000;
const backoff = { baseMs: 1000, maxMs: 15 * 60_000 };

export async function startTerm({ parts, declarations, status, silences, mayWrite, deletion, onVerdict, onLeft, signal }: TermOptions): Promise<Term> {
  const { config, log, metrics, references } = parts;
  // Who led before may have deployed what no poll of ours has seen yet: from what we know, that would be undone.
  references.doubt();
  const looks = createMemoryQueue({ concurrency: config.looksAtOnce, backoff, log });
  const seen = new Map<string, Observed>();
  const waitsForGit = new Set<string>();
  let hasLookedAtAll = false;
  let lastEnd = systemClock.monotonic();
  const verdicts = new Map<string, Verdict | null>();

  const observed = (application: Application, now: Observed): void => {
    parts.report.observed(application, now);
    const before = verdicts.get(application.id) ?? null;
    verdicts.set(application.id, now.verdict);
    seen.set(application.id, now);
    alerting?.noticed(application.id);
    if (isDrift(now.verdict) && !isDrift(before)) metrics.driftDetected();
    if (nameOf(before) !== nameOf(now.verdict)) onVerdict?.(application, now, before);
  };
  const ports: Ports = {
    ...parts.ports,
    status,
    mayWrite,
    ...(deletion !== undefined && { deletion }),
    ...(config.scope.type === 'cluster' && { agentNamespace: config.scope.agentNamespace }),
    report: {
      observed,
      synced(application, outcomes) {
        parts.report.synced(application, outcomes);
        for (const [type, some] of Map.groupBy(outcomes, (outcome) => outcome.type)) metrics.applied(type, some.length);
      },
      left(application, rest) {
        parts.report.left?.(application, rest);
        onLeft?.(application, rest.left);
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
      waits: (id) => void waitsForGit.add(id),
      ended: () => void (lastEnd = systemClock.monotonic()),
    },
  });

  const applications = declarations.all().flatMap(applicationIn);
  const read = applications.values();
  let hasTold = false;
  const unread: Error[] = [];
  const readSome = async (): Promise<void> => {
    for (const { id } of read) {
      const known = await status.read(id).catch((error: Error) => void unread.push(error));
      signal.throwIfAborted();
      verdicts.set(id, known?.verdict ?? null);
      // Of what cannot be read somebody may have been told.
      if (known === undefined || known.alerts.length > 0 || known.conditions.some(isOfDelivery)) hasTold = true;
    }
  };
  await Promise.all(Array.from({ length: config.looksAtOnce }, readSome));
  // Their looks ask again.
  if (unread.length > 0) log.warn('some statuses cannot be read yet', { applications: unread.length, reason: unread[0]?.message });
  await warmUp(applications, { desired: ports.desired, cluster: ports.cluster, standings: parts.standings, status }, signal).catch((error: Error) => {
    signal.throwIfAborted();
    log.warn('not everything is at hand yet', { reason: error.message });
  });

  const alerting = await startTelling();
  const askGit = createAskGitFirst(applications, references);
  const take = async (declared: Declared): Promise<void> => {
    const [application] = applicationIn(declared);
    const asked = application === undefined ? undefined : askGit.before(application);
    if (asked !== undefined) {
      controller.declare({ type: 'application', application: asked.meanwhile });
      await asked.answer;
    }
    // What came meanwhile is taken by itself.
    if (declarations.find(declared.application.id) === declared) controller.declare(declared);
  };
  const ends = [
    declarations.onChange((change) => {
      if (change.type === 'declared') void take(change.declared);
      else {
        controller.withdraw(change.id);
        status.forget?.(change.id);
        askGit.forget(change.id);
        for (const known of [seen, verdicts, waitsForGit]) known.delete(change.id);
      }
    }),
    parts.listen({
      liveChanged: (key) => controller.liveChanged(key),
      kindsChanged: () => controller.kindsChanged(),
      moved: ({ repository, revision }) => controller.moved((source) => source.repository === repository && source.revision === revision),
    }),
  ];
  for (const declared of declarations.all()) controller.declare(declared);
  controller.start();

  /** Where there is nobody to tell, nothing of what it takes is loaded, unless there was somebody: what is on record as firing would be so for ever. */
  async function startTelling(): Promise<Alerting | undefined> {
    if (config.alerting.destinations.length > 0 || hasTold) {
      const { startAlerting } = await import('./alerting.ts');
      return startAlerting({ ...{ parts, store: status, silences, mayWrite, signal }, applications: () => declarations.all().map(({ application }) => application) });
    }
    if (config.redisUrl !== undefined) log.warn('--redis queues alerts, and there are none without a destination');
    return undefined;
  }

  return {
    ask: (id) => controller.ask(id),
    unrecorded: () => controller.unrecorded(),
    samples: () => declarations.all().map(({ application }) => sampleOf(application, seen.get(application.id))),
    stuckMs: async () => Math.min((await looks.stats()).oldestWaitingMs, systemClock.monotonic() - lastEnd),
    async queues() {
      const sample = async (queue: string, of: WorkQueue): Promise<{ queue: string; waiting: number; oldestMs: number }> => {
        const { waiting, oldestWaitingMs } = await of.stats();
        return { queue, waiting, oldestMs: oldestWaitingMs };
      };
      const asked = await Promise.allSettled([sample('looks', looks), ...[...(alerting?.queues ?? [])].map(([name, queue]) => sample(`alerts-${name}`, queue))]);
      return asked.flatMap((each) => (each.status === 'fulfilled' ? [each.value] : []));
    },
    alerts: async () => (await alerting?.alerts()) ?? [],
    destinations: () => alerting?.destinations() ?? [],
    hasLookedAtAll() {
      hasLookedAtAll ||= declarations.all().every(({ type, application: { id } }) => type === 'invalid' || seen.has(id) || waitsForGit.has(id));
      return hasLookedAtAll;
    },
    async stop() {
      for (const end of ends) end();
      await controller.stop();
      await alerting?.stop();
    },
  };
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
  const drift = status === undefined ? undefined : driftIn(status);
  const verdict = status?.verdict;
  return {
    namespace: application.namespace ?? '',
    app: application.name,
    status: verdict?.status ?? 'Unknown',
    cause: verdict?.status === 'OutOfSync' ? verdict.cause : '',
    mode: modeOf(application, systemClock.now()),
    // One that cannot be read has none.
    repository: application.sources.length === 0 ? '' : mainSource(application).repository,
    driftedSince: drift?.since === undefined ? undefined : new Date(drift.since),
    drifted: drift?.count ?? 0,
    checkedAt: typeof status?.checkedAt === 'string' ? new Date(status.checkedAt) : undefined,
  };
}
