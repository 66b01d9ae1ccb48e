import { homedir } from 'node:os';
import { join } from 'node:path';
import { checkSourcePath, SetpointError, type Mode, type RenderOptions, type Source } from '../model/index.ts';
import { parseDuration } from './duration.ts';

/** As the command line gives them; each has an environment variable of the same name. */
export interface RunFlags {
  readonly repo: string;
  readonly path: string;
  readonly revision: string;
  readonly mode: Mode;
  readonly name?: string;
  readonly namespace?: string;
  readonly interval: string;
  readonly redis?: string;
  readonly notifyWebhook?: string;
  readonly state?: string;
}

export interface RunConfig {
  readonly source: Source;
  readonly name: string;
  readonly namespace: string | undefined;
  readonly mode: Mode;
  readonly intervalMs: number;
  readonly redisUrl: string | undefined;
  readonly webhookUrl: string | undefined;
  readonly stateFolder: string;
}

const shortestIntervalMs = 1000;

interface Surroundings {
  /** The URL without credentials. */
  readonly repository: string;
  readonly options: RenderOptions;
  readonly env: NodeJS.ProcessEnv;
}

export function resolveRunConfig(flags: RunFlags, { repository, options, env }: Surroundings): RunConfig {
  const path = checkSourcePath(flags.path);
  const intervalMs = parseDuration(flags.interval);
  if (intervalMs < shortestIntervalMs) throw new SetpointError('Usage', `--interval is at least 1s, got ${flags.interval}`);
  return Object.freeze({
    source: Object.freeze({ repository, revision: flags.revision, path, ref: undefined, options }),
    name: checkName(flags.name ?? defaultName(repository, path)),
    namespace: flags.namespace,
    mode: flags.mode,
    intervalMs,
    redisUrl: flags.redis,
    webhookUrl: flags.notifyWebhook === undefined ? undefined : checkWebhookUrl(flags.notifyWebhook),
    stateFolder: flags.state ?? join(env['XDG_STATE_HOME'] ?? join(homedir(), '.local', 'state'), 'setpoint'),
  });
}

function defaultName(repository: string, path: string): string {
  const last = path.split('/').at(-1);
  const repositoryName = new URL(repository).pathname.replace(/\/+$/, '').split('/').at(-1)?.replace(/\.git$/, '');
  return last || repositoryName || 'application';
}

function checkName(name: string): string {
  if (/^[\w.-]{1,100}$/.test(name)) return name;
  throw new SetpointError('Usage', `--name is letters, digits, dots, dashes and underscores, got ${name}`);
}

/** The URL may hold a secret, so the message does not repeat it. */
function checkWebhookUrl(url: string): string {
  if (URL.canParse(url) && ['http:', 'https:'].includes(new URL(url).protocol)) return url;
  throw new SetpointError('Usage', '--notify-webhook wants an http:// or https:// URL');
}
