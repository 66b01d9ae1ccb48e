import { Counter, Gauge, Histogram, Registry } from 'prom-client';

/** An application as metrics show it. */
export interface AppSample {
  readonly namespace: string;
  readonly app: string;
  readonly status: 'Synced' | 'OutOfSync' | 'Unknown';
  readonly cause: string;
  readonly mode: string;
  readonly repository: string;
  /** Since when the oldest drift; undefined where there is none. */
  readonly driftedSince: Date | undefined;
  readonly drifted: number;
  readonly checkedAt: Date | undefined;
}

export interface QueueSample {
  readonly queue: string;
  readonly waiting: number;
  readonly oldestMs: number;
}

/** So many alerts are at this point with a destination. */
export interface AlertSample {
  readonly destination: string;
  readonly state: 'firing' | 'waiting' | 'dead';
  readonly count: number;
}

export interface DestinationSample {
  readonly destination: string;
  readonly lastSuccess: Date | undefined;
  readonly failingSince: Date | undefined;
  /** It said that it will never take anything again. */
  readonly isGone: boolean;
}

/** What is looked up when somebody asks for the metrics. */
export interface Samples {
  readonly apps: () => readonly AppSample[];
  readonly queues: () => Promise<readonly QueueSample[]>;
  readonly alerts: () => Promise<readonly AlertSample[]>;
  readonly destinations: () => readonly DestinationSample[];
  readonly isLeader: () => boolean;
  readonly now: () => Date;
}

/** What the agent counts of its own work. */
export interface Metrics {
  gitListed(repository: string): void;
  gitFetched(repository: string, fetch: { readonly type: 'first' | 'incremental'; readonly bytes: number; readonly ms: number }): void;
  rendered(kind: string): void;
  parsed(files: number): void;
  looked(ms: number): void;
  triggered(trigger: string): void;
  driftDetected(): void;
  applied(result: 'applied' | 'pruned' | 'held' | 'failed', count: number): void;
  webhook(receiver: string, result: string): void;
  /** `afterMs`: since it was put on record, where it was sent. */
  delivered(destination: string, result: 'sent' | 'failed', afterMs?: number): void;
  /** From now on these are shown too. */
  sample(samples: Samples): void;
  readonly contentType: string;
  /** In Prometheus' text format. */
  text(): Promise<string>;
}

const deliveryBuckets = [0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 60, 600, 3600, 21_600];
const seconds = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30];

export function createMetrics(): Metrics {
  const registry = new Registry();
  const registers = [registry];
  const counter = (name: string, help: string, labelNames: readonly string[] = []): Counter => new Counter({ name, help, labelNames: [...labelNames], registers });
  const histogram = (name: string, help: string): Histogram => new Histogram({ name, help, buckets: seconds, registers });
  const listings = counter('setpoint_git_listings_total', 'References asked for at Git servers.', ['repository']);
  const fetches = counter('setpoint_git_fetches_total', 'Fetches from Git servers.', ['repository', 'type']);
  const fetchedBytes = counter('setpoint_git_fetched_bytes_total', 'Bytes received from Git servers by fetches.', ['repository']);
  const fetchSeconds = histogram('setpoint_git_fetch_duration_seconds', 'How long fetches took.');
  const renders = counter('setpoint_renders_total', 'Sources rendered because something they are made of changed.', ['kind']);
  const parsedFiles = counter('setpoint_parsed_files_total', 'Files parsed because no earlier result was at hand.');
  const looks = histogram('setpoint_compare_duration_seconds', 'How long looks at one application took.');
  const triggers = counter('setpoint_looks_wanted_total', 'Reasons to look at an application.', ['trigger']);
  const drifts = counter('setpoint_drift_detected_total', 'Applications that were found to have drifted.');
  const syncs = counter('setpoint_sync_total', 'Steps of syncs.', ['result']);
  const webhooks = counter('setpoint_webhook_requests_total', 'Incoming webhooks.', ['receiver', 'result']);
  const deliveries = counter('setpoint_alert_deliveries_total', 'Attempts to deliver alerts.', ['destination', 'result']);
  const deliverySeconds = new Histogram({ name: 'setpoint_alert_delivery_duration_seconds', help: 'From when a notification was put on record until it was delivered.', buckets: deliveryBuckets, registers });
  return {
    gitListed: (repository) => listings.inc({ repository }),
    gitFetched(repository, { type, bytes, ms }) {
      fetches.inc({ repository, type });
      fetchedBytes.inc({ repository }, bytes);
      fetchSeconds.observe(ms / 1000);
    },
    rendered: (kind) => renders.inc({ kind }),
    parsed: (files) => parsedFiles.inc(files),
    looked: (ms) => looks.observe(ms / 1000),
    triggered: (trigger) => triggers.inc({ trigger }),
    driftDetected: () => drifts.inc(),
    applied: (result, count) => syncs.inc({ result }, count),
    webhook: (receiver, result) => webhooks.inc({ receiver, result }),
    delivered(destination, result, afterMs) {
      deliveries.inc({ destination, result });
      if (afterMs !== undefined) deliverySeconds.observe(afterMs / 1000);
    },
    sample: (samples) => registerSamples(registry, samples),
    contentType: registry.contentType,
    text: () => registry.metrics(),
  };
}

