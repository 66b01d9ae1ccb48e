// Flags and environment in → one frozen, validated configuration out.
export { parseDuration } from './duration.ts';
export { resolveRunConfig, type RunConfig, type RunFlags } from './run-config.ts';
export { cacheFolder } from './cache-folder.ts';
