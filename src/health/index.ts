// A live object, its pods and the time in → whether it is well and, if not, why, out. Pure.
export { applicationHealth } from './application-health.ts';
export { healthOf, type HealthContext } from './health-of.ts';
export { loadHealthRules } from './load-health-rules.ts';
export type { HealthRules } from './rules/compile-health-rules.ts';
