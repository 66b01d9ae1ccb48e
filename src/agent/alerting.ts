import { randomUUID } from 'node:crypto';
import type { Alerting as AlertingConfig } from '../config/index.ts';
import { startDispatcher, type AlertStore } from '../dispatch/index.ts';
import type { Application, Silence } from '../model/index.ts';
import { createDestination, createHttp, readSecret } from '../notify/index.ts';
import { createMemoryQueue, createRedisQueue, type WorkQueue } from '../queue/index.ts';
import type { AlertSample, DestinationSample } from '../telemetry/index.ts';
import { systemClock } from './clock.ts';
import { createDestinationRecord } from './destination-record.ts';
import type { Parts } from './parts.ts';
import { followSilences } from './silences.ts';
import { tellOthers } from './tell-others.ts';

/** Where silences are kept. */
export interface SilenceSource {
  read(signal: AbortSignal): Promise<readonly Silence[]>;
}

interface AlertingOptions {
  readonly parts: Parts;
  readonly store: AlertStore;
  readonly applications: () => readonly Application[];
  readonly silences: SilenceSource;
  readonly mayWrite: () => void;
  readonly signal: AbortSignal;
}

/** People are told what happens, while this process is the one that looks and writes. */
export interface Alerting {
  noticed(id: string): void;
  readonly queues: ReadonlyMap<string, WorkQueue>;
  alerts(): Promise<readonly AlertSample[]>;
  destinations(): readonly DestinationSample[];
  stop(): Promise<void>;
}

const backoff = { baseMs: 5000, maxMs: 15 * 60_000 };
// What a process that was killed had taken can be taken again within two of these. A running one renews its hold all the time.
const lockMs = 5000;

export async function startAlerting({ parts, store, applications, silences, mayWrite, signal }: AlertingOptions): Promise<Alerting> {
  const { config, log, metrics } = parts;
  const { alerting, redisUrl } = config;
  const http = createHttp({ allowPrivate: alerting.allowPrivate });
  const destinations = destinationsOf(alerting, parts, http);
  const queueFor = (name: string): WorkQueue => (redisUrl === undefined ? createMemoryQueue({ concurrency: 1, backoff, log }) : createRedisQueue({ concurrency: 1, backoff, log, lockMs, url: redisUrl, name: `alerts-${name}` }));
  const queues = new Map([...destinations.keys()].map((name) => [name, queueFor(name)]));
  const record = createDestinationRecord([...destinations.keys()], { clock: systemClock, log, onTrouble: tellOthers({ destinations, cluster: parts.clusterName, now: systemClock.now, signal, log }) });
  const silenced = await followSilences(silences, { log, signal, setTimer: systemClock.setTimer });
  const dispatcher = startDispatcher(alerting, {
    ...{ store, applications, destinations, queues, mayWrite, newId: () => randomUUID(), clock: systemClock, cluster: parts.clusterName },
    silences: silenced.all,
    report: {
      attempted(destination, result, { notification, why, afterMs }) {
        metrics.delivered(destination, result, afterMs);
        record.attempted(destination, result, why);
        if (result === 'failed') log.warn('a notification was not delivered', { destination, notification, reason: why });
        else log.info('a notification was delivered', { destination, notification });
      },
      gone(destination, why) {
        record.gone(destination);
        log.error('a destination is gone: nothing more is sent there', { destination, reason: why });
      },
      hindered: (what, error) => log.warn(what, { reason: error.message }),
    },
  });
  return {
    noticed: (id) => dispatcher.noticed(id),
    queues,
    destinations: record.samples,
    async alerts() {
      const samples = new Map<string, { destination: string; state: AlertSample['state']; count: number }>();
      const count = (destination: string, state: AlertSample['state']): void => {
        const key = `${state} ${destination}`;
        samples.set(key, { destination, state, count: (samples.get(key)?.count ?? 0) + 1 });
      };
      for (const { id } of applications()) {
        for (const { deliveries, resolvedAt } of (await store.read(id)).alerts) {
          for (const [destination, { claim, dead, toldState }] of Object.entries(deliveries)) {
            // One that is not there any more is told nothing, and fails nobody.
            if (!destinations.has(destination)) continue;
            if (dead !== undefined) count(destination, 'dead');
            if (claim !== undefined) count(destination, 'waiting');
            else if (toldState === 'firing' && resolvedAt === null) count(destination, 'firing');
          }
        }
      }
      return [...samples.values()];
    },
    async stop() {
      silenced.close();
      record.close();
      await dispatcher.stop();
      await Promise.all([...destinations.values()].map((destination) => destination.close()));
      await http.close();
    },
  };
}

function destinationsOf({ destinations }: AlertingConfig, { log }: Parts, http: ReturnType<typeof createHttp>): ReadonlyMap<string, ReturnType<typeof createDestination>> {
  const deps = {
    ...{ http, readSecret, now: systemClock.now },
    onTemplateFailed: ({ destination, template, why }: { readonly destination: string; readonly template: string; readonly why: string }) => log.warn('a template cannot be used: the built-in text was sent', { destination, template, reason: why }),
  };
  return new Map(destinations.map((config) => [config.name, createDestination(config, deps)]));
}
