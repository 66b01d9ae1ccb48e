import { fieldManager, stringifyJson, toSetpointError } from '../model/index.ts';
import type { Log } from '../telemetry/index.ts';
import { microTime, type CreatingTransport } from './lease.ts';
import { refusal, statusBody } from './refusal.ts';
import type { ApiAnswer } from './transport.ts';

export interface Occurrence {
  /** Without a namespace: an object of the whole cluster. */
  readonly regarding: {
    readonly apiVersion: string;
    readonly kind: string;
    readonly namespace?: string;
    readonly name: string;
    readonly uid?: string;
  };
  readonly type: 'Normal' | 'Warning';
  /** Why, in one word of CamelCase; and what was done. */
  readonly reason: string;
  readonly action: string;
  /** For people, and whoever may read events: no value out of an object. */
  readonly note: string;
}

export interface Events {
  /** Writes it as an Event (events.k8s.io/v1), or counts it in the one that says the same. Never throws: nothing depends on it. */
  record(occurrence: Occurrence, signal: AbortSignal): Promise<void>;
}

export interface EventsOptions {
  /** Of this process, for whoever wonders who wrote it. */
  readonly identity: string;
  readonly now: () => Date;
  readonly random: () => number;
  readonly log: Pick<Log, 'warn'>;
}

/** Occurrences that say the same are one Event as long as no more than this is between two of them. */
const seriesMs = 10 * 60_000;
/** Requests about one object: so many at once, and then one each time that this has passed. What is not told is counted. */
const burst = 25;
const refillMs = 5 * 60_000;
/** Series and objects that are remembered, each. */
const mostRemembered = 1024;
const tellFailureMs = 60_000;
/** The server counts in bytes. */
const longestNote = 1024;
const longestWord = 128;

interface Series {
  readonly occurrence: Occurrence;
  readonly firstAt: Date;
  name: string;
  exists: boolean;
  lastAt: Date;
  seen: number;
  told: number;
  writing: Promise<void> | undefined;
}

export function createEvents(transport: CreatingTransport, { identity, now, random, log }: EventsOptions): Events {
  const known = new Map<string, Series>();
  const takeTurn = createTurns(now);
  let failureToldAt = Number.NEGATIVE_INFINITY;

  const send = (series: Series, signal: AbortSignal): Promise<ApiAnswer> => {
    const namespace = namespaceOf(series.occurrence);
    const path = `/apis/events.k8s.io/v1/namespaces/${encodeURIComponent(namespace)}/events`;
    const body = series.seen > 1 ? { series: { count: series.seen, lastObservedTime: micro(series.lastAt) } } : {};
    const query = { fieldManager };
    if (series.exists) {
      const contentType = 'application/merge-patch+json';
      return transport.send({ method: 'PATCH', path: `${path}/${series.name}`, query, contentType, body: stringifyJson(body), signal });
    }
    const event = { ...eventOf(series, identity), metadata: { name: series.name, namespace }, ...body };
    return transport.send({ method: 'POST', path, query, contentType: 'application/json', body: stringifyJson(event), signal });
  };

  const failed = (error: unknown, { reason, regarding }: Occurrence): void => {
    const at = now().getTime();
    if (Math.abs(at - failureToldAt) < tellFailureMs) return;
    failureToldAt = at;
    const { code, message } = toSetpointError(error);
    log.warn('event not written', { event: reason, kind: regarding.kind, name: regarding.name, code, reason: message });
  };

  const writeOnce = async (series: Series, signal: AbortSignal): Promise<void> => {
    const { seen, exists } = series;
    const answer = await send(series, signal);
    if (exists && answer.status === 404 && statusBody(answer)?.reason === 'NotFound') {
      // It was deleted, or its time was up.
      [series.exists, series.name] = [false, eventName(series.occurrence, random)];
    } else if (!exists && answer.status === 409) {
      // It was made before, and the answer was lost.
      [series.exists, series.told] = [true, 1];
    } else if (answer.status === 200 || answer.status === 201) {
      [series.exists, series.told] = [true, seen];
    } else {
      throw refusal(answer, `${exists ? 'patch' : 'create'} events.events.k8s.io in namespace ${namespaceOf(series.occurrence)}`);
    }
  };

  const write = async (series: Series, signal: AbortSignal): Promise<void> => {
    // Leaves record() first, which keeps this promise.
    await Promise.resolve();
    try {
      while (series.told < series.seen && takeTurn(objectKey(series.occurrence))) await writeOnce(series, signal);
    } catch (error) {
      if (!signal.aborted) failed(error, series.occurrence);
    }
    series.writing = undefined;
  };

  return {
    async record(occurrence, signal) {
      const at = now();
      const key = seriesKey(occurrence);
      const before = known.get(key);
      const goesOn = before !== undefined && Math.abs(at.getTime() - before.lastAt.getTime()) < seriesMs;
      const series: Series = goesOn ? before : newSeries(occurrence, at, random);
      remember(known, key, series);
      series.lastAt = at;
      series.seen += 1;
      // Whoever writes now writes this one too before it ends.
      series.writing ??= write(series, signal);
      await series.writing;
    },
  };
}

