import { randomBytes } from 'node:crypto';
import { mkdir, readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { emptyStatus, isObject, parseJson, SetpointError, stringifyJson, type AppStatus, type Json, type JsonObject } from '../model/index.ts';
import { isNews } from './is-news.ts';
import { writeWhole } from './write-whole.ts';

/** A folder that holds what must outlive the process. One process writes it; others may read. */
export interface StateFolder {
  /** Random, made once: keys the hashes that are stored. */
  readonly salt: string;
  read(name: string): Promise<AppStatus>;
  /** Changes of one application happen one after the other, each on disk before the next begins, unless only the time of the look is new. */
  update(name: string, change: (current: AppStatus) => AppStatus): Promise<AppStatus>;
  /** Says that the agent is alive, and vouches for what is recorded. */
  beat(heartbeat: Heartbeat): Promise<void>;
}

export interface Heartbeat {
  readonly aliveAt: string;
  readonly intervalMs: number;
  /** The applications that it looks after. */
  readonly applications: readonly string[];
}

const formatVersion = 2;

export async function openStateFolder(folder: string): Promise<StateFolder> {
  await mkdir(join(folder, 'apps'), { recursive: true, mode: 0o700 }).catch((cause: Error) => {
    throw new SetpointError('StateInvalid', `the state folder ${folder} cannot be made: ${cause.message}`, { cause });
  });
  const salt = await readOrMakeSalt(join(folder, 'salt'));
  const queues = new Map<string, Promise<unknown>>();
  const known = new Map<string, AppStatus>();
  const read = async (name: string): Promise<AppStatus> => {
    const status = known.get(name) ?? (await readStatus(fileOf(folder, name), name));
    known.set(name, status);
    return status;
  };
  return {
    salt,
    read,
    update(name, change) {
      const previous = queues.get(name) ?? Promise.resolve();
      const next = previous.then(async () => {
        const current = await read(name);
        const changed = change(current);
        if (isNews(current, changed)) await writeWhole(fileOf(folder, name), stringifyJson({ formatVersion, ...(changed as unknown as Record<string, Json>) }, 2));
        known.set(name, changed);
        return changed;
      });
      queues.set(name, next.catch(() => undefined));
      return next;
    },
    beat: (heartbeat) => writeWhole(join(folder, 'agent.json'), stringifyJson(heartbeat as unknown as Json, 2)),
  };
}

/** What another process keeps in a state folder. Undefined where no agent ever has. */
export async function readStateFolder(folder: string): Promise<{ readonly heartbeat: Heartbeat | undefined; readonly statuses: readonly AppStatus[] } | undefined> {
  const files = await readdir(join(folder, 'apps')).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return undefined;
    throw new SetpointError('StateInvalid', `the state folder ${folder} cannot be read: ${error.message}`, { cause: error });
  });
  if (files === undefined) return undefined;
  const names = files.filter((file) => file.endsWith('.json')).map((file) => decodeURIComponent(file.replace(/\.json$/, '')));
  const statuses = await Promise.all(names.toSorted().map((name) => readStatus(fileOf(folder, name), name)));
  const beat = await readFile(join(folder, 'agent.json'), 'utf8').catch(() => undefined);
  return { heartbeat: beat === undefined ? undefined : (parseJson(beat) as unknown as Heartbeat), statuses };
}

function fileOf(folder: string, name: string): string {
  return join(folder, 'apps', `${encodeURIComponent(name)}.json`);
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
    if (!isObject(stored)) throw invalid(`a status of format ${formatVersion}`);
    const { formatVersion: version, ...status } = stored;
    if (version !== formatVersion && version !== 1) throw invalid(`a status of format ${formatVersion}`);
    return { ...emptyStatus(name), ...(onlyKnown(version === 1 ? fromFormat1(status) : status) as unknown as AppStatus) };
  } catch (cause) {
    throw cause instanceof SetpointError ? cause : invalid('JSON', cause);
  }
}

/** Earlier releases kept more. */
function onlyKnown(status: JsonObject): JsonObject {
  const fields = emptyStatus('');
  return Object.fromEntries(Object.entries(status).filter(([field]) => Object.hasOwn(fields, field)));
}

/** Until format 2 an application had episodes only as a whole: what is open is found again by the next look. */
function fromFormat1({ episodes: _episodes, ...status }: JsonObject): JsonObject {
  return status;
}

async function readOrMakeSalt(file: string): Promise<string> {
  const stored = await readFile(file, 'utf8').catch(() => undefined);
  if (stored !== undefined && stored !== '') return stored;
  const salt = randomBytes(16).toString('hex');
  await writeWhole(file, salt);
  return salt;
}
