// An agent that can be killed. Arguments: a Redis URL, the queue's name, this agent's name, a seed, the lock's time.
// Tells on standard output what it does, a line of JSON each; ends when its standard input does.
import { writeSync } from 'node:fs';
import { createRedisQueue } from '../../../src/queue/index.ts';
import { seededRandom } from '../../support/seeded-random.ts';
import { erraticHandler } from './erratic-handler.ts';
import type { AgentEvent } from './run-history.ts';

const [url = '', name = '', agent = '', seed = '', lock = ''] = process.argv.slice(2);
const lockMs = Number(lock);
const random = seededRandom(Number(seed));
const silent = (): void => undefined;
const log = { info: silent, warn: silent, error: silent };
const backoff = { baseMs: 2, maxMs: 40 };
const queue = createRedisQueue({ url, name, lockMs, backoff, log, concurrency: 5, random: () => random.next() });
// At once: what was told before a kill -9 has been told.
const tell = (event: AgentEvent): void => void writeSync(1, `${JSON.stringify(event)}\n`);
queue.start(erraticHandler({ agent, random, queue, tell, blockMs: 2 * lockMs }));
process.stdin.resume();
process.stdin.once('end', () => process.exit(0));
