// Time that passes only when it is told to, and processes in it that have clocks of their own and can be paused and killed.
import { nextTick } from 'node:process';
import type { SetTimer } from '../../../src/leader/index.ts';

export interface World {
  readonly time: number;
  /** Something that happens by itself, at the server for one. */
  in(delayMs: number, action: () => void): void;
  /** Lets time go by up to that moment, one thing after the other, with everything settled in between. */
  runUntil(time: number, afterEach?: () => void): Promise<void>;
  startProcess(clock?: ProcessClock): SimulatedProcess;
}

/** How the clock of a process differs from the world's. */
export interface ProcessClock {
  readonly offsetMs: number;
  readonly rate: number;
  /** How much later than asked for a timer fires; may be a little less than nothing. */
  readonly lateMs: () => number;
}

export interface SimulatedProcess {
  readonly isAlive: boolean;
  readonly isPaused: boolean;
  now(this: void): number;
  readonly setTimer: SetTimer;
  /** Something that reaches the process: while it is paused it waits, and a dead one is past reaching. */
  deliverIn(delayMs: number, action: () => void): void;
  pauseFor(ms: number): void;
  kill(): void;
}

interface Happening {
  readonly at: number;
  readonly order: number;
  readonly action: () => void;
}

// Runs after every promise callback there is, however long the chain.
const settled = (): Promise<void> => new Promise((resolve) => nextTick(resolve));

export function simulatedWorld(): World {
  let time = 0;
  let count = 0;
  /** Soonest last. */
  const happenings: Happening[] = [];

  const schedule = (at: number, action: () => void): void => {
    const happening = { at, order: (count += 1), action };
    let place = happenings.length;
    while (place > 0 && isBefore(happenings[place - 1], happening)) place -= 1;
    happenings.splice(place, 0, happening);
  };

  const startProcess = ({ offsetMs, rate, lateMs }: ProcessClock = { offsetMs: 0, rate: 1, lateMs: () => 0 }): SimulatedProcess => {
    let alive = true;
    let pausedUntil = 0;
    const reach = (at: number, action: () => void): void =>
      schedule(at, () => {
        if (!alive) return;
        if (time < pausedUntil) reach(pausedUntil, action);
        else action();
      });
    return {
      get isAlive() {
        return alive;
      },
      get isPaused() {
        return time < pausedUntil;
      },
      now: () => offsetMs + time * rate,
      setTimer(callback, delayMs) {
        let isOn = true;
        reach(time + Math.max(0, delayMs / rate + lateMs()), () => {
          if (isOn) callback();
        });
        return () => {
          isOn = false;
        };
      },
      deliverIn: (delayMs, action) => reach(time + delayMs, action),
      pauseFor(ms) {
        pausedUntil = Math.max(pausedUntil, time + ms);
      },
      kill() {
        alive = false;
      },
    };
  };

  return {
    get time() {
      return time;
    },
    in: (delayMs, action) => schedule(time + delayMs, action),
    async runUntil(end, afterEach = () => undefined) {
      await settled();
      for (;;) {
        const next = happenings.at(-1);
        if (next === undefined || next.at > end) break;
        happenings.pop();
        time = next.at;
        next.action();
        await settled();
        afterEach();
      }
      time = end;
    },
    startProcess,
  };
}

function isBefore(one: Happening | undefined, other: Happening): boolean {
  return one !== undefined && (one.at < other.at || (one.at === other.at && one.order < other.order));
}
