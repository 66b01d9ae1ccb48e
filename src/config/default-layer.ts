import type { Scope } from './agent-config.ts';
import { configKeyNames, traitsOf } from './config-keys.ts';
import type { Layer } from './layer.ts';
import type { Origin } from './origin.ts';
import { stateFolder } from './state-folder.ts';

/** The namespace of the pod's own account. */
export interface AccountNamespace {
  readonly file: string;
  readonly name: string;
}

export interface Surroundings {
  readonly env: NodeJS.ProcessEnv;
  readonly account: AccountNamespace | undefined;
}

/** What holds where nobody says anything, written as in a file. */
export const fixedDefaults = {
  path: '',
  revision: 'main',
  mode: 'alert',
  values: [],
  set: [],
  setString: [],
  apiVersions: [],
  skipCrds: false,
  namespaces: 'all',
  lease: 'setpoint-agent',
  leaseDuration: '15s',
  interval: '60s',
  sweep: '30m',
  looksAtOnce: 8,
  listenHooks: '127.0.0.1:8080',
  receivers: [],
  healthRules: [],
  renderer: 'wasm',
} as const;

/** All keys that mean something in this scope and need a value have one here. */
export function defaultLayer(scope: Scope['type'], { env, account }: Surroundings): Layer {
  const namespace = agentNamespace(env, account);
  const all: Readonly<Record<string, unknown>> = {
    ...fixedDefaults,
    agentNamespace: namespace.name,
    state: stateFolder(env),
    // Nobody watches the health of what someone runs in a terminal.
    listenOperations: scope === 'single' ? 'none' : '127.0.0.1:8081',
  };
  return {
    raw: Object.fromEntries(configKeyNames.filter((key) => all[key] !== undefined && (traitsOf(key).only ?? scope) === scope).map((key) => [key, all[key]])),
    originOf: ([key]) => (key === 'agentNamespace' ? namespace.origin : { type: 'default' }),
  };
}

function agentNamespace(env: NodeJS.ProcessEnv, account: AccountNamespace | undefined): { readonly name: string; readonly origin: Origin } {
  if (env['POD_NAMESPACE']) return { name: env['POD_NAMESPACE'], origin: { type: 'variable', name: 'POD_NAMESPACE' } };
  if (account !== undefined) return { name: account.name, origin: { type: 'file', file: account.file, line: 1 } };
  return { name: 'setpoint', origin: { type: 'default' } };
}
