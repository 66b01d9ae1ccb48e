// Steps of a plan in → their outcomes out, through an injected applier. Decides nothing.
export { carryOut, type Applier } from './carry-out.ts';
