// An application in → its verdict, recorded and acted upon, out. Touches the world through the ports only.
export { compareAll } from './compare-all.ts';
export { createDesiredState } from './desired-state.ts';
export { deliverAlerts } from './deliver-alerts.ts';
export type { Ports, WorkQueue } from './ports.ts';
export { reconcile } from './reconcile.ts';
