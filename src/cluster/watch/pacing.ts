/** How often and how patiently a watch asks. */
export interface WatchPacing {
  readonly pageSize: number;
  /** The server ends a watch after a random time of this range, so that many watches do not come back together. */
  readonly watchSeconds: { readonly min: number; readonly max: number };
  /**
   * A watch that shows not one byte for so long is dead, or so is the way to it. API servers send a bookmark every 60 to 75 s
   * on a watch where nothing happens.
   */
  readonly idleMs: number;
  /** How long after its end is due a watch may go on. */
  readonly overdueMs: number;
  readonly backoff: { readonly baseMs: number; readonly maxMs: number };
  /** The safety net: everything is listed anew this often, whatever the watches say. */
  readonly relistMs: number;
  /** What somebody has to allow or install first is tried again this often. */
  readonly slowRetryMs: number;
  /** What nobody has vouched for in so long is no longer shown. More than `idleMs`, or every dead connection is an outage. */
  readonly trustMs: number;
}

export const defaultPacing: WatchPacing = {
  pageSize: 500,
  watchSeconds: { min: 240, max: 300 },
  idleMs: 90_000,
  overdueMs: 30_000,
  backoff: { baseMs: 800, maxMs: 30_000 },
  relistMs: 6 * 3_600_000,
  slowRetryMs: 5 * 60_000,
  trustMs: 3 * 60_000,
};

/** Full jitter: anything from nothing to a limit that doubles with each failure in a row. `random` is in [0, 1). */
export function backoffMs({ baseMs, maxMs }: WatchPacing['backoff'], failures: number, random: () => number): number {
  return Math.ceil(random() * Math.min(maxMs, baseMs * 2 ** (failures - 1)));
}
