import type { SetTimer } from './ports.ts';

/** Time and chance, for flow code: real ones in the agent, simulated ones in tests. */
export interface Clock {
  readonly now: () => Date;
  /** Milliseconds on a clock that only goes forward. */
  readonly monotonic: () => number;
  readonly setTimer: SetTimer;
  /** In [0, 1). */
  readonly random: () => number;
}
