import { SetpointError } from '../model/index.ts';
import type { LeaseRecord } from './lease-port.ts';
import type { SetTimer } from './timer.ts';
import { lostAt, validUntil, type Timing } from './timing.ts';

/** `expired`: it could not be renewed in time. `taken`, `deleted`: somebody else did that to the lease. */
export type LossReason = 'expired' | 'taken' | 'deleted' | 'stopped';

/** The time in which this process leads. Over once, for good. */
export interface Term {
  readonly epoch: number;
  /** Aborted when the term is over. */
  readonly fence: AbortSignal;
  readonly record: LeaseRecord;
  readonly validUntil: number;
  /** Asks the clock: a process that was paused finds out before any of its timers has fired. */
  isValid(): boolean;
  renewed(record: LeaseRecord, renewedAt: number): void;
  end(reason: LossReason): void;
}

interface TermOptions {
  readonly record: LeaseRecord;
  readonly renewedAt: number;
  readonly timing: Timing;
  readonly now: () => number;
  readonly setTimer: SetTimer;
  readonly onEnd: (reason: LossReason) => void;
}

export function createTerm({ timing, now, setTimer, onEnd, ...first }: TermOptions): Term {
  const fence = new AbortController();
  let { record, renewedAt } = first;
  let giveUpAt = 0;
  let disarm = (): void => undefined;

  const isValid = (): boolean => !fence.signal.aborted && now() < validUntil(renewedAt, timing);
  const end = (reason: LossReason): void => {
    if (fence.signal.aborted) return;
    disarm();
    fence.abort(new SetpointError('Internal', `this agent no longer leads (term ${record.transitions}: ${reason})`));
    onEnd(reason);
  };
  const arm = (): void => {
    disarm();
    disarm = setTimer(timeIsUp, Math.max(0, giveUpAt - now()));
  };
  // Timers may fire early, so that the clock is asked once more.
  const timeIsUp = (): void => {
    if (now() >= giveUpAt) end('expired');
    else arm();
  };
  const goOn = (): void => {
    giveUpAt = lostAt(renewedAt, now(), timing);
    arm();
  };
  goOn();
  return {
    epoch: record.transitions,
    fence: fence.signal,
    get record() {
      return record;
    },
    get validUntil() {
      return validUntil(renewedAt, timing);
    },
    isValid,
    renewed(newRecord, at) {
      // A term that ran out while the answer was on its way is not brought back by it.
      if (!isValid()) {
        end('expired');
        return;
      }
      [record, renewedAt] = [newRecord, at];
      goOn();
    },
    end,
  };
}
