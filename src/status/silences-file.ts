import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { isObject, parseJsonOrUndefined, SetpointError, silenceIn, stringifyJson, type Json, type JsonObject, type Silence } from '../model/index.ts';
import type { Log } from '../telemetry/index.ts';
import { writeBesideOthers } from './write-whole.ts';

export interface SilencesFileOptions {
  readonly log: Pick<Log, 'warn'>;
  readonly now: () => Date;
}

/** What keeps alerts quiet, in a state folder. */
export interface SilencesFile {
  /** Those that are over, and not removed yet, too. */
  read(signal: AbortSignal): Promise<readonly Silence[]>;
  /** On disk, whole, when it ends. Removes those that are over. */
  add(silence: Silence, signal: AbortSignal): Promise<void>;
  /** One that is not there has ended already. */
  end(id: string, signal: AbortSignal): Promise<void>;
}

const most = 500;

export function createSilencesFile(folder: string, { log, now }: SilencesFileOptions): SilencesFile {
  const file = join(folder, 'silences.json');

  /** By id; undefined where the file holds something else. */
  async function entries(signal: AbortSignal): Promise<JsonObject | undefined> {
    const text = await readFile(file, { encoding: 'utf8', signal }).catch((cause: NodeJS.ErrnoException) => {
      if (cause.code === 'ENOENT') return '{}';
      throw new SetpointError('StateInvalid', `${file} cannot be read: ${cause.message}`, { cause });
    });
    const stored = parseJsonOrUndefined(text);
    return isObject(stored) ? stored : undefined;
  }

  /** What somebody wrote there by hand is not thrown away. */
  async function entriesToChange(signal: AbortSignal): Promise<JsonObject> {
    const before = await entries(signal);
    if (before === undefined) throw new SetpointError('StateInvalid', `${file} holds no silences, but something else: move it away to start from nothing`);
    return before;
  }

  const write = (after: JsonObject): Promise<void> => writeBesideOthers(file, stringifyJson(after, 2));

  return {
    async read(signal) {
      const stored = await entries(signal);
      if (stored === undefined) log.warn('the silences cannot be understood, and have no effect', { file });
      const written = Object.entries(stored ?? {});
      if (written.length > most) log.warn('there are too many silences: some have no effect', { file, count: written.length, most });
      return written.slice(0, most).flatMap(([id, value]) => {
        const silence = silenceIn(id, value);
        if (silence === undefined) log.warn('a silence cannot be understood, and has no effect', { file, silence: id });
        return silence ?? [];
      });
    },
    async add({ id, ...silence }, signal) {
      const kept = Object.entries(await entriesToChange(signal)).filter(([key, value]) => !isOver(silenceIn(key, value), now()));
      if (kept.length >= most) throw new SetpointError('Usage', `${file} holds ${kept.length} silences, and ${most} are the most: end some with setpoint silences end`);
      await write(Object.fromEntries([...kept, [id, silence as unknown as Json]]));
    },
    async end(id, signal) {
      const before = Object.entries(await entriesToChange(signal));
      const after = before.filter(([key]) => key !== id);
      if (after.length < before.length) await write(Object.fromEntries(after));
    },
  };
}

function isOver(silence: Silence | undefined, now: Date): boolean {
  return silence !== undefined && Date.parse(silence.until) <= now.getTime();
}
