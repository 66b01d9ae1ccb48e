import { timeAt } from './agent/agent-clock.ts';
import type { Spoils } from './agent/spoils.ts';
import type { Strike } from './chaos.ts';
import { truthOf } from './checks/truth.ts';
import { undone, unsettled } from './checks/unsettled.ts';
import { createScene } from './create-scene.ts';
import { sinkNames } from './world/sink.ts';

export interface Outcome {
  /** What must never be, with the moment at which it was. */
  readonly violations: readonly string[];
  readonly statusWrites: number;
  readonly applies: number;
  readonly prunes: number;
  readonly terms: number;
  readonly alerts: number;
  readonly strikes: Readonly<Record<Strike, number>>;
}

export interface SimulateOptions {
  readonly spoils?: Spoils;
  /** Each step, as it happens. */
  readonly trace?: (line: string) => void;
}

const mostViolations = 5;
/** The longest wait is that of a poll where hints were right so far, and of a look that has failed as long as the storm went on. */
const longestRestMs = 420_000;
const stepMs = 10_000;
/** What lasts is worth telling at the latest then: a rest waits for that too. */
const longestForMs = 8_000;
/** How long a live change may stay unseen when nothing is wrong. */
const seenWithinMs = 10_000;
/** It takes long, also here: so does a destination that is out of reach for minutes, and is tried again ever more rarely. */
const sweepEvery = 50;

/** One seed: storms in which everything goes wrong, and a rest after each in which everything has to come right. */
export async function simulate(seed: number, { spoils = {}, trace }: SimulateOptions = {}): Promise<Outcome> {
  const violations: string[] = [];
  const { scene, chaos, people } = createScene({
    ...{ seed, spoils, trace: trace && ((text, time) => trace(at(text, time))) },
    violated(what, time) {
      trace?.(at(`VIOLATION: ${what}`, time));
      if (violations.length < mostViolations) violations.push(at(what, time));
    },
  });
  const { world, dice, weather, network, git, objects, applications, witness } = scene;
  const { violated } = witness;
  const pass = (ms: number): Promise<void> => world.runUntil(world.time + ms);

  async function storm(): Promise<void> {
    const end = world.time + dice.between(10_000, 35_000);
    scene.trace?.(() => 'the storm begins');
    network.storm();
    chaos.storm(end);
    const act = (): void => {
      if (world.time >= end) return;
      people.act();
      world.in(weather.actionEveryMs * dice.between(0, 2), act);
    };
    act();
    await world.runUntil(end);
    network.calm();
    scene.trace?.(() => 'the storm is over');
    if (seed % sweepEvery === 0) network.cut(dice.pick(sinkNames) ?? 'chat', Number.POSITIVE_INFINITY);
  }

  async function rest(): Promise<void> {
    const began = world.time;
    const wrongNow = async (): Promise<readonly string[]> => [...(await undone(scene, chaos.agents)), ...unsettled(scene, -longestForMs)];
    let wrong = await wrongNow();
    while (wrong.length > 0 && world.time - began < longestRestMs) {
      await pass(stepMs);
      wrong = await wrongNow();
    }
    for (const what of wrong) violated(`${longestRestMs / 1000} s after the storm ${what}`);
    await pass(stepMs);
    if (wrong.length === 0) for (const what of unsettled(scene)) violated(`all was right, nothing happened, and ${what}`);
  }

  /** A live change in quiet times is on record before long, once. */
  async function probe(): Promise<void> {
    const stored = dice.pick(applications.all());
    if (stored?.wishes.isValid !== true) return;
    const truth = truthOf(stored, git.head(), objects);
    if (truth.type === 'broken' || truth.differing.size > 0) return;
    const since = timeAt(world).toISOString();
    const key = people.edit(stored);
    if (key === undefined) return;
    await pass(seenWithinMs);
    const now = applications.find(stored.id);
    const found = now === undefined ? [] : witness.recorded(now).episodes.filter((episode) => episode.key === key && episode.openedAt >= since);
    if (found.length !== 1) violated(`${key} of ${stored.id} was changed in quiet times, and ${found.length} episodes are on record`);
    if (dice.chance(0.5)) people.restore(stored, key);
    await pass(seenWithinMs);
    for (const what of unsettled(scene)) violated(`after a change in quiet times ${what}`);
  }

  /** What nobody has a reason to look at is looked at all the same. */
  async function sweep(): Promise<void> {
    const longestSweepMs = scene.pace.sweepMs * 1.2 + stepMs;
    network.calm();
    await pass(longestSweepMs);
    for (const { id, wishes } of applications.all()) {
      const ago = world.time - (witness.lastLook(id) ?? 0);
      if (wishes.isValid && ago > longestSweepMs) violated(`${id} was looked at ${Math.round(ago / 1000)} s ago`);
    }
    for (const what of unsettled(scene)) violated(`after a sweep ${what}`);
  }

  const rejected = (error: unknown): void => violated(`a rejection that nobody handles: ${error instanceof Error ? error.message : String(error)}`);
  process.on('unhandledRejection', rejected);
  // Nobody reads them, and most of what is thrown here is weather.
  const { stackTraceLimit } = Error;
  Error.stackTraceLimit = 0;
  try {
    people.setUp();
    chaos.start();
    const rounds = dice.chance(0.94) ? 1 : 2;
    if (dice.chance(0.2)) await rest();
    for (let round = 0; round < rounds && violations.length === 0; round += 1) {
      await storm();
      await rest();
      await probe();
    }
    if (seed % sweepEvery === 0 && violations.length === 0) await sweep();
    return { violations, ...witness.counts(), strikes: chaos.count() };
  } finally {
    Error.stackTraceLimit = stackTraceLimit;
    process.off('unhandledRejection', rejected);
  }
}

function at(text: string, time: number): string {
  return `${(time / 1000).toFixed(3)} s: ${text}`;
}
