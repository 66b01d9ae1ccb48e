// Flags, environment and configuration files in → one frozen, validated configuration out; touches those files.
export type { AgentConfig, Alerting, ReceiverConfig, Scope } from './agent-config.ts';
export { cacheFolder } from './cache-folder.ts';
export { configKeyNames, traitsOf, type ConfigKey } from './config-keys.ts';
export { parseDuration } from './duration.ts';
export { checkConfigFile, loadConfig } from './load-config.ts';
export { slipsBetween } from './nearest-name.ts';
export { showOrigin } from './origin.ts';
export type { ResolvedConfig } from './resolve-config.ts';
export { stateFolder } from './state-folder.ts';
export { withRepository } from './with-repository.ts';
