import { createHash } from 'node:crypto';

export interface SeenDeliveries {
  /** Does the work, unless it was done for that id already. What fails was not done, and may come again. */
  once(id: string, work: () => Promise<void>): Promise<'done' | 'seen'>;
}

interface SeenDeliveriesOptions {
  readonly limit: number;
  readonly forMs: number;
  readonly now: () => number;
}

/** Which deliveries were dealt with, the last `limit` of them and no longer than `forMs`. */
export function createSeenDeliveries({ limit, forMs, now }: SeenDeliveriesOptions): SeenDeliveries {
  // In the order in which they came, the oldest first. A repeat does not move one: it must not outlive others by it.
  const seen = new Map<string, number>();
  const underWay = new Map<string, Promise<void>>();

  function forgetOld(time: number): void {
    for (const [key, at] of seen) {
      // Either way: after the clock was set back, nothing is kept for longer than it should.
      if (seen.size <= limit && Math.abs(time - at) < forMs) return;
      seen.delete(key);
    }
  }

  return {
    async once(id, work) {
      // Senders choose the length of an id; here all take the same room.
      const key = createHash('sha256').update(id).digest('base64');
      forgetOld(now());
      if (seen.has(key)) return 'seen';
      const other = underWay.get(key);
      if (other !== undefined) {
        await other;
        return 'seen';
      }
      const run = work();
      underWay.set(key, run);
      try {
        await run;
        seen.set(key, now());
        forgetOld(now());
        return 'done';
      } finally {
        underWay.delete(key);
      }
    },
  };
}
