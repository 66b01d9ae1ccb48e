// A lease that several agents want in → one of them leads at a time, under a number that only grows; touches the injected lease.
export { createElection, type Election } from './election.ts';
export type { LeaseClaim, LeasePort, LeaseRecord, Written } from './lease-port.ts';
export { defaultTiming, type Timing } from './timing.ts';
export type { SetTimer } from './timer.ts';
