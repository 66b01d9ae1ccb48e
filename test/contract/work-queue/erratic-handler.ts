import { setTimeout as sleep } from 'node:timers/promises';
import type { WorkHandler, WorkQueue } from '../../../src/queue/index.ts';
import type { SeededRandom } from '../../support/seeded-random.ts';
import { momentNow, type AgentEvent } from './run-history.ts';

export interface ErraticOptions {
  /** Begins the names of its runs. */
  readonly agent: string;
  readonly random: SeededRandom;
  readonly queue: Pick<WorkQueue, 'add'>;
  readonly tell: (event: AgentEvent) => void;
  /** How long it blocks the event loop now and then. */
  readonly blockMs?: number;
}

// Long enough for everything else to go wrong meanwhile.
const slowMs = 300;

/** Slow or fast, now and then failing, adding its own key, or blocking everything; tells what it does. */
export function erraticHandler({ agent, random, queue, tell, blockMs }: ErraticOptions): WorkHandler {
  let count = 0;
  return async (key) => {
    count += 1;
    const run = `${agent}/${count}`;
    tell({ type: 'started', run, key, at: momentNow() });
    if (random.next() < 0.7) await sleep(random.next() < 0.03 ? slowMs : random.below(8));
    if (blockMs !== undefined && random.next() < 0.004) block(blockMs);
    if (random.next() < 0.02) {
      const at = momentNow();
      await queue.add(key, random.next() < 0.5 ? { delayMs: random.below(20) } : {}).then(
        () => tell({ type: 'added', key, at }),
        () => undefined,
      );
    }
    const fails = random.next() < 0.2;
    tell({ type: 'ended', run, key, at: momentNow(), well: !fails });
    if (fails) throw Object.assign(new Error('bad luck'), random.next() < 0.3 ? { retry: 'soon' } : {});
  };
}

function block(ms: number): void {
  const until = performance.now() + ms;
  while (performance.now() < until);
}