function newSeries(occurrence: Occurrence, at: Date, random: () => number): Series {
  const name = eventName(occurrence, random);
  return { occurrence, firstAt: at, name, exists: false, lastAt: at, seen: 0, told: 0, writing: undefined };
}

/** A bucket for each object. */
function createTurns(now: () => Date): (object: string) => boolean {
  const buckets = new Map<string, { readonly tokens: number; readonly at: number }>();
  return (object) => {
    const at = now().getTime();
    const { tokens, at: before } = buckets.get(object) ?? { tokens: burst, at };
    const filled = Math.min(burst, tokens + Math.max(0, at - before) / refillMs);
    remember(buckets, object, { tokens: filled < 1 ? filled : filled - 1, at });
    return filled >= 1;
  };
}

/** Puts it last, and forgets the first when there are too many. */
function remember<T>(map: Map<string, T>, key: string, value: T): void {
  map.delete(key);
  map.set(key, value);
  const [first] = map.keys();
  if (map.size > mostRemembered && first !== undefined) map.delete(first);
}

function eventOf({ occurrence: { regarding, type, reason, action, note }, firstAt }: Series, identity: string) {
  return {
    apiVersion: 'events.k8s.io/v1',
    kind: 'Event',
    eventTime: micro(firstAt),
    reportingController: 'setpoint.dev/agent',
    reportingInstance: fit(identity, longestWord),
    regarding,
    type,
    reason: fit(reason, longestWord),
    action: fit(action, longestWord),
    note: fit(note, longestNote),
  };
}

/** Events about objects of the whole cluster live in `default`; the server wants it so. */
function namespaceOf({ regarding: { namespace } }: Occurrence): string {
  return namespace ?? 'default';
}

function objectKey({ regarding: { apiVersion, kind, namespace = '', name, uid = '' } }: Occurrence): string {
  return JSON.stringify([apiVersion, kind, namespace, name, uid]);
}

function seriesKey(occurrence: Occurrence): string {
  const { type, reason, action, note } = occurrence;
  return JSON.stringify([objectKey(occurrence), type, reason, action, fit(note, longestNote)]);
}

const subdomain = /^[a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*$/;

/** Some kinds have names that no Event may have: `system:node`. */
function eventName({ regarding: { name } }: Occurrence, random: () => number): string {
  const word = (): string => Math.floor(random() * 2 ** 32).toString(16).padStart(8, '0');
  return `${name.length <= 200 && subdomain.test(name) ? name : 'event'}.${word()}${word()}`;
}

function micro(time: Date): string {
  return microTime(time.toISOString());
}

function fit(text: string, longest: number): string {
  const bytes = Buffer.from(text);
  if (bytes.length <= longest) return text;
  let end = longest - Buffer.byteLength('…');
  // Not in the middle of a character.
  while (((bytes[end] ?? 0) & 0xc0) === 0x80) end -= 1;
  return `${bytes.subarray(0, end).toString()}…`;
}
