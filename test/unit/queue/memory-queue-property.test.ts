import { expect, test } from 'vitest';
import { createMemoryQueue, type WorkQueue } from '../../../src/queue/index.ts';
import { seededRandom, type SeededRandom } from '../../support/seeded-random.ts';
import { manualClock } from './manual-clock.ts';

const keys = ['a', 'b', 'c', 'd', 'e'];
const concurrency = 3;

/** Hundreds of adds, failures and restarts in simulated time; what went against the promises, in words. */
async function violationsOf(random: SeededRandom): Promise<string[]> {
  const clock = manualClock();
  const violations: string[] = [];
  const underWay = new Set<string>();
  const lastAdded = new Map<string, number>();
  const lastGood = new Map<string, number>();
  let moment = 0;
  let life = 0;
  let queue = start();

  function start(): WorkQueue {
    life += 1;
    const mine = life;
    const settings = { concurrency, backoff: { baseMs: 1_000, maxMs: 60_000 }, random: () => random.next(), closeDeadlineMs: 0 };
    const started = createMemoryQueue({ ...settings, now: clock.now, setTimer: clock.setTimer });
    started.start(async (key) => {
      moment += 1;
      const begun = moment;
      if (underWay.has(key)) violations.push(`${key} ran beside itself`);
      underWay.add(key);
      if (underWay.size > concurrency) violations.push(`${underWay.size} keys ran at once`);
      await new Promise<void>((resolve) => clock.setTimer(resolve, random.below(5_000)));
      // The rest of a life that is over never happened.
      if (mine !== life) return;
      underWay.delete(key);
      if (random.next() < 0.2) throw Object.assign(new Error('bad luck'), random.next() < 0.5 ? { retry: 'soon' } : {});
      lastGood.set(key, begun);
    });
    return started;
  }
  async function add(key: string, delayMs: number): Promise<void> {
    moment += 1;
    lastAdded.set(key, moment);
    await queue.add(key, { delayMs });
  }
  for (let step = 0; step < 200; step += 1) {
    const chance = random.next();
    if (chance < 0.02) {
      const old = queue;
      queue = start();
      underWay.clear();
      await Promise.all([old.close(), clock.advance(0)]);
      for (const key of keys) await add(key, 0);
    } else if (chance < 0.5) {
      await clock.advance(random.below(3_000));
    } else {
      await add(keys[random.below(keys.length)] ?? 'a', random.next() < 0.5 ? 0 : random.below(20_000));
    }
  }
  await clock.advance(24 * 3_600_000);
  const unserved = [...lastAdded].filter(([key, at]) => (lastGood.get(key) ?? 0) < at);
  violations.push(...unserved.map(([key]) => `${key} was not run after it was last added`));
  const stats = await queue.stats();
  if (stats.waiting + stats.delayed + stats.underWay > 0) violations.push(`stuck: ${JSON.stringify(stats)}`);
  return violations;
}

test('thousands of adds in simulated time, with failures and restarts: no key runs beside itself or stays behind', async () => {
  const { seed } = seededRandom();
  for (let round = 0; round < 60; round += 1) {
    const own = seededRandom(seed + round);
    expect(await violationsOf(own), `SETPOINT_SEED=${own.seed}`).toEqual([]);
  }
});
