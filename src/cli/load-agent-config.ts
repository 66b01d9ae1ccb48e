import { loadConfig, type ResolvedConfig } from '../config/index.ts';
import { renderOptionsFrom } from './render-options.ts';

/** The configuration that a process with these flags has. */
export function loadAgentConfig({ config: named, ...flags }: Readonly<Record<string, unknown>>, process: NodeJS.Process): Promise<ResolvedConfig> {
  const request = { flags, env: process.env, cwd: process.cwd(), renderOptionsOf: renderOptionsFrom };
  return loadConfig({ ...request, named: typeof named === 'string' ? named : undefined }, new AbortController().signal);
}
