import { SetpointError } from '../../../src/model/index.ts';
import type { Fate } from '../../unit/leader/simulated-lease.ts';
import type { SimulatedProcess, World } from '../../unit/leader/simulated-world.ts';
import type { Dice } from './dice.ts';
import type { SinkName } from './sink.ts';
import type { Weather } from './weather.ts';

export type Server = 'cluster' | 'git' | SinkName;

export interface Request<T> {
  readonly to: Server;
  /** A write is on its way for a bounded time: the lease's margin says how long. */
  readonly type: 'read' | 'write';
  readonly what: string;
  /** At the server, when the request arrives; twice where it is delivered twice. */
  readonly carryOut: () => T;
  readonly signal: AbortSignal;
}

export interface Sender {
  readonly name: string;
  readonly process: SimulatedProcess;
}

/** All ways between the processes and the servers, and what happens on them. */
export interface Network {
  send<T>(from: Sender, request: Request<T>): Promise<T>;
  /** For those who carry out the fate themselves. */
  fateOf(from: Sender, request: Pick<Request<unknown>, 'to' | 'type'>): Fate;
  /** Whether nothing gets through to a server at all. */
  isDown(server: Server): boolean;
  /** Whether a server says that it cannot. */
  isRefused(): boolean;
  /** How long an event of a watch takes to a process; undefined: it gets lost. */
  eventDelayMs(to: Sender): number | undefined;
  /** Nothing gets through to a server for a while, from one process or from anybody. */
  cut(server: Server, forMs: number, from?: Sender): void;
  /** Whether nothing that was sent in a storm is on its way any more. */
  isOver(): boolean;
  /** Ends all that is bad, for good or until it starts again. */
  calm(): void;
  storm(): void;
}

export interface NetworkOptions {
  readonly world: World;
  readonly dice: Dice;
  readonly weather: Weather;
  /** A process waits for an answer, for so long: the moment to strike it. */
  readonly waiting: (who: Sender, request: { readonly type: Request<unknown>['type']; readonly forMs: number }) => void;
  readonly trace: ((text: () => string) => void) | undefined;
}

const longestWriteMs = 1_500;
const usualLimitMs: Readonly<Record<Server, number>> = { cluster: 6_000, git: 12_000, chat: 5_000, pager: 5_000 };
const names: Readonly<Record<Server, string>> = { cluster: 'the cluster', git: 'the repository', chat: 'the chat', pager: 'the pager' };
const codes = { cluster: 'ClusterUnreachable', git: 'RepositoryUnreachable', chat: 'DestinationFailed', pager: 'DestinationFailed' } as const;

export function createNetwork({ world, dice, weather, waiting, trace }: NetworkOptions): Network {
  const limitMs = (to: Server): number => usualLimitMs[to] * weather.patience;
  let isCalm = true;
  let stormyUntil = 0;
  const cuts: { readonly server: Server; readonly until: number; readonly from: Sender | undefined }[] = [];

  const isCut = (server: Server, from: Sender): boolean =>
    cuts.some((cut) => cut.server === server && cut.until > world.time && (cut.from === undefined || cut.from === from));
  const swift = (): number => dice.between(1, 40);
  const oneWay = (type: Request<unknown>['type']): number => {
    if (isCalm || !dice.chance(weather.slow)) return swift();
    return Math.min(swift() + dice.next() * weather.slownessMs, type === 'write' ? longestWriteMs : Number.POSITIVE_INFINITY);
  };

  function fateOf(from: Sender, { to, type }: Pick<Request<unknown>, 'to' | 'type'>): Fate {
    // Refused at once, or left without an answer.
    const cutIn = dice.chance(0.5) ? swift() : dice.between(0.2, 1) * limitMs(to);
    if (isCut(to, from) || (!isCalm && dice.chance(weather.lossOfRequests))) return { cutIn };
    const arrivesIn = oneWay(type);
    if (!isCalm && dice.chance(weather.lossOfAnswers)) return { arrivesIn, cutIn: arrivesIn + cutIn };
    const answeredIn = oneWay('read');
    return arrivesIn + answeredIn > limitMs(to) ? { arrivesIn, cutIn: limitMs(to) } : { arrivesIn, answeredIn };
  }

  return {
    fateOf,
    send(from, { to, type, what, carryOut, signal }) {
      const { promise, resolve, reject } = Promise.withResolvers<ReturnType<typeof carryOut>>();
      if (signal.aborted) return Promise.reject(signal.reason as Error);
      const leave = (): void => reject(signal.reason as Error);
      signal.addEventListener('abort', leave, { once: true });
      const answer = (deliver: () => void) => (): void => {
        signal.removeEventListener('abort', leave);
        deliver();
      };
      const { arrivesIn, answeredIn, cutIn } = fateOf(from, { to, type });
      const isDoubled = type === 'write' && !isCalm && dice.chance(weather.doubledWrites);
      const takesMs = (arrivesIn ?? 0) + (answeredIn ?? 0);
      if (!isCalm) stormyUntil = Math.max(stormyUntil, world.time + Math.max(takesMs, cutIn ?? 0));
      if (!isCalm) waiting(from, { type, forMs: Math.min(limitMs(to), takesMs) });
      if (arrivesIn !== undefined) {
        world.in(arrivesIn, () => {
          if (isDoubled) carryOut();
          const result = carryOut();
          trace?.(() => `${from.name}: ${what} is carried out${isDoubled ? ' twice' : ''}`);
          if (answeredIn !== undefined) from.process.deliverIn(answeredIn, answer(() => resolve(result)));
        });
      }
      if (cutIn !== undefined) {
        from.process.deliverIn(
          cutIn,
          answer(() => {
            trace?.(() => `${from.name}: ${what} gets no answer`);
            reject(new SetpointError(codes[to], `${names[to]} did not answer`));
          }),
        );
      }
      return promise;
    },
    isDown: (server) => cuts.some((cut) => cut.server === server && cut.until > world.time && cut.from === undefined),
    isRefused: () => !isCalm && dice.chance(weather.refusals),
    eventDelayMs(to) {
      if (isCut('cluster', to)) return undefined;
      if (isCalm) return swift();
      if (dice.chance(weather.lossOfEvents)) return undefined;
      return swift() + (dice.chance(weather.slowEvents) ? dice.next() * 5_000 : 0);
    },
    isOver: () => world.time >= stormyUntil,
    cut: (server, forMs, from) => void cuts.push({ server, until: world.time + forMs, from }),
    calm() {
      isCalm = true;
      cuts.length = 0;
    },
    storm() {
      isCalm = false;
    },
  };
}
