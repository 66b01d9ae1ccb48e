import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { seededRandom } from '../../support/seeded-random.ts';
import { waitFor } from '../../support/wait-for.ts';
import type { OpenQueue } from './settings.ts';

const keys = ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h'];
const producers = 4;
const addsEach = 120;
const concurrency = 5;

interface History {
  lastAdded: number;
  lastStarted: number;
  atOnce: number;
  settled: boolean;
}

/** Hundreds of adds over few keys, with handlers that are slow, fail, and add keys themselves. */
export function testUnderLoad(open: OpenQueue): void {
  test('under load no key runs twice at once, and every key runs after it was last added', async () => {
    const random = seededRandom();
    console.info(`work queue under load: SETPOINT_SEED=${random.seed}`);
    const queue = open({ concurrency, random: () => random.next(), backoff: { baseMs: 2, maxMs: 30 } });
    const history = new Map<string, History>();
    const of = (key: string): History => {
      const known = history.get(key) ?? { lastAdded: 0, lastStarted: 0, atOnce: 0, settled: false };
      history.set(key, known);
      return known;
    };
    const violations: string[] = [];
    let moment = 0;
    let runs = 0;
    let underWay = 0;

    async function add(key: string): Promise<void> {
      moment += 1;
      of(key).lastAdded = moment;
      await queue.add(key, random.next() < 0.4 ? { delayMs: random.below(25) } : {});
    }

    queue.start(async (key) => {
      const mine = of(key);
      moment += 1;
      runs += 1;
      underWay += 1;
      mine.lastStarted = moment;
      mine.settled = false;
      mine.atOnce += 1;
      if (mine.atOnce > 1) violations.push(`${key} ran ${mine.atOnce} times at once`);
      if (underWay > concurrency) violations.push(`${underWay} keys ran at once`);
      try {
        if (random.next() < 0.7) await sleep(random.below(8));
        if (random.next() < 0.03) await add(key);
        if (random.next() < 0.25) throw new Error('bad luck');
        mine.settled = true;
      } finally {
        mine.atOnce -= 1;
        underWay -= 1;
      }
    });

    async function produce(): Promise<void> {
      for (let added = 0; added < addsEach; added += 1) {
        await add(keys[random.below(keys.length)] ?? 'a');
        if (random.next() < 0.5) await sleep(random.below(4));
      }
    }
    await Promise.all(Array.from({ length: producers }, produce));

    const unserved = (): string[] =>
      keys.filter((key) => !of(key).settled || of(key).atOnce > 0 || of(key).lastStarted < of(key).lastAdded);
    const what = `every key to run after its last add (seed ${random.seed})`;
    await waitFor(() => unserved().length === 0, { what });
    expect(violations).toEqual([]);
    expect([...history.keys()].toSorted()).toEqual(keys);
    expect(runs).toBeGreaterThan(keys.length);
    expect(runs).toBeLessThan(2 * producers * addsEach);
  });
}
