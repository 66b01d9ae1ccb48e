import { namedAfterMs } from '../alert/index.ts';
import type { Clock } from '../reconcile/index.ts';
import type { DestinationSample, Log } from '../telemetry/index.ts';

interface Options {
  readonly clock: Pick<Clock, 'now' | 'setTimer'>;
  readonly log: Pick<Log, 'error' | 'info'>;
  readonly onTrouble: (name: string, state: { readonly since: Date; readonly why: string | undefined; readonly isOver: boolean }) => void;
}

interface Entry {
  lastSuccess?: Date;
  failing?: Failing;
  isGone: boolean;
}

interface Failing {
  readonly since: Date;
  attempts: number;
  why: string | undefined;
  isNamed: boolean;
  readonly cancel: () => void;
}

// A message that is refused for what it says is no failing destination.
const fewestAttempts = 3;

/** How it goes with each destination. One that fails for long is named once, until it works again. */
export function createDestinationRecord(names: readonly string[], { clock, log, onTrouble }: Options): {
  attempted(name: string, result: 'sent' | 'failed', why: string | undefined): void;
  gone(name: string): void;
  samples(): readonly DestinationSample[];
  close(): void;
} {
  const entries = new Map(names.map((name): [string, Entry] => [name, { isGone: false }]));

  function begin(name: string): Failing {
    // The next attempt may be half an hour away.
    const failing: Failing = { since: clock.now(), attempts: 0, why: undefined, isNamed: false, cancel: clock.setTimer(() => announce(name, failing), namedAfterMs) };
    return failing;
  }

  function announce(name: string, failing: Failing): void {
    const { since, attempts, why, isNamed } = failing;
    if (isNamed || attempts < fewestAttempts || clock.now().getTime() - since.getTime() < namedAfterMs) return;
    failing.isNamed = true;
    log.error('a destination has been failing for 15 minutes', { destination: name, since: since.toISOString(), reason: why });
    onTrouble(name, { since, why, isOver: false });
  }

  return {
    attempted(name, result, why) {
      const entry = entries.get(name);
      if (entry === undefined) return;
      if (result === 'failed') {
        entry.failing ??= begin(name);
        Object.assign(entry.failing, { why, attempts: entry.failing.attempts + 1 });
        announce(name, entry.failing);
        return;
      }
      const { failing, isGone } = entry;
      entries.set(name, { lastSuccess: clock.now(), isGone });
      failing?.cancel();
      if (failing?.isNamed !== true) return;
      log.info('a destination works again', { destination: name });
      onTrouble(name, { since: failing.since, why: undefined, isOver: true });
    },
    gone(name) {
      const entry = entries.get(name);
      if (entry !== undefined) entry.isGone = true;
    },
    samples: () => [...entries].map(([destination, { lastSuccess, failing, isGone }]) => ({ destination, lastSuccess, failingSince: failing !== undefined && failing.attempts >= fewestAttempts ? failing.since : undefined, isGone })),
    close() {
      for (const { failing } of entries.values()) failing?.cancel();
    },
  };
}
