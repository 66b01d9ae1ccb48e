import { createMemoryQueue, type WorkQueue } from '../../../src/queue/index.ts';
import { recordingLog } from '../../support/recording-log.ts';
import type { Scene } from './crashes.ts';
import { erraticHandler } from './erratic-handler.ts';
import { momentNow } from './run-history.ts';

/** The queue lives and dies with its agent. What a dead one still does is not seen by anybody. */
export function memoryScene(): Scene {
  let agents = 0;
  let queue: WorkQueue | undefined;
  const current = (): WorkQueue => {
    if (queue === undefined) throw new Error('there is no agent');
    return queue;
  };

  return {
    forgets: true,
    add: async (key, options) => current().add(key, options),
    stats: async () => current().stats(),
    async startAgent(tell, random) {
      agents += 1;
      const agent = `agent-${agents}`;
      const backoff = { baseMs: 2, maxMs: 40 };
      const mine = createMemoryQueue({ concurrency: 5, backoff, log: recordingLog(), random: () => random.next(), closeDeadlineMs: 0 });
      let isAlive = true;
      queue = mine;
      mine.start(erraticHandler({ agent, random, queue: mine, tell: (event) => isAlive && tell(event) }));
      return {
        async kill() {
          isAlive = false;
          queue = undefined;
          const at = momentNow();
          await mine.close();
          return { name: agent, at };
        },
      };
    },
  };
}
