interface Traits {
  /** Means something only where one application is named, or only where they are in the cluster. */
  readonly only?: 'single' | 'cluster';
  /** All of it, the user and password of a URL, or what follows `NAME=`. */
  readonly secret?: 'all' | 'login' | 'values';
  /** Too much for a flag. */
  readonly fileOnly?: true;
}

/** Everything that can be said, in the order in which it is shown. A key is a flag and a variable of the same name, too. */
export const configKeys = {
  repo: { secret: 'login' },
  filename: {},
  path: { only: 'single' },
  revision: { only: 'single' },
  mode: { only: 'single' },
  name: { only: 'single' },
  namespace: { only: 'single' },
  sourceKind: { only: 'single' },
  include: { only: 'single' },
  exclude: { only: 'single' },
  values: { only: 'single' },
  set: { only: 'single', secret: 'values' },
  setString: { only: 'single', secret: 'values' },
  releaseName: { only: 'single' },
  kubeVersion: { only: 'single' },
  apiVersions: { only: 'single' },
  skipCrds: { only: 'single' },
  namespaces: { only: 'cluster' },
  agentNamespace: { only: 'cluster' },
  lease: { only: 'cluster' },
  leaseDuration: { only: 'cluster' },
  interval: {},
  sweep: {},
  looksAtOnce: {},
  state: {},
  redis: { secret: 'all' },
  notifyWebhook: { secret: 'all' },
  destinations: { fileOnly: true },
  alerts: { fileOnly: true },
  listenHooks: {},
  receivers: { fileOnly: true },
  listenOperations: {},
  healthRules: { fileOnly: true },
  gitCredentials: {},
  ignoreRules: {},
  renderer: {},
  kubeconfig: {},
  context: {},
  clusterName: {},
  logFormat: {},
  logLevel: {},
} as const satisfies Record<string, Traits>;

export type ConfigKey = keyof typeof configKeys;

export const configKeyNames = Object.keys(configKeys) as readonly ConfigKey[];

export function isConfigKey(name: string): name is ConfigKey {
  return Object.hasOwn(configKeys, name);
}

export function traitsOf(key: ConfigKey): Traits {
  return configKeys[key];
}

/** `notifyWebhook` is `--notify-webhook`. */
export function flagOf(key: ConfigKey): string {
  return `--${key.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`;
}

/** `notifyWebhook` is `SETPOINT_NOTIFY_WEBHOOK`. */
export function variableOf(key: ConfigKey): string {
  return `SETPOINT_${key.replaceAll(/[A-Z]/g, (letter) => `_${letter}`).toUpperCase()}`;
}
