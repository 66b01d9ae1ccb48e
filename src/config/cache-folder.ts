import { homedir } from 'node:os';
import { join } from 'node:path';

/** What may be thrown away at any time. */
export function cacheFolder(env: NodeJS.ProcessEnv): string {
  return join(env['XDG_CACHE_HOME'] || join(homedir(), '.cache'), 'setpoint');
}
