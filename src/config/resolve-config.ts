import { SetpointError, type Json, type RenderOptions } from '../model/index.ts';
import type { AgentConfig, Scope } from './agent-config.ts';
import { alertingOf } from './alerting-of.ts';
import { checkAlerting } from './check-alerting.ts';
import { checkLayer } from './check-layer.ts';
import { checkScope, misspeltVariables, scopeType } from './check-scope.ts';
import { configFileLayer, type ConfigFile } from './config-file-layer.ts';
import { traitsOf, type ConfigKey } from './config-keys.ts';
import { deepFreeze } from './deep-freeze.ts';
import { defaultLayer, type Surroundings } from './default-layer.ts';
import { flagLayer, variableLayer } from './layer.ts';
import type { Origin } from './origin.ts';
import { nameFor, repositoryAddress } from './repository-address.ts';
import { lastWords } from './said.ts';
import type { Settings } from './settings-schema.ts';
import { shownValue } from './shown-value.ts';

export interface ConfigInput extends Surroundings {
  /** Those that were given, by key. */
  readonly flags: Readonly<Record<string, unknown>>;
  /** The first goes first. */
  readonly files: readonly ConfigFile[];
  readonly cwd: string;
  /** What the flags about rendering come to. */
  readonly renderOptionsOf: (settings: Settings) => RenderOptions;
}

export interface ResolvedConfig {
  readonly config: AgentConfig;
  /** As they were said, secrets and all. */
  readonly settings: Settings;
  readonly origins: Readonly<Partial<Record<ConfigKey, Origin>>>;
  /** As they may be shown. */
  readonly shown: Readonly<Partial<Record<ConfigKey, Json>>>;
  /** Those that were read, as people know them. */
  readonly files: readonly string[];
  readonly warnings: readonly string[];
}

/** Flags go before variables, before files, before defaults. Whatever is wrong, also where something else goes before it, is told at once. */
export function resolveConfig(input: ConfigInput): ResolvedConfig {
  const given = [flagLayer(input.flags), variableLayer(input.env), ...input.files.map(configFileLayer)].map(checkLayer);
  refuse(given.flatMap(({ problems }) => problems));
  const words = lastWords(given);
  const [remarks, onAlerting] = [checkScope(words), checkAlerting(words)];
  const scope = scopeType(words);
  const defaults = checkLayer(defaultLayer(words, input));
  refuse([...remarks.problems, ...onAlerting.problems, ...defaults.problems]);

  const layers = [...given, defaults];
  const said = [...lastWords(layers)].filter(([key]) => (traitsOf(key).only ?? scope) === scope);
  // The defaults say something about every key that must have a value in this scope.
  const settings = Object.fromEntries(said.map(([key, { value }]) => [key, value])) as Settings;
  return deepFreeze({
    config: agentConfig(settings, input),
    settings,
    origins: Object.fromEntries(said.map(([key, { origin }]) => [key, origin])),
    shown: Object.fromEntries(said.map(([key, { value, raw }]) => [key, shownValue(key, value, raw)])),
    files: input.files.map(({ path }) => path),
    warnings: [...remarks.warnings, ...onAlerting.warnings, ...misspeltVariables(input.env)],
  });
}

function refuse(problems: readonly string[]): void {
  if (problems.length > 0) throw new SetpointError('Usage', problems.join('; '));
}

function agentConfig(settings: Settings, input: ConfigInput): AgentConfig {
  const { interval, sweep, looksAtOnce, state, redis, listenHooks, receivers, listenOperations, healthRules, clusterName } = settings;
  return {
    scope: scopeOf(settings, input),
    intervalMs: interval,
    sweepMs: sweep,
    looksAtOnce,
    stateFolder: state,
    clusterName,
    redisUrl: redis,
    alerting: alertingOf(settings),
    hooks: receivers.length === 0 ? undefined : { listen: listenHooks, receivers },
    operations: listenOperations === 'none' ? undefined : listenOperations,
    healthRules,
  };
}

function scopeOf(settings: Settings, { cwd, renderOptionsOf }: ConfigInput): Scope {
  const { repo, filename, path, revision, name, namespace, mode, namespaces, agentNamespace, lease, leaseDuration } = settings;
  if (repo !== undefined) {
    const repository = repositoryAddress(repo, cwd);
    const source = { repository, revision, path, ref: undefined, options: renderOptionsOf(settings) };
    return { type: 'single', name: name ?? nameFor(repository, path), source, namespace, mode };
  }
  return filename === undefined ? { type: 'cluster', namespaces, agentNamespace, lease, leaseMs: leaseDuration } : { type: 'files', path: filename };
}
