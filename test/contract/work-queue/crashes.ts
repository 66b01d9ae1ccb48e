import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'vitest';
import type { QueueStats, WorkQueue } from '../../../src/queue/index.ts';
import { seededRandom, type SeededRandom } from '../../support/seeded-random.ts';
import { waitFor } from '../../support/wait-for.ts';
import { createRunHistory, momentNow, type AgentEvent, type RunHistory } from './run-history.ts';

/** Something that works on the keys, and may die. */
export interface Agent {
  /** Kills it, as kill -9 does. Its runs begin with its name. */
  kill(): Promise<{ readonly name: string; readonly at: number }>;
}

export interface Scene {
  /** Where keys are added. */
  readonly add: WorkQueue['add'];
  stats(): Promise<QueueStats>;
  startAgent(tell: (event: AgentEvent) => void, random: SeededRandom): Promise<Agent>;
  /** Whether a new agent has to add every key again, because the queue died with the old one. */
  readonly forgets: boolean;
}

export interface Disaster {
  readonly times: number;
  /** What happens, time and again, while keys are added. */
  strike(director: Director): Promise<void>;
}

export interface Director {
  readonly random: SeededRandom;
  readonly agent: () => Agent;
  /** The agent dies and another one starts. */
  replaceAgent(): Promise<void>;
  /** What the sweep of a running agent does: every key once more. */
  sweep(): Promise<void>;
}

export interface Plan {
  readonly keys: number;
  readonly adds: number;
  readonly disaster: Disaster;
}

/** Thousands of adds while disasters strike. Nothing may run beside itself, stay behind or get stuck. */
export async function surviveDisasters(scene: Scene, { keys: count, adds, disaster }: Plan): Promise<RunHistory> {
  const random = seededRandom();
  console.info(`work queue and disasters: SETPOINT_SEED=${random.seed}`);
  const keys = Array.from({ length: count }, (_key, index) => `app-${index}`);
  const history = createRunHistory();
  let agent = await scene.startAgent(history.saw, random);
  let added = 0;

  async function add(key: string, options: { readonly delayMs?: number }): Promise<void> {
    const at = momentNow();
    await scene.add(key, options);
    history.saw({ type: 'added', key, at });
    added += 1;
  }
  async function sweep(): Promise<void> {
    for (const key of keys) await waitFor(() => add(key, {}).then(() => true), { what: `${key} to be taken` });
  }
  async function produce(): Promise<void> {
    while (added < adds || disasters < disaster.times) {
      const key = keys[random.below(count)] ?? '';
      // Whatever is refused is not promised anything; the sweep brings it back.
      await add(key, random.next() < 0.4 ? { delayMs: random.below(40) } : {}).catch(() => sleep(5));
      if (added >= adds || random.next() < 0.05) await sleep(random.below(10));
    }
  }
  const director: Director = {
    random,
    agent: () => agent,
    async replaceAgent() {
      const { name, at } = await agent.kill();
      history.died((run) => run.startsWith(`${name}/`), at);
      agent = await scene.startAgent(history.saw, random);
      if (scene.forgets) await sweep();
    },
    sweep,
  };
  let disasters = 0;
  async function strike(): Promise<void> {
    for (; disasters < disaster.times; disasters += 1) {
      const enough = history.runs() + 1 + random.below(100);
      await waitFor(() => history.runs() >= enough, { what: `work under way (seed ${random.seed})` });
      await disaster.strike(director);
    }
  }
  await Promise.all([produce(), produce(), strike()]);

  const what = `every key to run after its last add (seed ${random.seed})`;
  await waitFor(() => history.unserved(keys).length === 0, { what });
  await waitFor(
    async () => {
      const { waiting, delayed, underWay } = await scene.stats();
      return waiting + delayed + underWay === 0;
    },
    { what: `an empty queue (seed ${random.seed})` },
  );
  expect(history.runs(), `seed ${random.seed}`).toBeGreaterThan(count);
  return history;
}
