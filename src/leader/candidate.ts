import type { Log } from '../telemetry/index.ts';
import type { LeasePort } from './lease-port.ts';
import type { Outage } from './outage.ts';
import type { Sight } from './sight.ts';
import type { SetTimer } from './timer.ts';
import type { Timing } from './timing.ts';

/** One who wants the lease, and all that it needs to get and keep it. */
export interface Candidate {
  readonly identity: string;
  readonly timing: Timing;
  /** Each of its requests comes to an end. */
  readonly lease: LeasePort;
  readonly sight: Sight;
  readonly outage: Outage;
  readonly now: () => number;
  /** The time for a record: another one with each call. */
  readonly stamp: () => string;
  readonly setTimer: SetTimer;
  readonly random: () => number;
  readonly log: Pick<Log, 'info' | 'warn'>;
}
