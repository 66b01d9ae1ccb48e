import type { Log } from '../telemetry/index.ts';

/** Tells people when the lease cannot be used: once for each reason, of which there may be a few, and once when it is over. */
export interface Outage {
  goesOn(error: unknown): void;
  isOver(): void;
}

const mostReasons = 5;

export function createOutage(log: Pick<Log, 'info' | 'warn'>): Outage {
  const told = new Set<string>();
  return {
    goesOn(error) {
      const reason = error instanceof Error ? error.message : String(error);
      if (told.has(reason) || told.size === mostReasons) return;
      told.add(reason);
      log.warn('lease cannot be used', { reason });
    },
    isOver() {
      if (told.size > 0) log.info('lease can be used again');
      told.clear();
    },
  };
}
