import type { Application, AppStatus } from '../model/index.ts';

const usual = { durationMs: 5_000, factor: 2, maxDurationMs: 15 * 60_000 };

/** A sync that failed is begun again by itself after a while, each time after a longer one; another commit at once. */
export function mayTryAgain({ operation, history }: AppStatus, { retry }: Application, { commit, now }: { readonly commit: string | null; readonly now: Date }): boolean {
  if (operation?.state !== 'failed' || operation.revision !== commit || operation.endedAt === undefined) return true;
  const failures = history.findIndex(({ failed, revision }) => failed === 0 || revision !== commit);
  const attempts = Math.max(1, failures === -1 ? history.length : failures);
  const { durationMs = usual.durationMs, factor = usual.factor, maxDurationMs = usual.maxDurationMs } = retry;
  const pauseMs = Math.min(maxDurationMs, durationMs * factor ** (attempts - 1));
  return now.getTime() - Date.parse(operation.endedAt) >= pauseMs;
}
