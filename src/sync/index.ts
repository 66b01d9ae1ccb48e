// Steps of a plan in → their outcomes out, through an injected applier. Decides nothing.
export type { Applier } from './applier.ts';
export { carryOut, stopping } from './carry-out.ts';
export { createApplier, type ApplierDependencies, type ClusterWrites } from './create-applier.ts';
