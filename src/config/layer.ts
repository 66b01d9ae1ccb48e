import { configKeyNames, flagOf, traitsOf, variableOf, type ConfigKey } from './config-keys.ts';
import type { Origin } from './origin.ts';

/** What one place says, not yet looked at. */
export interface Layer {
  /** Only what is said there. */
  readonly raw: Readonly<Record<string, unknown>>;
  originOf(path: readonly PropertyKey[]): Origin;
  /** Where relative paths start, if not where the process does. */
  readonly folder?: string;
}

export function flagLayer(flags: Readonly<Record<string, unknown>>): Layer {
  return {
    raw: Object.fromEntries(configKeyNames.flatMap((key) => (flags[key] === undefined ? [] : [[key, flags[key]]]))),
    originOf: ([key]) => ({ type: 'flag', name: flagOf(key as ConfigKey) }),
  };
}

/** An empty variable is one that is not set: pods often have them. Unknown ones are none of our business: Kubernetes makes some for a Service of our name. */
export function variableLayer(env: NodeJS.ProcessEnv): Layer {
  const keys = configKeyNames.filter((key) => traitsOf(key).fileOnly !== true && env[variableOf(key)]);
  return {
    raw: Object.fromEntries(keys.map((key) => [key, env[variableOf(key)]])),
    originOf: ([key]) => ({ type: 'variable', name: variableOf(key as ConfigKey) }),
  };
}
