import { createDelivery } from './delivery.ts';
import type { DispatchPorts } from './ports.ts';
import { createRounds } from './rounds.ts';
import type { AlertSettings } from './settings.ts';

/** Tells people. What it does is on record before it is done, so that it can be stopped at any moment and goes on where it was. */
export interface Dispatcher {
  /** The status of this application has become another one. */
  noticed(id: string): void;
  /** Destinations to which nothing more is sent. */
  disabled(): readonly string[];
  /** Lets what is being sent end, for a moment. */
  stop(): Promise<void>;
}

// Verdicts that change together are told together, and their own writes come first.
const gatherMs = 200;
// What was not queued because of an outage, a flush or a crash is found by this.
const sweepMs = 30_000;
// Cut off at once, what is being sent would be sent a second time by whoever comes next.
const partingMs = 3000;

export function startDispatcher(settings: AlertSettings, ports: DispatchPorts): Dispatcher {
  const { clock, queues, report } = ports;
  const disabled = new Set<string>();
  const rounds = createRounds(settings, ports, () => [...disabled]);
  const deliver = createDelivery(settings, ports, { disabled: () => [...disabled], disable: (name) => void disabled.add(name) });
  const news = new Set<string>();
  const stopping = new AbortController();
  const parting = new AbortController();
  let timer: { readonly at: number; readonly cancel: () => void } | undefined;
  let running: Promise<void> = Promise.resolve();
  let isRunning = false;

  for (const [destination, queue] of queues) {
    queue.start(async (key) => {
      if (stopping.signal.aborted) return;
      const isNews = await deliver(destination, key, parting.signal);
      if (isNews) wake(0);
    });
  }
  wake(0);

  /** At most one round at a time, and the next one no later than this. */
  function wake(delayMs: number): void {
    if (stopping.signal.aborted) return;
    const at = clock.now().getTime() + delayMs;
    if (timer !== undefined && timer.at <= at) return;
    timer?.cancel();
    timer = {
      at,
      cancel: clock.setTimer(() => {
        timer = undefined;
        if (isRunning) wake(gatherMs);
        else running = round();
      }, delayMs),
    };
  }

  async function round(): Promise<void> {
    isRunning = true;
    const changed = [...news];
    news.clear();
    try {
      const { nextAt, isWhole } = await rounds(new Set(changed), stopping.signal);
      const untilMs = nextAt === null ? sweepMs : Math.max(0, nextAt.getTime() - clock.now().getTime());
      wake(Math.min(isWhole ? sweepMs : gatherMs * 5, untilMs));
    } catch (error) {
      for (const id of changed) news.add(id);
      if (!stopping.signal.aborted) report.hindered('alerts were not worked out', error as Error);
      wake(sweepMs / 10);
    } finally {
      isRunning = false;
    }
  }

  return {
    noticed(id) {
      news.add(id);
      wake(gatherMs);
    },
    disabled: () => [...disabled],
    async stop() {
      stopping.abort();
      timer?.cancel();
      const cancel = clock.setTimer(() => parting.abort(), partingMs);
      await Promise.all([running, ...[...queues.values()].map((queue) => queue.close())]);
      cancel();
    },
  };
}
