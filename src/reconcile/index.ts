// An application in → its verdict, recorded and acted upon, out; and which application when. Touches the world through the ports only.
export { createBreakers, type Breakers } from './circuit-breaker.ts';
export type { Clock } from './clock.ts';
export { compareAll, type Standing } from './compare-all.ts';
export { createController, type Controller, type Declared, type Pace, type Trigger } from './controller.ts';
export { createDesiredState } from './desired-state.ts';
export { deliverAlerts } from './deliver-alerts.ts';
export { createMemory } from './memory.ts';
export type { Observed } from './next-status.ts';
export type { Ports, WatchPort, WorkQueue } from './ports.ts';
export { createRateLimit } from './rate-limit.ts';
export { createReferences, type Reference, type References } from './references.ts';
export { reconcile } from './reconcile.ts';
export { createStandings, type Standings } from './standings.ts';
export { warmUp } from './warm-up.ts';
