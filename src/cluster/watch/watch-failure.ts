import { SetpointError, type ErrorCode } from '../../model/index.ts';
import { statusBody } from '../refusal.ts';
import type { ApiAnswer } from '../transport.ts';
import { describePlace, type Place } from './place.ts';

/** Why a list or a watch came to nothing. */
export interface WatchFailure {
  /** `retrying` may heal by itself; for the others somebody has to allow or install something. */
  readonly state: 'retrying' | 'forbidden' | 'not-served';
  readonly code: ErrorCode;
  readonly message: string;
  readonly retryAfterMs?: number;
  /** An answer may be about what we ask for; nothing is about the way there. */
  readonly heard: 'answer' | 'nothing';
}

/** The server's answer in place of a list or watch. */
export function refusedWatch(answer: ApiAnswer, place: Place): WatchFailure {
  const status = statusBody(answer);
  const what = describePlace(place);
  if (answer.status === 401) {
    const message = 'the cluster does not accept these credentials: log in again, or check the context';
    return { state: 'retrying', code: 'ClusterUnauthorized', message, heard: 'answer' };
  }
  if (answer.status === 403 && status !== undefined) {
    return { state: 'forbidden', code: 'Forbidden', message: `not allowed to list and watch ${what}: ask for that right`, heard: 'answer' };
  }
  // The API server has a Status for an unknown resource, and a line of plain text for an unknown group.
  if (answer.status === 404 && (status !== undefined || answer.text.trim() === '404 page not found')) {
    const { group, version } = place.kind;
    const message = `the cluster does not serve ${place.kind.resource} in ${group === '' ? version : `${group}/${version}`}`;
    return { state: 'not-served', code: 'KindNotServed', message, heard: 'answer' };
  }
  const why = status === undefined || status.message === '' ? '' : `: ${status.message}`;
  return {
    state: 'retrying',
    code: 'ClusterError',
    message: `the cluster answered ${answer.status} to the watch of ${what}${why}`,
    heard: 'answer',
    ...(answer.retryAfterMs === undefined ? {} : { retryAfterMs: answer.retryAfterMs }),
  };
}

/** What kept us from an answer, or cut it. */
export function brokenWatch(error: unknown, place: Place): WatchFailure {
  const { code, message } =
    error instanceof SetpointError ? error : { code: 'ClusterUnreachable' as const, message: `the watch of ${describePlace(place)} was cut: ${String(error)}` };
  return { state: 'retrying', code, message, heard: 'nothing' };
}

export function silentWatch(place: Place, idleMs: number): WatchFailure {
  const message = `the watch of ${describePlace(place)} showed nothing for ${idleMs / 1000} s`;
  return { state: 'retrying', code: 'ClusterUnreachable', message, heard: 'nothing' };
}