/** Gauges are worked out when they are asked for: an application that is gone leaves nothing behind. */
function registerSamples(registry: Registry, { apps, queues, alerts, destinations, isLeader, now }: Samples): void {
  const gauge = ([name, help]: readonly [string, string], labelNames: readonly string[], collect: (set: Gauge) => void | Promise<void>): void => {
    const made: Gauge = new Gauge({
      ...{ name, help, labelNames: [...labelNames], registers: [registry] },
      async collect() {
        made.reset();
        await collect(made);
      },
    });
  };
  const each = (set: (app: AppSample, labels: { readonly namespace: string; readonly app: string }) => void): void => {
    for (const sample of apps()) set(sample, { namespace: sample.namespace, app: sample.app });
  };
  const perApp = ['namespace', 'app'];
  gauge(['setpoint_app_info', 'One for each application.'], [...perApp, 'mode', 'repository'], (it) => each(({ mode, repository }, labels) => it.set({ ...labels, mode, repository }, 1)));
  gauge(['setpoint_app_sync_status', 'One for the verdict that an application has.'], [...perApp, 'status'], (it) => each(({ status }, labels) => it.set({ ...labels, status }, 1)));
  gauge(['setpoint_drift_active', 'Resources that drifted.'], [...perApp, 'cause'], (it) => each(({ drifted, cause }, labels) => drifted > 0 && it.set({ ...labels, cause }, drifted)));
  gauge(['setpoint_drift_since_timestamp_seconds', 'Since when the oldest drift of an application.'], perApp, (it) =>
    each(({ driftedSince }, labels) => driftedSince && it.set(labels, driftedSince.getTime() / 1000)),
  );
  gauge(['setpoint_last_successful_compare_timestamp_seconds', 'When an application was last looked at.'], perApp, (it) =>
    each(({ checkedAt, status }, labels) => checkedAt && status !== 'Unknown' && it.set(labels, checkedAt.getTime() / 1000)),
  );
  gauge(['setpoint_app_observation_age_seconds', 'How long ago an application was last looked at.'], perApp, (it) =>
    each(({ checkedAt }, labels) => checkedAt && it.set(labels, Math.max(0, (now().getTime() - checkedAt.getTime()) / 1000))),
  );
  gauge(['setpoint_queue_depth', 'Keys that wait in a queue.'], ['queue'], async (it) => {
    for (const { queue, waiting } of await queues()) it.set({ queue }, waiting);
  });
  gauge(['setpoint_queue_oldest_job_seconds', 'How long the oldest key in a queue has been waiting.'], ['queue'], async (it) => {
    for (const { queue, oldestMs } of await queues()) it.set({ queue }, oldestMs / 1000);
  });
  gauge(['setpoint_alerts', 'Alerts by how far they got with a destination.'], ['destination', 'state'], async (it) => {
    for (const { destination, state, count } of await alerts()) it.set({ destination, state }, count);
  });
  gauge(['setpoint_alert_dead_letters', 'Notifications that were given up.'], ['destination'], async (it) => {
    for (const { destination } of destinations()) it.set({ destination }, 0);
    for (const { destination, state, count } of await alerts()) if (state === 'dead') it.set({ destination }, count);
  });
  gauge(['setpoint_alert_last_success_timestamp_seconds', 'When a destination last took a notification.'], ['destination'], (it) => {
    for (const { destination, lastSuccess } of destinations()) if (lastSuccess !== undefined) it.set({ destination }, lastSuccess.getTime() / 1000);
  });
  gauge(['setpoint_alert_destination_failing_since_timestamp_seconds', 'Since when a destination takes nothing.'], ['destination'], (it) => {
    for (const { destination, failingSince } of destinations()) if (failingSince !== undefined) it.set({ destination }, failingSince.getTime() / 1000);
  });
  gauge(['setpoint_alert_destination_gone', 'One for a destination that said it is gone.'], ['destination'], (it) => {
    for (const { destination, isGone } of destinations()) it.set({ destination }, isGone ? 1 : 0);
  });
  gauge(['setpoint_leader', 'Whether this agent leads.'], [], (it) => it.set(isLeader() ? 1 : 0));
}
