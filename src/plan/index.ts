// A judgement in → the ordered steps of a sync, refusals among them, out. Pure.
export { planSync } from './plan-sync.ts';
export { takeOver } from './take-over.ts';
