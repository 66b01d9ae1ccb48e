// Rules about what may differ in → objects in which that is as live has it out. Pure.
export { alsoIgnoring } from './also-ignoring.ts';
export { isIgnored } from './is-ignored.ts';
export { leftAsLive } from './left-as-live.ts';
export { joinIgnoreRules, type IgnoreRules } from './ignore-rules.ts';
export { neutralise } from './neutralise.ts';
export type { ObjectIgnores } from './object-ignores.ts';
export { parseIgnoreRules } from './parse-rules.ts';
