import { setTimeout as sleep } from 'node:timers/promises';
import { childOf, isList, isObject, sameValue, SetpointError, type Application, type AppStatus, type Json, type JsonObject, type KubeObject, type Refusal } from '../model/index.ts';
import { applicationStatus } from './application-status.ts';
import { isNews } from './is-news.ts';
import { mergePatch } from './merge-patch.ts';
import { readApplicationStatus } from './read-application-status.ts';
import { recordsTruncated } from './records.ts';

/** The Applications in the cluster, as far as their statuses go. */
export interface ApplicationStore {
  /** As the watch last showed it; undefined where there is none. */
  find(id: string): KubeObject | undefined;
  /** As the server has it. */
  read(id: string, signal: AbortSignal): Promise<KubeObject | undefined>;
  patchStatus(
    id: string,
    status: JsonObject,
    options: { readonly resourceVersion: string; readonly signal: AbortSignal },
  ): Promise<Written | Refusal>;
}

type Written = { readonly type: 'written'; readonly object: KubeObject } | { readonly type: 'conflict' | 'gone' };

export interface ClusterStatusOptions {
  readonly store: ApplicationStore;
  readonly salt: string;
  /** Of this term: a status of a later one is not overwritten. */
  readonly epoch: number;
  /** For readers: whose lease vouches for it. */
  readonly lease: string;
  /** Throws where nothing may be written any more. */
  readonly mayWrite: () => void;
  readonly applicationOf: (id: string) => Application | undefined;
  readonly signal: AbortSignal;
  readonly now: () => Date;
  readonly random: () => number;
  /** Ends after so many milliseconds, or fails with the signal. */
  readonly pause?: (ms: number, signal: AbortSignal) => Promise<void>;
}

export interface ClusterStatus {
  readonly salt: string;
  read(id: string): Promise<AppStatus>;
  update(id: string, change: (current: AppStatus) => AppStatus, uid?: string): Promise<AppStatus>;
  /** Forgets what was remembered of an application that is gone. */
  forget(id: string): void;
}

interface Kept {
  readonly uid: string;
  readonly status: AppStatus;
  /** What was last written, by field: only what is new is sent. */
  readonly written: JsonObject;
  readonly resourceVersion: string;
}

const systemPause = (ms: number, signal: AbortSignal): Promise<void> => sleep(ms, undefined, { signal });
const attempts = 5;
const conflictMs = 50;

/** Statuses in the Applications themselves. One term's: it remembers what it wrote, and begins with what the term before it left. */
export function createClusterStatus(options: ClusterStatusOptions): ClusterStatus {
  const { store, salt, epoch, lease, mayWrite, applicationOf, signal, now, random, pause = systemPause } = options;
  const kept = new Map<string, Kept>();
  const turns = new Map<string, Promise<unknown>>();

  /** What is known, unless the watch has shown something newer. Undefined where there is no such Application. */
  async function current(id: string): Promise<Kept | undefined> {
    const seen = store.find(id);
    if (seen === undefined) return undefined;
    const known = kept.get(id);
    if (known === undefined) return ask(id);
    return isLater(versionOf(seen), known.resourceVersion) ? keep(id, seen, known) : known;
  }

  /** The watch may not have shown yet what the term before us wrote last, or a write of our own without an answer. */
  async function ask(id: string, known?: Kept): Promise<Kept | undefined> {
    const object = await store.read(id, signal);
    if (object === undefined) {
      kept.delete(id);
      return undefined;
    }
    const present = kept.get(id);
    const isFresh = present === undefined || isLater(versionOf(object), present.resourceVersion);
    return isFresh ? keep(id, object, known) : present;
  }

  /** What is known of a status stays while nobody else writes it: it is more than is written. */
  function keep(id: string, object: KubeObject, known?: Kept): Kept {
    const uid = text(object.metadata['uid']);
    const written = statusIn(object);
    const isOurs = known?.uid === uid && sameValue(known.written, written);
    const entry = entryOf(object, isOurs ? known.status : readApplicationStatus(id, written));
    kept.set(id, entry);
    return entry;
  }

  async function write(id: string, change: (current: AppStatus) => AppStatus, uid: string | undefined): Promise<AppStatus> {
    for (let attempt = 1; ; attempt += 1) {
      const before = await current(id);
      // Somebody deleted the Application: there is nothing to write to, and nobody to read it.
      if (before === undefined) return change(readApplicationStatus(id, undefined));
      checkEpoch(id, before);
      if (uid !== undefined && before.uid !== uid) throw Object.assign(new SetpointError('ObjectUnsettled', `${id} is another Application of that name by now`), { retry: 'soon' });
      const after = change(before.status);
      const patch = isNews(before.status, after) ? patchFor(id, before, after) : {};
      // Values are not shown: one that changes all the time would be written all the time.
      if (Object.keys(patch).every((field) => field === 'observedAt')) {
        kept.set(id, { ...before, status: after });
        return after;
      }
      const answer = await send(id, patch, before);
      if (answer.type === 'written') kept.set(id, entryOf(answer.object, after));
      if (answer.type !== 'conflict') return after;
      // Somebody else wrote: an annotation, the spec, or a status that is to be gone on from.
      kept.delete(id);
      await ask(id, before);
      if (attempt >= attempts) throw Object.assign(new SetpointError('ClusterError', `the status of ${id} changes too often to be written`), { retry: 'soon' });
      await pause(conflictMs * attempt * random(), signal);
    }
  }

  function patchFor(id: string, { written }: Kept, after: AppStatus): JsonObject {
    const shown = applicationStatus(after, applicationOf(id), now());
    return changed(written, { ...shown, conditions: sinceEarlier(shown['conditions'], written['conditions']), epoch, lease });
  }

  async function send(id: string, patch: JsonObject, { resourceVersion }: Kept): Promise<Written> {
    mayWrite();
    try {
      const answer = await store.patchStatus(id, patch, { resourceVersion, signal });
      if (!('message' in answer)) return answer;
      throw new SetpointError(answer.type === 'unknown' ? answer.code : 'ClusterError', `the status of ${id} was not taken: ${answer.message}`);
    } catch (error) {
      // It may have been carried out all the same.
      kept.delete(id);
      throw error;
    }
  }

  function checkEpoch(id: string, { written }: Kept): void {
    const theirs = typeof written['epoch'] === 'number' ? written['epoch'] : 0;
    if (theirs > epoch) throw new SetpointError('NotLeader', `the status of ${id} was written by a later agent (term ${theirs}, ours is ${epoch})`);
  }

  return {
    salt,
    read: async (id) => (await current(id))?.status ?? readApplicationStatus(id, undefined),
    update(id, change, uid) {
      const turn = (turns.get(id) ?? Promise.resolve()).then(() => write(id, change, uid));
      const quiet = turn.catch(() => undefined).finally(() => turns.get(id) === quiet && turns.delete(id));
      turns.set(id, quiet);
      return turn;
    },
    forget: (id) => void kept.delete(id),
  };
}

