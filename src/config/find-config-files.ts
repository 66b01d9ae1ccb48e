import { readFile } from 'node:fs/promises';
import { homedir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { SetpointError, whyUnreadable } from '../model/index.ts';
import type { ConfigFile } from './config-file-layer.ts';

export interface Whereabouts {
  readonly env: NodeJS.ProcessEnv;
  readonly cwd: string;
  /** What --config says. */
  readonly named: string | undefined;
}

/** The file that is named, or those that are where they are looked for; the first goes first. */
export async function findConfigFiles({ env, cwd, named }: Whereabouts, signal: AbortSignal): Promise<readonly ConfigFile[]> {
  const chosen = named ?? env['SETPOINT_CONFIG'];
  if (chosen) return [await readConfigFile({ path: chosen, cwd }, signal)];
  const usual = ['.setpoint.yaml', join(env['XDG_CONFIG_HOME'] || join(env['HOME'] || homedir(), '.config'), 'setpoint', 'config.yaml')];
  const found = await Promise.all(usual.map((path) => readConfigFile({ path, cwd }, signal).catch(orNothing)));
  return found.filter((file) => file !== undefined);
}

export async function readConfigFile({ path, cwd }: { readonly path: string; readonly cwd: string }, signal: AbortSignal): Promise<ConfigFile> {
  const place = resolve(cwd, path);
  const text = await readFile(place, { encoding: 'utf8', signal }).catch((cause: unknown) => {
    throw new SetpointError('Usage', `the configuration ${path} cannot be read: ${whyUnreadable(cause)}`, { cause });
  });
  return { path, folder: dirname(place), text };
}

/** Only what is not there is nothing: a file that cannot be read says something that we would miss. */
function orNothing(error: SetpointError): undefined {
  const code = (error.cause as NodeJS.ErrnoException | undefined)?.code;
  if (code !== 'ENOENT' && code !== 'ENOTDIR') throw error;
}
