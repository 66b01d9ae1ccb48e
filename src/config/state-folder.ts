import { homedir } from 'node:os';
import { join } from 'node:path';

/** Where verdicts and alerts are kept unless someone says otherwise. */
export function stateFolder(env: NodeJS.ProcessEnv): string {
  return join(env['XDG_STATE_HOME'] || join(env['HOME'] || homedir(), '.local', 'state'), 'setpoint');
}
