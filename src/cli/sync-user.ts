import { userInfo } from 'node:os';

/** Who asks, as the machine calls them: for people who wonder, and proof of nothing. */
export function userName(env: NodeJS.ProcessEnv): string {
  try {
    return userInfo().username;
  } catch {
    // An account that has no name, as in many containers.
    return env['USER'] ?? '';
  }
}
