import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { isObject, muteIn, parseJsonOrUndefined, replayIn, SetpointError, stringifyJson, syncRequestIn, type ApplicationMute, type ApplicationPause, type Json, type JsonObject, type ReplayRequest, type SyncRequest } from '../model/index.ts';
import { writeBesideOthers } from './write-whole.ts';

/** What somebody asks of an application whose document they do not want to edit. */
export interface Control {
  /** Another text each time somebody asks for a look. */
  readonly refresh: string | undefined;
  readonly pause: ApplicationPause | undefined;
  readonly sync?: SyncRequest | undefined;
  readonly terminate?: string | undefined;
  readonly mute?: ApplicationMute | undefined;
  readonly replay?: ReplayRequest | undefined;
}

/** What is left out stays as it is; null takes it back. */
export interface ControlChange {
  readonly refresh?: string;
  readonly pause?: { readonly until?: string; readonly reason?: string } | null;
  readonly sync?: SyncRequest;
  readonly terminate?: string;
  readonly mute?: ApplicationMute | null;
  /** As in the annotation: it is read by `replayIn`. */
  readonly replay?: string;
}

/** All controls in a state folder, by application. One file that cannot be understood hurts only its own application. */
export async function readControls(folder: string): Promise<ReadonlyMap<string, Control>> {
  const names = await readdir(controlsFolder(folder)).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return [];
    throw unreadable(controlsFolder(folder), error);
  });
  const files = names.filter((name) => name.endsWith('.json')).toSorted();
  const entries = await Promise.all(
    files.map(async (name): Promise<readonly [string, Control][]> => {
      const id = idIn(name);
      const text = await readText(join(controlsFolder(folder), name));
      return id === undefined || text === undefined ? [] : [[id, controlIn(text)]];
    }),
  );
  return new Map(entries.flat());
}

/** On disk, whole, when it ends. Gives what holds then. */
export async function writeControl(folder: string, id: string, change: ControlChange): Promise<Control> {
  const file = fileOf(folder, id);
  const before = parseJsonOrUndefined((await readText(file)) ?? '{}');
  const { pause = null, mute = null, ...rest } = { ...(isObject(before) ? before : {}), ...(change as unknown as JsonObject) };
  const after = stringifyJson({ ...rest, ...(pause !== null && { pause }), ...(mute !== null && { mute }) }, 2);
  await writeBesideOthers(file, after);
  return controlIn(after);
}

/** Where the controls of a state folder lie. */
export function controlsFolder(folder: string): string {
  return join(folder, 'controls');
}

function fileOf(folder: string, id: string): string {
  return join(controlsFolder(folder), `${encodeURIComponent(id)}.json`);
}

function idIn(file: string): string | undefined {
  try {
    return decodeURIComponent(file.replace(/\.json$/, ''));
  } catch {
    return undefined;
  }
}

async function readText(file: string): Promise<string | undefined> {
  return readFile(file, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return undefined;
    throw unreadable(file, error);
  });
}

function unreadable(what: string, cause: NodeJS.ErrnoException): SetpointError {
  return new SetpointError('StateInvalid', `${what} cannot be read: ${cause.message}`, { cause });
}

function controlIn(text: string): Control {
  const stored = parseJsonOrUndefined(text);
  // Somebody wanted something, perhaps a pause: to go on changing the cluster would be the worse mistake.
  if (!isObject(stored)) return { refresh: undefined, pause: { until: undefined, reason: 'the control file cannot be understood: remove it, or run setpoint resume' } };
  const [sync, terminate] = [syncRequestIn(stored['sync']), textOf(stored['terminate'])];
  const [mute, replay] = [muteIn(stored['mute']), replayIn(textOf(stored['replay']) ?? '')];
  return {
    ...{ refresh: textOf(stored['refresh']), pause: pauseIn(stored['pause']) },
    ...(sync !== undefined && { sync }),
    ...(terminate !== undefined && { terminate }),
    ...(mute !== undefined && { mute }),
    ...(replay !== undefined && { replay }),
  };
}

function pauseIn(stored: Json | undefined): ApplicationPause | undefined {
  if (stored === undefined || stored === null || stored === false) return undefined;
  const { until, reason } = isObject(stored) ? stored : {};
  const end = Date.parse(textOf(until) ?? '');
  return { until: Number.isNaN(end) ? undefined : new Date(end).toISOString(), reason: textOf(reason) };
}

function textOf(value: Json | undefined): string | undefined {
  return typeof value === 'string' ? value : undefined;
}