function entryOf(object: KubeObject, status: AppStatus): Kept {
  return { uid: text(object.metadata['uid']), status, written: statusIn(object), resourceVersion: versionOf(object) };
}

function statusIn(object: KubeObject): JsonObject {
  return isObject(object['status'] ?? null) ? (object['status'] as JsonObject) : {};
}

/** A condition that is found with each write is as old as it was at the first. */
function sinceEarlier(conditions: Json | undefined, earlier: Json | undefined): Json {
  const times = new Map((isList(earlier) ? earlier : []).map((condition) => [childOf(condition, 'type'), childOf(condition, 'lastTransitionTime')]));
  return (isList(conditions) ? conditions : []).map((condition) => {
    const time = childOf(condition, 'type') === recordsTruncated ? times.get(recordsTruncated) : undefined;
    return time === undefined || !isObject(condition) ? condition : { ...condition, lastTransitionTime: time };
  });
}

/** As a merge patch: what is the same is left out, what is gone is null. Fields that we do not know stay as they are. */
function changed(before: JsonObject, after: JsonObject): JsonObject {
  return Object.fromEntries(Object.entries(after).flatMap(([field, value]) => (isStored(before[field] ?? null, value) ? [] : [[field, replaced.has(field) ? inPlaceOf(before[field], value) : value]])));
}

/** The server keeps no null, at whatever depth. */
function isStored(before: Json, value: Json): boolean {
  return sameValue(before, value) || sameValue(before, mergePatch({}, { value })['value'] ?? null);
}

/** Another one each time: nothing of the one before may stay in it. */
const replaced: ReadonlySet<string> = new Set(['operation', 'answered']);

/** A merge patch keeps what it does not name: what is no longer there has to be taken away by name. */
function inPlaceOf(before: Json | undefined, after: Json): Json {
  if (before === undefined || !isObject(before) || !isObject(after)) return after;
  const gone = Object.keys(before).filter((name) => !Object.hasOwn(after, name));
  return { ...Object.fromEntries(gone.map((name) => [name, null])), ...Object.fromEntries(Object.entries(after).map(([name, value]) => [name, inPlaceOf(before[name], value)])) };
}

function versionOf({ metadata }: KubeObject): string {
  return text(metadata['resourceVersion']);
}

function isLater(a: string, b: string): boolean {
  if (!/^\d+$/.test(a) || !/^\d+$/.test(b)) return false;
  return a.length === b.length ? a > b : a.length > b.length;
}

function text(value: Json | undefined): string {
  return typeof value === 'string' ? value : '';
}
