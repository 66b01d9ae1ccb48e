// All that one look saw in → the ordered steps of a sync, waits and refusals among them, and how its record goes on, out. Pure.
export { beginOperation, confirmOperation } from './begin-operation.ts';
export { sourcesName, specName } from './begun-for.ts';
export { driftModes } from './drift-modes.ts';
export { foldOperation } from './fold-operation.ts';
export { hookRunAnnotation, isJudgedAlike, liveFacts, type LiveFacts } from './live-facts.ts';
export type { PlanInput } from './plan-input.ts';
export { namespaceKey } from './of-setpoint.ts';
export { planSync } from './plan-sync.ts';
export { isHook, readMarks, type Marks } from './read-marks.ts';
export { adoption } from './take-from.ts';
export { takeOver } from './take-over.ts';
export { trackedApplication, trackingId } from './tracking-id.ts';
