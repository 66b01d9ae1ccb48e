import { startAgent, type Agent } from './agent/agent.ts';
import type { Scene } from './scene.ts';
import type { NetworkOptions, Server } from './world/network.ts';

/** The processes, and what becomes of them. */
export interface Chaos {
  readonly agents: ReadonlySet<Agent>;
  start(): void;
  /** From now on until that time things go wrong. */
  storm(until: number): void;
  /** A process waits for an answer: now is the worst moment. */
  waiting: NetworkOptions['waiting'];
  count(): Readonly<Record<Strike, number>>;
}

export type Strike = 'kill' | 'stop' | 'pause' | 'cut' | 'flush';

const servers: readonly Server[] = ['cluster', 'cluster', 'git', 'git', 'chat', 'pager'];

export function createChaos(scene: () => Scene): Chaos {
  const agents = new Set<Agent>();
  const counts = { kill: 0, stop: 0, pause: 0, cut: 0, flush: 0 };
  let started = 0;
  let stormUntil = 0;

  const launch = (): void => void agents.add(startAgent(scene(), `agent-${(started += 1)}`));
  const left = (): number => Math.max(0, stormUntil - scene().world.time);
  const launchLater = (): void => scene().world.in(Math.min(scene().dice.between(500, 10_000), left()), launch);

  function remove(agent: Agent): void {
    agent.process.kill();
    if (agents.delete(agent)) launchLater();
  }

  function strike(agent: Agent): void {
    const { world, dice, trace, network } = scene();
    if (!agents.has(agent) || left() === 0) return;
    const kind = dice.pick(['kill', 'kill', 'stop', 'pause', 'pause', 'pause', 'cut'] as const) ?? 'kill';
    // Longer than a lease, or not; one that sleeps may well sleep on when the storm is over.
    const forMs = dice.chance(0.6) ? dice.between(15_000, 40_000) : dice.between(100, 15_000);
    trace?.(() => `${agent.name} is struck: ${kind} for ${Math.round(forMs)} ms`);
    counts[kind] += 1;
    if (kind === 'kill') remove(agent);
    else if (kind === 'pause') agent.process.pauseFor(forMs);
    else if (kind === 'cut') network.cut('cluster', Math.min(forMs, left()), agent);
    else {
      // Killed by its supervisor if it takes too long.
      world.in(Math.min(5_000, left()), () => remove(agent));
      void agent.stop().then(() => remove(agent));
    }
  }

  function strikeAny(): void {
    const { world, dice, weather, network, keys, trace } = scene();
    if (left() === 0) return;
    world.in(weather.faultEveryMs * dice.between(0.5, 1.5), strikeAny);
    if (dice.chance(0.15)) {
      trace?.(() => 'somebody empties the store of keys');
      counts.flush += 1;
      keys.flush();
      return;
    }
    if (dice.chance(0.5)) {
      const server = dice.pick(servers) ?? 'git';
      const forMs = Math.min(dice.between(1_000, server === 'git' ? 90_000 : 25_000), left());
      trace?.(() => `${server} is out of reach for ${Math.round(forMs)} ms`);
      counts.cut += 1;
      network.cut(server, forMs);
      return;
    }
    const leader = [...agents].find((agent) => agent.term() !== undefined);
    const victim = dice.chance(0.6) ? leader : dice.pick([...agents]);
    if (victim !== undefined) strike(victim);
  }

  return {
    agents,
    start() {
      const { dice, world } = scene();
      const count = dice.chance(0.6) ? 2 : 1;
      for (let at = 0; at < count; at += 1) world.in(dice.between(0, 2_000), launch);
    },
    storm(until) {
      stormUntil = until;
      const { world, weather, dice } = scene();
      world.in(weather.faultEveryMs * dice.next(), strikeAny);
    },
    waiting(who, { type, forMs }) {
      const { world, dice, weather } = scene();
      // Between what is recorded and what is done about it most can go wrong.
      if (!dice.chance(weather.strikes * (type === 'write' ? 8 : 1))) return;
      const agent = [...agents].find(({ process }) => process === who.process);
      if (agent !== undefined) world.in(dice.next() * forMs, () => strike(agent));
    },
    count: () => counts,
  };
}
