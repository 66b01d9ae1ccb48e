import { setImmediate as turn } from 'node:timers/promises';

export interface Rate {
  /** Per second of the clock and core of this process: its own helpers (garbage collection, compilation) are no second core for free. */
  readonly perSecond: number;
  /** Cores that this process kept busy meanwhile. */
  readonly cores: number;
}

interface RateOptions {
  /** Does some of the work and tells how much. */
  readonly work: () => Promise<number>;
  readonly measureMs: number;
  readonly signal: AbortSignal;
}

const runs = 3;

export function rateOf(done: number, { elapsedMs, cpuMs }: { readonly elapsedMs: number; readonly cpuMs: number }): Rate {
  const cores = cpuMs / elapsedMs;
  return { perSecond: ((done / elapsedMs) * 1000) / Math.max(1, cores), cores };
}

/** The median of three runs, after a warm-up. */
export async function measureRate({ work, measureMs, signal }: RateOptions): Promise<Rate> {
  const measure = async (forMs: number): Promise<Rate> => {
    const [start, cpu] = [performance.now(), process.cpuUsage()];
    let done = 0;
    while (performance.now() - start < forMs) {
      done += await work();
      // Lets a signal through.
      await turn();
      signal.throwIfAborted();
    }
    const elapsedMs = performance.now() - start;
    const { user, system } = process.cpuUsage(cpu);
    return rateOf(done, { elapsedMs, cpuMs: (user + system) / 1000 });
  };
  await measure(measureMs / 2);
  const measured: Rate[] = [];
  for (let run = 0; run < runs; run++) measured.push(await measure(measureMs));
  const [, median] = measured.toSorted((a, b) => a.perSecond - b.perSecond);
  if (median === undefined) throw new Error('nothing was measured');
  return median;
}
