import { childOf, muteIn, parseJsonOrUndefined, replayIn, syncRequestIn, type ApplicationMute, type ApplicationPause, type Json, type JsonObject, type ReplayRequest, type SyncRequest } from '../model/index.ts';
import type { Report } from './report.ts';

const rfc3339 = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?(?:Z|[+-]\d\d:\d\d)$/i;

/** `setpoint.dev/pause`: `true`, or the time until which. */
export function readPause(annotations: Json | undefined, report: Report): ApplicationPause | undefined {
  const value = textOf(annotations, 'setpoint.dev/pause');
  if (value === undefined || value === 'false') return undefined;
  const reason = textOf(annotations, 'setpoint.dev/pause-reason');
  if (value === 'true') return { until: undefined, reason };
  const until = rfc3339.test(value) ? Date.parse(value) : Number.NaN;
  if (!Number.isNaN(until)) return { until: new Date(until).toISOString(), reason };
  // Somebody wanted a pause: to go on changing the cluster would be the worse mistake.
  report.warning('metadata.annotations[setpoint.dev/pause]', 'is neither true nor a time such as 2026-01-31T18:00:00Z: the pause lasts until it is removed');
  return { until: undefined, reason };
}

/** Both vocabularies: one text that is another whenever either of them is. */
export function readRefresh(annotations: Json | undefined): string | undefined {
  const values = ['setpoint.dev/refresh', 'argocd.argoproj.io/refresh'].flatMap((name) => textOf(annotations, name) ?? []);
  return values.length === 0 ? undefined : values.join(' ');
}

/**
 * `setpoint.dev/sync`: what `setpoint sync` asks for, as JSON. What cannot be understood asks for nothing. The annotation stays when it is
 * answered, and is copied with the Application or restored with it; that it was answered is not.
 */
export function readSyncRequest(metadata: JsonObject, report: Report): SyncRequest | undefined {
  const value = textOf(metadata['annotations'], 'setpoint.dev/sync');
  if (value === undefined || value === '') return undefined;
  const stored = parseJsonOrUndefined(value);
  const request = syncRequestIn(stored);
  if (request === undefined) report.warning('metadata.annotations[setpoint.dev/sync]', 'is not what setpoint sync writes, and has no effect');
  const asked = childOf(stored, 'application');
  if (typeof asked !== 'string' || asked === metadata['uid']) return request;
  report.warning('metadata.annotations[setpoint.dev/sync]', 'was left on another Application, of which this one is a copy, and has no effect');
  return undefined;
}

/** `setpoint.dev/terminate`: the id of the operation that is to end. */
export function readTerminate(annotations: Json | undefined): string | undefined {
  return textOf(annotations, 'setpoint.dev/terminate');
}

/** `setpoint.dev/mute`: what `setpoint mute` writes, as JSON. What cannot be understood mutes nothing: an alert too many is the smaller mistake. */
export function readMute(annotations: Json | undefined, report: Report): ApplicationMute | undefined {
  const value = textOf(annotations, 'setpoint.dev/mute');
  if (value === undefined || value === '') return undefined;
  const mute = muteIn(parseJsonOrUndefined(value));
  if (mute === undefined) report.warning('metadata.annotations[setpoint.dev/mute]', 'is not what setpoint mute writes, and mutes nothing');
  return mute;
}

/** `setpoint.dev/replay`: the notifications that `setpoint alerts replay` asks for. */
export function readReplay(annotations: Json | undefined, report: Report): ReplayRequest | undefined {
  const value = textOf(annotations, 'setpoint.dev/replay');
  if (value === undefined || value === '') return undefined;
  const request = replayIn(value);
  if (request === undefined) report.warning('metadata.annotations[setpoint.dev/replay]', 'is not what setpoint alerts replay writes, and has no effect');
  return request;
}

function textOf(annotations: Json | undefined, name: string): string | undefined {
  const value = childOf(annotations, name);
  return typeof value === 'string' ? value : undefined;
}
