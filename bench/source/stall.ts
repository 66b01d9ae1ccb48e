import { monitorEventLoopDelay } from 'node:perf_hooks';

/** The longest time that the event loop of this thread did not get its turn. */
export interface Stall {
  readonly ms: number;
  /** The longest time that the thread computed between two turns: what of it was its own doing, on a machine with other work. */
  readonly busyMs: number;
}

const resolutionMs = 1;

export async function withStall<T>(work: () => Promise<T>): Promise<{ readonly result: T; readonly stall: Stall }> {
  const delay = monitorEventLoopDelay({ resolution: resolutionMs });
  let busyMs = 0;
  let before = computedMs();
  const timer = setInterval(() => {
    const now = computedMs();
    busyMs = Math.max(busyMs, now - before);
    before = now;
  }, resolutionMs);
  // The first turn of a timer counts from here.
  delay.enable();
  try {
    const result = await work();
    // A stall at the very end shows at the next turn.
    await new Promise((resolve) => setTimeout(resolve, 2 * resolutionMs));
    return { result, stall: { ms: delay.max / 1e6, busyMs } };
  } finally {
    delay.disable();
    clearInterval(timer);
  }
}

function computedMs(): number {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1000;
}

export function worstOf(stalls: readonly Stall[]): Stall {
  return { ms: Math.max(...stalls.map(({ ms }) => ms)), busyMs: Math.max(...stalls.map(({ busyMs }) => busyMs)) };
}
