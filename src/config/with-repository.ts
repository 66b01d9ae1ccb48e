import type { AgentConfig } from './agent-config.ts';
import { deepFreeze } from './deep-freeze.ts';

/** The one application's repository under the URL that Git knows it by. */
export function withRepository(config: AgentConfig, repository: string): AgentConfig {
  const { scope } = config;
  if (scope.type !== 'single') return config;
  return deepFreeze({ ...config, scope: { ...scope, source: { ...scope.source, repository } } });
}
