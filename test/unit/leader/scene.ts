// Candidates for one lease, each a process of its own, on a network that does what the test says.
import { createElection, type Election, type Timing } from '../../../src/leader/index.ts';
import { recordingLog, type RecordingLog } from '../../support/recording-log.ts';
import { leaseServer, simulatedLease, type Fate, type LeaseServer, type Operation } from './simulated-lease.ts';
import { simulatedWorld, type SimulatedProcess, type World } from './simulated-world.ts';

export interface Scene {
  readonly world: World;
  readonly server: LeaseServer;
  /** Lets so many seconds go by. */
  pass(seconds: number): Promise<void>;
  join(identity: string, settings?: CandidateSettings): SceneCandidate;
}

interface CandidateSettings {
  readonly timing?: Timing;
  readonly random?: () => number;
  readonly time?: () => Date;
}

export interface SceneCandidate {
  readonly election: Election;
  readonly process: SimulatedProcess;
  readonly log: RecordingLog;
  /** All that it told, with the second at which it did: `0.02 elected 1`. */
  readonly told: readonly string[];
  /** All that it sent, with the second at which it did. */
  readonly sent: readonly string[];
  fence(): AbortSignal | undefined;
  /** What becomes of its requests from now on. */
  requests(fate: Fate | ((operation: Operation) => Fate)): void;
}

/** An answer after two hundredths of a second. */
export const swift: Fate = { arrivesIn: 10, answeredIn: 10 };

export function createScene(): Scene {
  const world = simulatedWorld();
  const server = leaseServer();
  return {
    world,
    server,
    pass: (seconds) => world.runUntil(world.time + seconds * 1000),
    join(identity, { timing, random = () => 0, time = () => new Date(1_800_000_000_000 + world.time) } = {}) {
      const process = world.startProcess({ offsetMs: 5_000_000, rate: 1, lateMs: () => 0 });
      const log = recordingLog();
      const told: string[] = [];
      const sent: string[] = [];
      let fate: (operation: Operation) => Fate = () => swift;
      let fence: AbortSignal | undefined;
      const tell = (what: string): void => void told.push(`${world.time / 1000} ${what}`);
      const send = (operation: Operation): Fate => {
        sent.push(`${world.time / 1000} ${operation}`);
        return fate(operation);
      };
      const election = createElection({
        ...{ lease: simulatedLease(server, { world, process, fate: send }), identity, now: process.now, setTimer: process.setTimer, random, time, log },
        ...(timing === undefined ? {} : { timing }),
        on: {
          elected(epoch, signal) {
            fence = signal;
            tell(`elected ${epoch}`);
          },
          lost: (reason) => tell(`lost ${reason}`),
          observed: (holder) => tell(`observed ${holder ?? 'nobody'}`),
        },
      });
      election.start();
      return {
        ...{ election, process, log, told, sent },
        fence: () => fence,
        requests(wanted) {
          fate = typeof wanted === 'function' ? wanted : () => wanted;
        },
      };
    },
  };
}
