import { scopeType } from './check-scope.ts';
import { configKeyNames, traitsOf } from './config-keys.ts';
import { defaultAlerts } from './default-alerts.ts';
import type { Layer } from './layer.ts';
import type { Origin } from './origin.ts';
import type { AllSaid } from './said.ts';
import type { Settings } from './settings-schema.ts';
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

/** All keys that mean something after what was said, and need a value, have one here. */
export function defaultLayer(said: AllSaid, { env, account }: Surroundings): Layer {
  const scope = scopeType(said);
  const namespace = agentNamespace(env, account);
  const all: Readonly<Record<string, unknown>> = {
    ...fixedDefaults,
    agentNamespace: namespace.name,
    state: stateFolder(env),
    ...(hasDestinations(said) && { alerts: defaultAlerts }),
    // Nobody watches the health of what someone runs in a terminal.
    listenOperations: scope === 'single' ? 'none' : '127.0.0.1:8081',
  };
  return {
    raw: Object.fromEntries(configKeyNames.filter((key) => all[key] !== undefined && (traitsOf(key).only ?? scope) === scope).map((key) => [key, all[key]])),
    originOf: ([key]) => (key === 'agentNamespace' ? namespace.origin : { type: 'default' }),
  };
}

function hasDestinations(said: AllSaid): boolean {
  return ((said.get('destinations')?.value as Settings['destinations']) ?? []).length > 0;
}

function agentNamespace(env: NodeJS.ProcessEnv, account: AccountNamespace | undefined): { readonly name: string; readonly origin: Origin } {
  if (env['POD_NAMESPACE']) return { name: env['POD_NAMESPACE'], origin: { type: 'variable', name: 'POD_NAMESPACE' } };
  if (account !== undefined) return { name: account.name, origin: { type: 'file', file: account.file, line: 1 } };
  return { name: 'setpoint', origin: { type: 'default' } };
}
