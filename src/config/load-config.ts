import { readFile } from 'node:fs/promises';
import type { AccountNamespace } from './default-layer.ts';
import { findConfigFiles, readConfigFile } from './find-config-files.ts';
import type { ConfigInput, ResolvedConfig } from './resolve-config.ts';

export interface ConfigRequest extends Pick<ConfigInput, 'flags' | 'env' | 'cwd' | 'renderOptionsOf'> {
  /** What --config says. */
  readonly named: string | undefined;
  /** Where a pod finds the namespace that it is in. */
  readonly accountFile?: string;
}

const podAccountFile = '/var/run/secrets/kubernetes.io/serviceaccount/namespace';

/** Reads what there is to read. The libraries for it are loaded here, so that who needs no configuration need not wait for them. */
export async function loadConfig({ named, accountFile = podAccountFile, ...request }: ConfigRequest, signal: AbortSignal): Promise<ResolvedConfig> {
  const [files, account, { resolveConfig }] = await Promise.all([
    findConfigFiles({ ...request, named }, signal),
    readAccountNamespace(accountFile, signal),
    import('./resolve-config.ts'),
  ]);
  return resolveConfig({ ...request, files, account });
}

async function readAccountNamespace(file: string, signal: AbortSignal): Promise<AccountNamespace | undefined> {
  // It is there in a pod only, and even there it may be left out.
  const name = await readFile(file, { encoding: 'utf8', signal }).catch(() => '');
  return name.trim() === '' ? undefined : { file, name: name.trim() };
}

/** What is wrong with one file, by itself; nothing, if it can be used. */
export async function checkConfigFile(file: { readonly path: string; readonly cwd: string }, signal: AbortSignal): Promise<readonly string[]> {
  const [read, { configProblems }] = await Promise.all([readConfigFile(file, signal), import('./config-problems.ts')]);
  return configProblems(read);
}
