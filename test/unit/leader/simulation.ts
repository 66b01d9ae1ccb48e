// Three candidates and one lease, for a hundred seconds in which everything goes wrong and half a minute in which nothing does.
import { createElection, defaultTiming, type Election } from '../../../src/leader/index.ts';
import { seededRandom, type SeededRandom } from '../../support/seeded-random.ts';
import { leaseServer, simulatedLease, type Fate } from './simulated-lease.ts';
import { simulatedWorld, type SimulatedProcess } from './simulated-world.ts';

export interface Outcome {
  /** What must never be, with the moment at which it was. */
  readonly violations: readonly string[];
  readonly terms: number;
  readonly writes: number;
  /** How often a leader slept through its lease, died or stopped. */
  readonly leadersPaused: number;
  readonly leadersKilled: number;
  readonly leadersStopped: number;
  /** Requests that were carried out and whose sender never heard of it. */
  readonly answersLost: number;
}

const faultsMs = 100_000;
const quietMs = 2 * defaultTiming.leaseMs;
const steadyMs = 20_000;
/** A write that was let through is on its way for at most this long. */
const longestWriteMs = 1_500;
/** Clocks go faster or slower than the world by at most this part. */
const rateError = 0.01;

interface Candidate {
  readonly name: string;
  readonly process: SimulatedProcess;
  readonly election: Election;
  /** It has stopped writing, as one does before it stops. */
  isLeaving: boolean;
  /** Until then nothing of what it sends arrives. */
  cutOffUntil: number;
}

