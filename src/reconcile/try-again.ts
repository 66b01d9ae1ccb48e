import { hasSucceeded, type Application, type AppStatus, type Operation, type ResourceKey } from '../model/index.ts';
import { specName } from '../plan/index.ts';

const usual = { durationMs: 5_000, factor: 2, maxDurationMs: 15 * 60_000 };

interface Wish {
  readonly commit: string | null;
  /** Names what the sources say. */
  readonly content: string;
  /** Resources that something is to be done about; what is to be deleted is not among them. */
  readonly wanted: readonly ResourceKey[];
  readonly now: Date;
}

/**
 * A sync that failed is begun again by itself after a while, each time after a longer one, and one that somebody ended is not. For another
 * commit or another spec either is at once. So is one for what differs only since the failure; after an end by hand, where nothing is left of before.
 */
export function mayTryAgain(status: AppStatus, application: Application, { commit, content, wanted, now }: Wish): boolean {
  const { operation } = status;
  if (operation?.endedAt === undefined || operation.revision !== commit || isForAnother(operation, application, content)) return true;
  if (operation.isEndedByHand === true) return hasNews(status, operation.endedAt, (isNew) => wanted.length > 0 && wanted.every(isNew));
  return operation.state !== 'failed' || hasNews(status, operation.endedAt, (isNew) => wanted.some(isNew)) || now.getTime() >= retryAt(status, application, operation.endedAt);
}

/** How long a sync that failed is not begun again, where it differs from nothing else; zero or less: it may be. Undefined where none failed. */
export function retryInMs(status: AppStatus, application: Application, now: Date): number | undefined {
  const { operation } = status;
  return operation?.state === 'failed' && operation.endedAt !== undefined ? retryAt(status, application, operation.endedAt) - now.getTime() : undefined;
}

function retryAt({ operation, history }: AppStatus, { retry }: Application, endedAt: string): number {
  const failures = history.findIndex((entry) => hasSucceeded(entry) || entry.revision !== operation?.revision);
  const attempts = Math.max(1, failures === -1 ? history.length : failures);
  const { durationMs = usual.durationMs, factor = usual.factor, maxDurationMs = usual.maxDurationMs } = retry;
  return Date.parse(endedAt) + Math.min(maxDurationMs, durationMs * factor ** (attempts - 1));
}

function isForAnother(operation: Operation, application: Application, content: string): boolean {
  return (operation.content !== undefined && operation.content !== content) || (operation.spec !== undefined && operation.spec !== specName(application));
}

/** Whether some or all differ that did not when the sync ended. Of those that are not listed nobody knows. */
function hasNews({ resources, notListed }: AppStatus, endedAt: string, is: (isNew: (key: ResourceKey) => boolean) => boolean): boolean {
  const known = new Set(resources.filter(({ since }) => since <= endedAt).map(({ key }) => key));
  return notListed === 0 && is((key) => !known.has(key));
}
