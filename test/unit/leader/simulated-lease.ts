// A lease as the API server keeps it, and a way to it on which anything can happen.
import type { LeaseClaim, LeasePort, LeaseRecord, Written } from '../../../src/leader/index.ts';
import type { SimulatedProcess, World } from './simulated-world.ts';

export interface LeaseServer {
  read(): LeaseRecord | undefined;
  create(claim: LeaseClaim): Written;
  update(record: LeaseRecord): Written;
  /** Somebody changes it past the candidates; without anything to change, as when a label is set. */
  edit(change: Partial<LeaseClaim>): void;
  remove(): void;
}

export function leaseServer(): LeaseServer {
  let record: LeaseRecord | undefined;
  let version = 0;
  const store = (claim: LeaseClaim): Written => {
    record = { ...claim, version: String((version += 1)) };
    return { type: 'written', record };
  };
  return {
    read: () => record,
    create: (claim) => (record === undefined ? store(claim) : { type: 'conflict' }),
    update: (wanted) => (record?.version === wanted.version ? store(wanted) : { type: 'conflict' }),
    edit(change) {
      if (record !== undefined) store({ ...record, ...change });
    },
    remove() {
      record = undefined;
    },
  };
}

export type Operation = 'read' | 'create' | 'update';

/** What becomes of a request. What is left out never happens. */
export interface Fate {
  /** After it was sent. */
  readonly arrivesIn?: number;
  /** After it arrived. */
  readonly answeredIn?: number;
  /** The sender is told that the connection was cut, so long after it sent. */
  readonly cutIn?: number;
}

interface Way {
  readonly world: World;
  readonly process: SimulatedProcess;
  readonly fate: (operation: Operation) => Fate;
}

/** Who gives up a request takes nothing back: what is on its way arrives all the same. */
export function simulatedLease(server: LeaseServer, { world, process, fate }: Way): LeasePort {
  const send = <T>(operation: Operation, carryOut: () => T): Promise<T> => {
    const { arrivesIn, answeredIn, cutIn } = fate(operation);
    const { promise, resolve, reject } = Promise.withResolvers<T>();
    if (arrivesIn !== undefined) {
      world.in(arrivesIn, () => {
        const answer = carryOut();
        if (answeredIn !== undefined) process.deliverIn(answeredIn, () => resolve(answer));
      });
    }
    if (cutIn !== undefined) process.deliverIn(cutIn, () => reject(new Error('the connection was cut')));
    return promise;
  };
  return {
    read: () => send('read', () => server.read()),
    create: (claim) => send('create', () => server.create(claim)),
    update: (record) => send('update', () => server.update(record)),
  };
}
