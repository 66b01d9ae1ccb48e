import { SetpointError } from '../model/index.ts';
import type { Log } from '../telemetry/index.ts';
import { boundLease } from './bound-lease.ts';
import { campaign } from './campaign.ts';
import type { Candidate } from './candidate.ts';
import { keepTerm } from './keep-term.ts';
import type { LeasePort } from './lease-port.ts';
import { createOutage } from './outage.ts';
import { releaseLease } from './release-lease.ts';
import { createSight } from './sight.ts';
import { createStamp } from './stamp.ts';
import { createTerm, type LossReason, type Term } from './term.ts';
import type { SetTimer } from './timer.ts';
import { answerMs, checkTiming, defaultTiming, type Timing } from './timing.ts';

export type Standing =
  /** `validUntil`: by the injected clock; later with each renewal. */
  | { readonly type: 'leader'; readonly epoch: number; readonly validUntil: number }
  | { readonly type: 'standby'; readonly holder?: string };

export interface Election {
  start(): void;
  /** Ends a term, gives the lease back if it can, and lets go of everything. Whoever led has stopped writing before. */
  stop(): Promise<void>;
  state(): Standing;
  /** To be asked right before each write. No timer is behind it: it holds also in the first moment after a pause. */
  mayWrite(): boolean;
}

export interface ElectionOptions {
  readonly lease: LeasePort;
  /** Of this process alone: no other one, and none before it, has had it. */
  readonly identity: string;
  readonly timing?: Timing;
  /** Milliseconds on a clock that only goes forward, also while the process is stopped. */
  readonly now: () => number;
  /** For people, in the record. */
  readonly time: () => Date;
  readonly setTimer: SetTimer;
  readonly random: () => number;
  readonly on: {
    /** `fence` is aborted when the term is over. Epochs grow from term to term, whoever leads. */
    elected(epoch: number, fence: AbortSignal): void;
    lost(reason: LossReason): void;
    /** Who holds the lease now, ourselves included; undefined: nobody. */
    observed(holder: string | undefined): void;
  };
  readonly log: Pick<Log, 'info' | 'warn'>;
}

/**
 * Leads when the lease is ours. Of all that use the same lease at most one may write at any moment, whatever is delayed or lost,
 * as long as their clocks go at the same rate.
 */
export function createElection(options: ElectionOptions): Election {
  const { identity, timing = defaultTiming, now, time, setTimer, random, on, log } = options;
  checkTiming(timing);
  if (identity === '') throw new SetpointError('Usage', 'A candidate for a lease needs an identity; the empty one means that nobody holds it.');
  const candidate: Candidate = {
    ...{ identity, timing, now, setTimer, random, log },
    lease: boundLease(options.lease, { limitMs: answerMs(timing), setTimer }),
    sight: createSight({ identity, leaseMs: timing.leaseMs, now, onHolder: (holder) => on.observed(holder) }),
    outage: createOutage(log),
    stamp: createStamp(time),
  };
  const stopping = new AbortController();
  let term: Term | undefined;
  let running: Promise<void> | undefined;
  let stopped: Promise<void> | undefined;

  const lead = async (won: Pick<Term, 'record'> & { readonly renewedAt: number }): Promise<void> => {
    const epoch = won.record.transitions;
    const onEnd = (reason: LossReason): void => {
      candidate.sight.termOver();
      log.info('no longer the leader', { identity, epoch, reason });
      on.lost(reason);
    };
    term = createTerm({ ...won, timing, now, setTimer, onEnd });
    log.info('became the leader', { identity, epoch });
    on.elected(epoch, term.fence);
    await keepTerm(candidate, term);
  };

  const run = async (): Promise<void> => {
    for (;;) {
      const won = await campaign(candidate, stopping.signal);
      if (won === undefined) return;
      await lead(won);
    }
  };

  const letGo = async (): Promise<void> => {
    stopping.abort();
    term?.end('stopped');
    await running;
    if (!candidate.sight.mayBeOwn()) return;
    const late = new AbortController();
    const cancel = setTimer(() => late.abort(new SetpointError('ClusterUnreachable', 'there was no time left for it')), answerMs(timing));
    await releaseLease(candidate, late.signal);
    cancel();
  };

  return {
    start() {
      if (running !== undefined || stopped !== undefined) throw new SetpointError('Internal', 'An election is started once.');
      running = run();
    },
    stop() {
      stopped ??= letGo();
      return stopped;
    },
    state() {
      if (term?.isValid() === true) return { type: 'leader', epoch: term.epoch, validUntil: term.validUntil };
      const holder = candidate.sight.holder();
      return holder === undefined ? { type: 'standby' } : { type: 'standby', holder };
    },
    mayWrite: () => term?.isValid() === true,
  };
}
