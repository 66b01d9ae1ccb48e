import { randomBytes } from 'node:crypto';
import { mkdir, open, readFile, rename } from 'node:fs/promises';
import { join } from 'node:path';
import { emptyStatus, isObject, parseJson, SetpointError, stringifyJson, type AppStatus, type Json } from '../model/index.ts';

export interface StateFolder {
  /** Random, made once: keys the hashes that are stored. */
  readonly salt: string;
  read(name: string): Promise<AppStatus>;
  /** Changes of one application happen one after the other, each on disk before the next begins. */
  update(name: string, change: (current: AppStatus) => AppStatus): Promise<AppStatus>;
}

const formatVersion = 1;

export async function openStateFolder(folder: string): Promise<StateFolder> {
  await mkdir(join(folder, 'apps'), { recursive: true, mode: 0o700 }).catch((cause: Error) => {
    throw new SetpointError('StateInvalid', `the state folder ${folder} cannot be made: ${cause.message}`, { cause });
  });
  const salt = await readOrMakeSalt(join(folder, 'salt'));
  const queues = new Map<string, Promise<unknown>>();
  const fileOf = (name: string): string => join(folder, 'apps', `${encodeURIComponent(name)}.json`);
  const read = (name: string): Promise<AppStatus> => readStatus(fileOf(name), name);
  return {
    salt,
    read,
    update(name, change) {
      const previous = queues.get(name) ?? Promise.resolve();
      const next = previous.then(async () => {
        const current = await read(name);
        const changed = change(current);
        if (changed !== current) await writeWhole(fileOf(name), stringifyJson({ formatVersion, ...(changed as unknown as Record<string, Json>) }, 2));
        return changed;
      });
      queues.set(name, next.catch(() => undefined));
      return next;
    },
  };
}

async function readStatus(file: string, name: string): Promise<AppStatus> {
  const text = await readFile(file, 'utf8').catch((cause: NodeJS.ErrnoException) => {
    if (cause.code === 'ENOENT') return undefined;
    throw new SetpointError('StateInvalid', `${file} cannot be read: ${cause.message}`, { cause });
  });
  if (text === undefined) return emptyStatus(name);
  const invalid = (wanted: string, cause?: unknown): SetpointError =>
    new SetpointError('StateInvalid', `${file} is not ${wanted}: move it away to start from nothing`, { cause });
  try {
    const stored = parseJson(text);
    if (!isObject(stored) || stored['formatVersion'] !== formatVersion) throw invalid(`a status of format ${formatVersion}`);
    const { formatVersion: _version, ...status } = stored;
    return status as unknown as AppStatus;
  } catch (cause) {
    throw cause instanceof SetpointError ? cause : invalid('JSON', cause);
  }
}

async function readOrMakeSalt(file: string): Promise<string> {
  const stored = await readFile(file, 'utf8').catch(() => undefined);
  if (stored !== undefined && stored !== '') return stored;
  const salt = randomBytes(16).toString('hex');
  await writeWhole(file, salt);
  return salt;
}

/** A crash leaves the old file or the new one, never half of one. */
async function writeWhole(file: string, text: string): Promise<void> {
  const unfinished = `${file}.unfinished`;
  const handle = await open(unfinished, 'w', 0o600);
  try {
    await handle.writeFile(text);
    await handle.sync();
  } finally {
    await handle.close();
  }
  await rename(unfinished, file);
}
