import type { Destination } from '../model/index.ts';
import type { SetTimer } from './deadline.ts';

export interface Pace {
  readonly perSecond: number;
  readonly setTimer: SetTimer;
}

/** The destination, asked no more often than that. Whoever comes too early waits for a turn. */
export function paced(destination: Destination, { perSecond, setTimer }: Pace): Destination {
  let turn: Promise<void> = Promise.resolve();
  return {
    ...destination,
    async send(notification, signal) {
      const mine = turn;
      const { promise: next, resolve: free } = Promise.withResolvers<void>();
      turn = next;
      await endOf(mine, signal);
      if (signal.aborted) {
        // The turn was not used: who waits behind takes it.
        void mine.then(free);
        return { type: 'retry', why: `${destination.name} was not asked: sending was stopped` };
      }
      setTimer(free, 1000 / perSecond);
      return destination.send(notification, signal);
    },
  };
}

/** Of the work, or of the wish for it. */
async function endOf(work: Promise<void>, signal: AbortSignal): Promise<void> {
  const { promise: stopped, resolve: stop } = Promise.withResolvers<void>();
  const onAbort = (): void => stop();
  signal.addEventListener('abort', onAbort);
  if (signal.aborted) stop();
  await Promise.race([work, stopped]);
  signal.removeEventListener('abort', onAbort);
}
