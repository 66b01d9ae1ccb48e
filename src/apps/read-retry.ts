import { valueAt, type JsonObject, type RetryPolicy } from '../model/index.ts';
import { durationMs } from './duration.ts';
import type { Report } from './report.ts';

export function readRetry(spec: JsonObject, report: Report): RetryPolicy {
  const at = ['syncPolicy', 'retry'];
  const { limit, refresh } = (valueAt(spec, at) ?? {}) as { limit?: number; refresh?: boolean };
  const { duration, factor, maxDuration } = (valueAt(spec, [...at, 'backoff']) ?? {}) as { duration?: string; factor?: number; maxDuration?: string };
  // Below zero is Argo CD's word for no limit.
  if (limit !== undefined && limit >= 0) report.warning('spec.syncPolicy.retry.limit', 'has no effect: a failed sync is tried again until it works or something else is wanted');
  if (refresh === false) report.warning('spec.syncPolicy.retry.refresh', 'has no effect: a retry always takes the newest commit');
  return {
    durationMs: duration === undefined ? undefined : durationMs(duration),
    factor,
    maxDurationMs: maxDuration === undefined ? undefined : durationMs(maxDuration),
    limit,
  };
}
