// Requests of Git hosts, probes and Prometheus in → hints that references moved, health and metrics out; touches its two HTTP listeners.
export { checkReceivers } from './check-receivers.ts';
export { createServer, type Server, type ServerOptions } from './create-server.ts';
export { hintConcerns, type Hint } from './hint.ts';
export type { HookResult } from './hook-result.ts';
export type { ProviderName } from './providers/providers.ts';
export type { Receiver } from './receiver.ts';
export type { Check } from './run-checks.ts';