export async function simulate(seed: number): Promise<Outcome> {
  const random = seededRandom(seed);
  const world = simulatedWorld();
  const server = leaseServer();
  const violations: string[] = [];
  const count = { terms: 0, writes: 0, leadersPaused: 0, leadersKilled: 0, leadersStopped: 0, answersLost: 0 };
  const candidates = new Set<Candidate>();
  const weather = randomWeather(random);
  let [lastEpoch, lastWriter, started] = [0, 0, 0];

  const violated = (what: string): void => void violations.push(`${Math.round(world.time)} ms: ${what}`);
  const isQuiet = (): boolean => world.time >= faultsMs;

  const fate = (candidate: Candidate, slownessMs: number): Fate => {
    const swift = (): number => 1 + random.next() * 50;
    if (isQuiet()) return { arrivesIn: swift(), answeredIn: swift() };
    // With the faults ends what was delayed by them.
    const oneWay = (): number => Math.min(swift() + (random.next() < weather.slow ? random.next() * slownessMs : 0), faultsMs - world.time);
    const arrivesIn = oneWay();
    const cutIn = random.next() < 0.5 ? { cutIn: random.next() * 3_000 } : {};
    if (world.time < candidate.cutOffUntil || random.next() < weather.lossOfRequests) return cutIn;
    if (random.next() < weather.lossOfAnswers) {
      count.answersLost += 1;
      return { arrivesIn, ...cutIn };
    }
    return { arrivesIn, answeredIn: oneWay() };
  };

  const write = (candidate: Candidate): void => {
    candidate.process.deliverIn(400 + random.next() * 1_600, () => write(candidate));
    const state = candidate.election.state();
    if (candidate.isLeaving || !candidate.election.mayWrite() || state.type !== 'leader') return;
    world.in(random.next() * longestWriteMs, () => {
      count.writes += 1;
      if (state.epoch < lastWriter) violated(`a write of term ${state.epoch} arrived after one of term ${lastWriter}`);
      lastWriter = Math.max(lastWriter, state.epoch);
    });
  };

  const start = (): void => {
    const rate = 1 + (random.next() * 2 - 1) * rateError;
    const process = world.startProcess({ rate, offsetMs: random.next() * 1e6, lateMs: () => random.next() * 20 - 1 });
    const name = `candidate-${(started += 1)}`;
    // Some have a good way to the server, so that they see what a slow one's requests have done before it knows itself.
    const slownessMs = random.next() < 0.5 ? weather.slownessMs : 0;
    const wallOffset = (random.next() * 2 - 1) * 3_600_000;
    const election = createElection({
      ...{ lease: simulatedLease(server, { world, process, fate: () => fate(candidate, slownessMs) }), identity: name, now: process.now, setTimer: process.setTimer, random: random.next },
      // The clock on the wall is an hour off, and stands still at times.
      time: () => new Date(1_700_000_000_000 + wallOffset + Math.floor(world.time / weather.wallStepMs) * weather.wallStepMs),
      on: {
        elected(epoch) {
          count.terms += 1;
          if (epoch <= lastEpoch) violated(`${name} was elected for term ${epoch} after term ${lastEpoch}`);
          lastEpoch = epoch;
        },
        lost: () => undefined,
        observed: () => undefined,
      },
      log: { info: () => undefined, warn: () => undefined },
    });
    const candidate: Candidate = { name, process, election, isLeaving: false, cutOffUntil: 0 };
    candidates.add(candidate);
    election.start();
    write(candidate);
  };

  const remove = (candidate: Candidate): void => {
    candidate.process.kill();
    candidates.delete(candidate);
    // Its place is filled again while there are faults.
    world.in(Math.max(0, Math.min(random.next() * 20_000, faultsMs - world.time)), start);
  };

  const strike = (): void => {
    if (isQuiet()) return;
    world.in(weather.everyMs * (0.5 + random.next()), strike);
    const leader = [...candidates].find(({ election }) => election.mayWrite());
    const all = [...candidates].filter(({ isLeaving }) => !isLeaving);
    const victim = leader !== undefined && !leader.isLeaving && random.next() < 0.6 ? leader : all[random.below(all.length)];
    if (victim === undefined) return;
    const isLeader = victim === leader ? 1 : 0;
    const chance = random.next();
    const someTime = (): number => Math.min(random.next() * 30_000, faultsMs - world.time);
    if (chance < 0.6) {
      // Asleep, cut off, or both, as when a virtual machine is moved.
      if (chance < 0.4) victim.process.pauseFor(someTime());
      if (chance > 0.2) victim.cutOffUntil = world.time + someTime();
      count.leadersPaused += chance < 0.4 ? isLeader : 0;
    } else if (chance < 0.8) {
      count.leadersKilled += isLeader;
      remove(victim);
    } else if (world.time < faultsMs - 10_000) {
      count.leadersStopped += isLeader;
      victim.isLeaving = true;
      victim.process.deliverIn(longestWriteMs, () => void victim.election.stop().then(() => remove(victim)));
    }
  };

  const check = (): void => {
    let writer: Candidate | undefined;
    for (const candidate of candidates) {
      if (!candidate.election.mayWrite()) continue;
      if (writer !== undefined) violated(`${writer.name} and ${candidate.name} may write`);
      writer = candidate;
    }
  };

  for (let index = 0; index < 3; index += 1) world.in(random.next() * 5_000, start);
  world.in(weather.everyMs, strike);
  await world.runUntil(faultsMs + quietMs, check);
  const leader = [...candidates].find(({ election }) => election.mayWrite());
  const epoch = lastEpoch;
  if (leader === undefined) violated('nobody leads although nothing stands in the way');
  await world.runUntil(world.time + steadyMs, check);
  if (lastEpoch !== epoch || leader?.election.mayWrite() !== true) violated('the lead changed although nothing happened');
  return { violations, ...count };
}

interface Weather {
  readonly lossOfRequests: number;
  readonly lossOfAnswers: number;
  /** How many requests are slow, and how slow one way may be. */
  readonly slow: number;
  readonly slownessMs: number;
  /** Between two pauses, deaths or stops. */
  readonly everyMs: number;
  readonly wallStepMs: number;
}

/** Each seed has its own mixture; with the same one everywhere some would never be seen. */
function randomWeather(random: SeededRandom): Weather {
  return {
    lossOfRequests: random.next() ** 2 * 0.6,
    lossOfAnswers: random.next() ** 2 * 0.6,
    slow: random.next() ** 2,
    slownessMs: random.next() ** 2 * 20_000,
    everyMs: 3_000 + random.next() ** 2 * 30_000,
    wallStepMs: random.next() < 0.2 ? 60_000 : 1,
  };
}
