import { SetpointError, type AppStatus, type ResourceKey, type SyncRequest } from '../model/index.ts';

export interface RequestFlags {
  readonly prune: boolean;
  readonly revision?: string;
  readonly approve: readonly string[];
}

interface Asking {
  /** Another one each time. */
  readonly id: string;
  readonly by: string;
  readonly status: Pick<AppStatus, 'commit' | 'history'>;
  readonly resources: readonly ResourceKey[] | undefined;
}

const confirmation = /^(?:plan|prune|hook)-[0-9a-f]{16}$/;

/** What the agent is asked for. Mistakes are told here, because the agent ignores what it cannot understand. */
export function syncRequestFrom({ prune, revision, approve }: RequestFlags, { id, by, status, resources }: Asking): SyncRequest {
  const odd = approve.find((text) => !confirmation.test(text));
  if (odd !== undefined) throw new SetpointError('Usage', `--approve wants what a plan or a hold names, such as plan-0123456789abcdef, got ${odd === '' ? 'nothing' : odd}`);
  return {
    ...{ id, by },
    ...(revision !== undefined && { revision: wholeCommit(revision, status) }),
    ...(resources !== undefined && { resources }),
    ...(prune && { prune }),
    ...(approve.length > 0 && { approve }),
  };
}

/** Half a commit id may become another commit's tomorrow, and a branch moves. */
function wholeCommit(revision: string, { commit, history }: Asking['status']): string {
  if (/^[0-9a-f]{40}$/.test(revision)) return revision;
  const known = [commit, ...history.map((entry) => entry.revision)].filter((each) => each !== null);
  const meant = revision.length < 4 ? undefined : known.find((each) => each.startsWith(revision.toLowerCase()));
  throw new SetpointError('Usage', `--revision wants a whole commit id of 40 digits, got ${revision === '' ? 'nothing' : revision}${meant === undefined ? '' : `: did you mean ${meant}?`}`);
}
