import type { Application, AppStatus, Destination, Silence } from '../model/index.ts';

/** Where statuses live, alerts included. Changes of one application happen one after the other. */
export interface AlertStore {
  read(id: string): Promise<AppStatus>;
  update(id: string, change: (current: AppStatus) => AppStatus): Promise<AppStatus>;
}

/** Keys that wait to be sent to one destination: ids of notifications, and nothing else. */
export interface DeliveryQueue {
  /** Wants `key` worked on. One that waits is not added twice; one being worked on runs once more. */
  add(key: string): Promise<void>;
  /** Starts taking keys. A handler that throws has its key tried again. */
  start(handler: (key: string, signal: AbortSignal) => Promise<void>): void;
  close(): Promise<void>;
}

export interface Clock {
  readonly now: () => Date;
  readonly random: () => number;
  /** Returns the way to call it off. */
  readonly setTimer: (callback: () => void, delayMs: number) => () => void;
}

/** Told what becomes of deliveries. */
export interface DeliveryReport {
  attempted(destination: string, result: 'sent' | 'failed', details: { readonly notification: string; readonly why?: string; readonly afterMs?: number }): void;
  /** Nothing more is sent there. */
  gone(destination: string, why: string): void;
  /** Something could not be done now and will be tried again. */
  hindered(what: string, error: Error): void;
}

export interface DispatchPorts {
  readonly store: AlertStore;
  readonly applications: () => readonly Application[];
  readonly destinations: ReadonlyMap<string, Destination>;
  readonly queues: ReadonlyMap<string, DeliveryQueue>;
  readonly silences: () => readonly Silence[];
  /** Throws where another process may be at it. */
  readonly mayWrite: () => void;
  readonly newId: () => string;
  readonly clock: Clock;
  readonly cluster: string;
  readonly report: DeliveryReport;
}
