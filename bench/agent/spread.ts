import { inMs, median } from '../source/timing.ts';

/** The middle and the end of measured times. */
export interface Spread {
  readonly p50: number;
  readonly p99: number;
}

export function spreadOf(times: readonly number[]): Spread {
  const sorted = times.toSorted((a, b) => a - b);
  const p99 = sorted[Math.ceil(sorted.length * 0.99) - 1];
  if (p99 === undefined) throw new Error('nothing was measured');
  return { p50: median(times), p99 };
}

export function spreadText({ p50, p99 }: Spread): string {
  return `p50 ${inMs(p50)}, p99 ${inMs(p99)}`;
}

export function inMebibytes(bytes: number): string {
  return `${(bytes / 2 ** 20).toFixed(0)} MiB`;
}
