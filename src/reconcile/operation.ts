import { isPaused, mainSource, type Application, type AppStatus, type JudgedResource, type Operation, type Plan, type SyncRequest } from '../model/index.ts';
import { sourcesName, driftModes } from '../plan/index.ts';
import type { Observation } from './observe.ts';
import { mayTryAgain } from './try-again.ts';

export function isUnderWay(operation: Operation | null | undefined): operation is Operation {
  return operation?.state === 'running' || operation?.state === 'failing';
}

/** Whether there is something to do before the first thing to wait for. */
export function hasDueSteps({ steps }: Plan): boolean {
  const wait = steps.findIndex(({ type }) => type === 'wait');
  return steps.slice(0, wait === -1 ? undefined : wait).some(({ type }) => type !== 'hold');
}

/** What somebody asked for and was not answered yet. */
export function pendingRequest({ sync, deleting }: Application, { answered, operation }: AppStatus): SyncRequest | undefined {
  if (sync === undefined || answered?.request === sync.id || operation?.request?.id === sync.id) return undefined;
  // One at a time: it waits for the one under way. A deletion takes it as the answer to what it asks for.
  return isUnderWay(operation) && !deleting ? undefined : sync;
}

/** At the commit that was asked for, where one was. */
export function pinned(application: Application, request: SyncRequest | undefined): Application {
  const { revision } = request ?? {};
  if (revision === undefined) return application;
  const main = mainSource(application);
  return { ...application, sources: application.sources.map((source) => (source === main ? { ...source, revision } : source)) };
}

export function terminated(operation: Operation | null, { terminate }: Application, now: Date): Operation | null {
  if (!isUnderWay(operation) || terminate !== operation.id) return operation;
  return { ...operation, state: 'terminated', message: 'ended by hand', endedAt: now.toISOString(), isEndedByHand: true };
}

/** Whoever asks for what Git says now is not given what it said before. Undefined where it answers, or a commit was named. */
export function whyGitIsSilent(request: SyncRequest | undefined, { trouble, judgement: { commit } }: Pick<Observation, 'trouble' | 'judgement'>): string | undefined {
  if (request === undefined || request.revision !== undefined || trouble === undefined) return undefined;
  return `what Git says now is not known: ${trouble.code}: ${trouble.message}${commit === null ? '' : `; what it said last is --revision ${commit}`}`;
}

interface Look {
  readonly application: Application;
  readonly observation: Observation;
  readonly status: AppStatus;
  readonly operation: Operation | null;
  readonly request: SyncRequest | undefined;
  readonly now: Date;
}

/** Most looks find nothing to do, or nobody who wants it done. */
export function wantsPlan({ application, observation, status, operation, request, now }: Look): boolean {
  const { judgement, targets, hooks } = observation;
  // What was applied is on record, whatever Git says by now.
  if (application.deleting) return isUnderWay(operation);
  if (judgement.verdict.status === 'Unknown' && judgement.resources.length === 0) return false;
  if (isUnderWay(operation) || request !== undefined) return true;
  if (isPaused(application.pause, now)) return false;
  const declared = new Set([...targets, ...hooks].map(({ manifest }) => manifest.key as string));
  const isLeft = Object.keys(status.inventory).some((key) => !declared.has(key));
  const wanted = judgement.resources.filter((resource) => acts(application, resource)).map(({ diff }) => diff.key);
  if (!isLeft && (judgement.verdict.status !== 'OutOfSync' || wanted.length === 0)) return false;
  const content = sourcesName(application, observation.commits);
  return mayTryAgain({ ...status, operation }, application, { commit: judgement.commit, content, wanted, now });
}

/** Whether the application's policies say to act on it. */
function acts({ policy }: Application, { diff, cause }: JudgedResource): boolean {
  return cause === 'live-changed' ? driftModes(diff, policy).has('Heal') : cause !== undefined && policy.deploy === 'automatic';
}
