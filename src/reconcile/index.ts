// An application in → its verdict, recorded and acted upon, out. Touches the world through the ports only.
export { compareAll, type Standing } from './compare-all.ts';
export { createMemory } from './memory.ts';
export { createDesiredState } from './desired-state.ts';
export { deliverAlerts } from './deliver-alerts.ts';
export type { Ports, WatchPort, WorkQueue } from './ports.ts';
export { reconcile } from './reconcile.ts';
