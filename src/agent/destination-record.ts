import type { DestinationSample, Log } from '../telemetry/index.ts';

interface Options {
  readonly now: () => Date;
  readonly log: Pick<Log, 'error' | 'info'>;
  readonly onTrouble: (name: string, state: { readonly since: Date; readonly why: string | undefined; readonly isOver: boolean }) => void;
}

interface Entry {
  lastSuccess?: Date;
  failingSince?: Date;
  isGone: boolean;
  isNamed: boolean;
}

// Shorter trouble is what retries are for.
const namedAfterMs = 15 * 60_000;

/** How it goes with each destination. One that fails for long is named once, until it works again. */
export function createDestinationRecord(names: readonly string[], { now, log, onTrouble }: Options): {
  attempted(name: string, result: 'sent' | 'failed', why: string | undefined): void;
  gone(name: string): void;
  samples(): readonly DestinationSample[];
} {
  const entries = new Map(names.map((name): [string, Entry] => [name, { isGone: false, isNamed: false }]));
  return {
    attempted(name, result, why) {
      const entry = entries.get(name);
      if (entry === undefined) return;
      const at = now();
      if (result === 'sent') {
        if (entry.isNamed && entry.failingSince !== undefined) {
          log.info('a destination works again', { destination: name });
          onTrouble(name, { since: entry.failingSince, why: undefined, isOver: true });
        }
        entries.set(name, { lastSuccess: at, isGone: entry.isGone, isNamed: false });
        return;
      }
      entry.failingSince ??= at;
      if (entry.isNamed || at.getTime() - entry.failingSince.getTime() < namedAfterMs) return;
      entry.isNamed = true;
      log.error('a destination has been failing for 15 minutes', { destination: name, since: entry.failingSince.toISOString(), reason: why });
      onTrouble(name, { since: entry.failingSince, why, isOver: false });
    },
    gone(name) {
      const entry = entries.get(name);
      if (entry !== undefined) entry.isGone = true;
    },
    samples: () => [...entries].map(([destination, { lastSuccess, failingSince, isGone }]) => ({ destination, lastSuccess, failingSince, isGone })),
  };
}
