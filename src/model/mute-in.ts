import type { ApplicationMute } from './application-spec.ts';
import { isObject, type Json } from './json.ts';

const rfc3339 = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?(?:Z|[+-]\d\d:\d\d)$/i;
// They are shown in tables and messages, and kept with every application.
const longestReason = 500;
const longestAuthor = 253;

/** A mute as it was stored; undefined where it is none. One without an end is none: it would be forgotten. */
export function muteIn(stored: Json | undefined): ApplicationMute | undefined {
  if (!isObject(stored)) return undefined;
  const { until, reason = '', author = '' } = stored;
  const end = timeIn(until);
  if (end === undefined || typeof reason !== 'string' || typeof author !== 'string') return undefined;
  return { until: end, reason: reason.slice(0, longestReason), author: author.slice(0, longestAuthor) };
}

/** In UTC; undefined where it is no time with its zone. */
export function timeIn(stored: Json | undefined): string | undefined {
  const at = typeof stored === 'string' && rfc3339.test(stored) ? Date.parse(stored) : Number.NaN;
  return Number.isNaN(at) ? undefined : new Date(at).toISOString();
}
