import { z } from 'zod';
import { checkSourcePath } from '../model/index.ts';
import { alertsSchema } from './alerts-schema.ts';
import type { ConfigKey } from './config-keys.ts';
import { destinationsSchema } from './destination-schema.ts';
import { choice, count, duration, isWebUrl, label, list, orUndefined, parsed, path, pattern, text, truth } from './fields.ts';
import { parseListen } from './listen-address.ts';
import { healthRulesSchema } from './health-rule-schema.ts';
import { receiversSchema } from './receiver-schema.ts';

const listen = 'HOST:PORT, such as 127.0.0.1:8081, or 0.0.0.0:8081 for all addresses';
const assignment = pattern(/^[^=]+=/, 'NAME=VALUE');

/** Longer ones would overflow Node's timers, which then fire at once. */
const longest = '24h';

export const settingsSchema = z.strictObject({
  repo: text('a Git URL or a local path').optional(),
  filename: path().optional(),
  path: parsed('a folder or file inside the repository', (given) => orUndefined(() => checkSourcePath(given))),
  revision: text('a branch, tag or commit'),
  mode: choice(['alert', 'auto']),
  name: pattern(/^[\w.-]{1,100}$/, '1 to 100 letters, digits, dots, dashes and underscores').optional(),
  namespace: label().optional(),
  sourceKind: choice(['directory', 'helm', 'kustomize']).optional(),
  include: text('a glob').optional(),
  exclude: text('a glob').optional(),
  values: list(text('a file')),
  set: list(assignment),
  setString: list(assignment),
  releaseName: text().optional(),
  kubeVersion: text('a version').optional(),
  apiVersions: list(text('an API version')),
  skipCrds: truth(),
  namespaces: namespaces('all, or names of namespaces with commas between them'),
  agentNamespace: label(),
  lease: pattern(/^(?=.{1,253}$)[a-z0-9](?:[-.a-z0-9]*[a-z0-9])?$/, 'a name of 1 to 253 small letters, digits, dashes and dots'),
  leaseDuration: duration('4s', '5m'),
  interval: duration('1s', longest),
  sweep: duration('1s', longest),
  looksAtOnce: count(1, 100),
  state: path(),
  redis: pattern(/^rediss?(?:\+sentinel|\+cluster)?:\/\/\S+$/i, 'a redis:// or rediss:// URL').optional(),
  notifyWebhook: parsed('an http:// or https:// URL without user and password', (given) => (isWebUrl(given.trimEnd()) ? given.trimEnd() : undefined)).optional(),
  destinations: destinationsSchema.optional(),
  alerts: alertsSchema.optional(),
  listenHooks: parsed(listen, parseListen),
  receivers: receiversSchema,
  listenOperations: parsed(`${listen}, or none`, (given) => (given === 'none' ? given : parseListen(given))),
  healthRules: healthRulesSchema,
  gitCredentials: path().optional(),
  ignoreRules: path().optional(),
  renderer: choice(['wasm', 'binaries']),
  kubeconfig: path().optional(),
  context: text('a name').optional(),
  clusterName: pattern(/^\S(?:.{0,251}\S)?$/, '1 to 253 characters').optional(),
  logFormat: choice(['text', 'json']).optional(),
  logLevel: choice(['debug', 'info', 'warn', 'error']).optional(),
} satisfies Record<ConfigKey, z.ZodType>);

/** Everything that was said or has a default, read: durations are milliseconds. */
export type Settings = Said<z.output<typeof settingsSchema>>;
type Said<Values> = { readonly [Key in keyof Values]: Exclude<Values[Key], undefined> };

/** One place need not say everything. */
export const layerSchema = settingsSchema.partial();

export type LayerValues = Said<z.output<typeof layerSchema>>;

function namespaces(wanted: string) {
  return z.unknown().transform((given, context): 'all' | readonly string[] => {
    if (given === 'all') return given;
    const names = typeof given === 'string' ? given.split(',').map((name) => name.trim()).filter((name) => name !== '') : given;
    const { success, data } = z.array(label()).min(1).safeParse(names);
    // A namespace that is named twice is watched once.
    if (success) return [...new Set(data)];
    context.issues.push({ code: 'custom', message: wanted, input: given });
    return z.NEVER;
  });
}
