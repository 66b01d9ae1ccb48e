import { repositoryIdentity } from '../model/index.ts';

/** That references of a repository may have moved. A reason to look, and never what to find. */
export interface Hint {
  readonly receiver: string;
  /** The identities of one repository: it may be reached at several hosts. */
  readonly repositories: readonly string[];
  /** Full names, such as refs/heads/main. Those that were deleted are left out. */
  readonly references: readonly string[] | 'any';
}

/** Whether something that follows this repository and revision should look again. */
export function hintConcerns(hint: Hint, source: { readonly repository: string; readonly revision: string }): boolean {
  const identity = repositoryIdentity(source.repository);
  if (identity === undefined || !hint.repositories.includes(identity)) return false;
  return hint.references === 'any' || hint.references.some((reference) => follows(source.revision, reference));
}

function follows(revision: string, reference: string): boolean {
  // Which branch HEAD stands for, only the server knows.
  if (revision === 'HEAD') return reference.startsWith('refs/heads/');
  if (revision.startsWith('refs/')) return revision === reference;
  return reference === `refs/heads/${revision}` || reference === `refs/tags/${revision}`;
}
