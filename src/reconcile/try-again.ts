import { hasSucceeded, type Application, type AppStatus, type ResourceKey } from '../model/index.ts';

const usual = { durationMs: 5_000, factor: 2, maxDurationMs: 15 * 60_000 };

interface Wish {
  readonly commit: string | null;
  /** What is to be done something about. */
  readonly wanted: readonly ResourceKey[];
  readonly now: Date;
}

/** A sync that failed is begun again by itself after a while, each time after a longer one; for another commit, or for what differs only since, at once. */
export function mayTryAgain(status: AppStatus, { retry }: Application, { commit, wanted, now }: Wish): boolean {
  const { operation, history } = status;
  if (operation?.state !== 'failed' || operation.revision !== commit || operation.endedAt === undefined) return true;
  if (hasNews(status, wanted, operation.endedAt)) return true;
  const failures = history.findIndex((entry) => hasSucceeded(entry) || entry.revision !== commit);
  const attempts = Math.max(1, failures === -1 ? history.length : failures);
  const { durationMs = usual.durationMs, factor = usual.factor, maxDurationMs = usual.maxDurationMs } = retry;
  const pauseMs = Math.min(maxDurationMs, durationMs * factor ** (attempts - 1));
  return now.getTime() - Date.parse(operation.endedAt) >= pauseMs;
}

/** Whether something differs that did not when the sync ended. Of those that are not listed nobody knows. */
function hasNews({ resources, notListed }: AppStatus, wanted: readonly ResourceKey[], endedAt: string): boolean {
  const known = new Set(resources.filter(({ since }) => since <= endedAt).map(({ key }) => key));
  return notListed === 0 && wanted.some((key) => !known.has(key));
}
