// An application in → its verdict, recorded and acted upon, out; and which application when. Touches the world through the ports only.
export { createBreakers } from './circuit-breaker.ts';
export { leftAlone } from './left-alone.ts';
export type { Clock } from './clock.ts';
export { compareAll, type Standing } from './compare-all.ts';
export { createController, type Declared } from './controller.ts';
export { driftRulesOf } from './drift-rules.ts';
export { createDesiredState } from './desired-state.ts';
export { progressOf } from './health-after.ts';
export { completed as completedInventory } from './inventory.ts';
export { leftBehind, readObjects } from './live-objects.ts';
export { createMemory } from './memory.ts';
export { planInputOf, runsOf } from './plan-input-of.ts';
export type { Observed } from './next-status.ts';
export type { Ports, WatchPort, WorkQueue } from './ports.ts';
export { createReferences, type Reference, type References } from './references.ts';
export { createStandings, type Standings } from './standings.ts';
export { warmUp } from './warm-up.ts';
