// Resolves a configuration as a process would, with nothing said unless a test says it.
import { resolveConfig, type ConfigInput, type ResolvedConfig } from '../../../src/config/resolve-config.ts';

const nothing: ConfigInput = { flags: {}, env: { HOME: '/home/someone' }, files: [], cwd: '/work', account: undefined, renderOptionsOf: () => ({}) };

export function resolve(said: Partial<ConfigInput> = {}): ResolvedConfig {
  return resolveConfig({ ...nothing, ...said, env: { ...nothing.env, ...said.env } });
}

export function file(text: string, path = 'config.yaml'): ConfigInput['files'][number] {
  return { path, folder: '/etc/setpoint', text };
}
