import type { LeaseRecord } from './lease-port.ts';
import { freeAt, observe, type Observation } from './observation.ts';
import { marginMs } from './timing.ts';

/** What this candidate knows of the lease. */
export interface Sight {
  /** Takes in what was just read or written. */
  saw(record: LeaseRecord | undefined): Observation;
  /** A term of this number was asked for; whether it was granted may never be known. */
  tried(epoch: number): void;
  /** We have led and no longer do. */
  termOver(): void;
  /** Whether this process wrote it. One that had the same name before us, or by mistake beside us, is somebody else. */
  isOwn(record: LeaseRecord): boolean;
  /** Whether the lease may be ours, for all we know. */
  mayBeOwn(): boolean;
  /** Until the lease may be taken; 0 or less: now. */
  freeInMs(): number;
  holder(): string | undefined;
}

interface SightOptions {
  readonly identity: string;
  readonly leaseMs: number;
  readonly now: () => number;
  /** The lease has another holder than at the last look, or none. */
  readonly onHolder: (holder: string | undefined) => void;
}

export function createSight({ identity, leaseMs, now, onHolder }: SightOptions): Sight {
  let observation: Observation | undefined;
  let epochTried: number | undefined;
  let ownFreeAt = Number.NEGATIVE_INFINITY;
  const holder = (): string | undefined => observation?.record?.holder || undefined;
  const isOwn = (record: LeaseRecord): boolean => record.holder === identity && record.transitions === epochTried;
  return {
    saw(record) {
      const before = holder();
      observation = observe(observation, { record, at: now(), leaseMs });
      if (holder() !== before) onHolder(holder());
      return observation;
    },
    tried(epoch) {
      epochTried = epoch;
    },
    termOver() {
      // A write of that term may still be on its way, and must not arrive after one of our next term.
      ownFreeAt = now() + marginMs;
    },
    isOwn,
    mayBeOwn: () => epochTried !== undefined,
    freeInMs() {
      if (observation === undefined) return 0;
      const { record } = observation;
      return (record !== undefined && isOwn(record) ? ownFreeAt : Math.max(ownFreeAt, freeAt(observation))) - now();
    },
    holder,
  };
}
