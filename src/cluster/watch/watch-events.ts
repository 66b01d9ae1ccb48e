import { isObject, parseJsonOrUndefined, SetpointError, stringifyJson, valueAt, type Json, type JsonObject, type KubeObject } from '../../model/index.ts';
import type { ApiAnswer } from '../transport.ts';

export type WatchEvent =
  | { readonly type: 'changed' | 'deleted'; readonly object: KubeObject; readonly resourceVersion: string }
  /** Nothing happened up to this version. */
  | { readonly type: 'bookmark'; readonly resourceVersion: string }
  /** What the server would have answered, had it known before it began to. */
  | { readonly type: 'error'; readonly answer: ApiAnswer }
  | { readonly type: 'unreadable' };

// Far beyond what etcd stores: whatever sends more without a line break is no API server.
const longestLine = 64 * 1024 * 1024;

/** Bytes in, as they come; whole lines out. What follows the last line break waits for more. */
export function createLineSplitter(limit = longestLine): (chunk: Uint8Array) => readonly string[] {
  let pending: Uint8Array[] = [];
  let pendingBytes = 0;
  return (chunk) => {
    const lines: string[] = [];
    let from = 0;
    for (let at = chunk.indexOf(10); at !== -1; at = chunk.indexOf(10, from)) {
      const end = chunk.subarray(from, at);
      // Decoded as a whole: a character may begin in one chunk and end in the next.
      const line = pending.length === 0 ? Buffer.from(end.buffer, end.byteOffset, end.byteLength) : Buffer.concat([...pending, end]);
      if (line.length > 0) lines.push(line.toString());
      pending = [];
      pendingBytes = 0;
      from = at + 1;
    }
    if (from < chunk.length) pending.push(chunk.subarray(from));
    pendingBytes += chunk.length - from;
    if (pendingBytes > limit) throw new SetpointError('ClusterError', `the cluster sent an event of more than ${limit} bytes`);
    return lines;
  };
}

const objectEvents: Readonly<Record<string, 'changed' | 'deleted'>> = { ADDED: 'changed', MODIFIED: 'changed', DELETED: 'deleted' };

export function parseWatchEvent(line: string): WatchEvent {
  const event = parseJsonOrUndefined(line);
  const object = valueAt(event, ['object']);
  const name = valueAt(event, ['type']);
  if (typeof name !== 'string' || !isObject(object)) return { type: 'unreadable' };
  if (name === 'ERROR') return { type: 'error', answer: answerOf(object) };
  const resourceVersion = valueAt(object, ['metadata', 'resourceVersion']);
  if (typeof resourceVersion !== 'string' || resourceVersion === '') return { type: 'unreadable' };
  if (name === 'BOOKMARK') return { type: 'bookmark', resourceVersion };
  const type = Object.hasOwn(objectEvents, name) ? objectEvents[name] : undefined;
  if (type === undefined || typeof valueAt(object, ['metadata', 'name']) !== 'string') return { type: 'unreadable' };
  return { type, object: object as KubeObject, resourceVersion };
}

function answerOf(status: JsonObject): ApiAnswer {
  const code = whole(status['code']);
  const seconds = whole(valueAt(status, ['details', 'retryAfterSeconds']));
  return { status: code === 0 ? 500 : code, text: stringifyJson(status), ...(seconds > 0 ? { retryAfterMs: seconds * 1000 } : {}) };
}

function whole(value: Json | undefined): number {
  return typeof value === 'number' ? value : 0;
}
