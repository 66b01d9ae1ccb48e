import { leaseServer } from '../unit/leader/simulated-lease.ts';
import { simulatedWorld } from '../unit/leader/simulated-world.ts';
import { timeAt } from './agent/agent-clock.ts';
import type { Agent } from './agent/agent.ts';
import { randomPace, staleAfterMs } from './agent/pace.ts';
import { randomRules } from './agent/rules.ts';
import type { Spoils } from './agent/spoils.ts';
import { createChaos, type Chaos } from './chaos.ts';
import { createWitness } from './checks/witness.ts';
import { createPeople, objectNames, type People } from './people.ts';
import type { Scene } from './scene.ts';
import { createApplicationServer, type ApplicationServer } from './world/application-server.ts';
import { createDice } from './world/dice.ts';
import { branch, createGitServer } from './world/git-server.ts';
import { createKeyStore } from './world/key-store.ts';
import { createNetwork } from './world/network.ts';
import { createObjectServer } from './world/object-server.ts';
import { createSinks } from './world/sink.ts';
import { randomWeather } from './world/weather.ts';

interface Options {
  readonly seed: number;
  readonly spoils: Spoils;
  readonly violated: (what: string, time: number) => void;
  readonly trace: ((text: string, time: number) => void) | undefined;
}

export interface Play {
  readonly scene: Scene;
  readonly chaos: Chaos;
  readonly people: People;
}

/** A world that has not begun yet: nothing is in it, and nobody. */
export function createScene({ seed, spoils, violated, trace: tell }: Options): Play {
  const world = simulatedWorld();
  const dice = createDice(seed);
  const weather = randomWeather(dice);
  const pace = randomPace(dice);
  const rules = randomRules(dice);
  const trace = tell === undefined ? undefined : (text: () => string): void => tell(text(), world.time);
  const chaos: Chaos = createChaos(() => scene);
  const network = createNetwork({ world, dice, weather, waiting: chaos.waiting, trace });
  let version = 100;
  const nextVersion = (): string => String((version += 1));
  /** An event of a watch, on its way to every agent that is there now. */
  const spread = (see: (agent: Agent) => void): void => {
    for (const agent of chaos.agents) {
      const delayMs = network.eventDelayMs(agent);
      if (delayMs !== undefined) agent.process.deliverIn(delayMs, () => see(agent));
    }
  };

  const git = createGitServer();
  const objects = createObjectServer({ nextVersion, changed: (key, changed) => spread(({ parts }) => parts.objectWatch.see(key, changed)) });
  const applications: ApplicationServer = createApplicationServer({
    ...{ repository: git.repository, revision: branch, nextVersion },
    changed(change) {
      witness.applicationChanged(change);
      spread(({ parts }) => parts.applicationWatch.see(change));
    },
  });
  const witness = createWitness({
    ...{ git, objects, rules, network, applications: () => applications, names: objectNames, staleAfterMs: staleAfterMs(pace), time: () => world.time, now: () => timeAt(world) },
    violated: (what) => violated(what, world.time),
  });
  const sinks = createSinks(network, (sending) => witness.messageSent(sending));
  const keys = createKeyStore(dice, network);
  const scene: Scene = { world, dice, weather, pace, network, git, objects, applications, lease: leaseServer(), sinks, keys, rules, witness, spoils, clusterVersion: () => version, trace };
  const people = createPeople(scene, () => {
    if (!dice.chance(weather.hints)) return;
    for (const agent of chaos.agents) agent.process.deliverIn(dice.between(1, 200), () => agent.parts.references.hint(() => true));
  });
  return { scene, chaos, people };
}
