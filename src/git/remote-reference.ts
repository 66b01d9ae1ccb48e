import git, { type HttpClient } from 'isomorphic-git';
import { SetpointError } from '../model/index.ts';
import { authOf, type Repository } from './repository-url.ts';

export interface RemoteReference {
  /** What to ask the server for: a full reference name, or the commit id itself. */
  readonly name: string;
  readonly commit: string;
}

interface ReferenceRequest {
  readonly repository: Extract<Repository, { type: 'http' }>;
  readonly revision: string;
  readonly http: HttpClient;
}

const commitId = /^[0-9a-f]{40}$/;

/** Asks for the one reference, not for all of them: a listing costs two small requests. */
export async function findReference({ repository, revision, http }: ReferenceRequest): Promise<RemoteReference> {
  if (commitId.test(revision)) return { name: revision, commit: revision };
  const { url } = repository;
  for (const name of namesFor(revision)) {
    const references = await git.listServerRefs({
      http,
      url,
      protocolVersion: 2,
      prefix: name,
      peelTags: true,
      ...authOf(repository),
    });
    const found = references.find(({ ref }) => ref === name);
    if (found !== undefined) return { name, commit: found.peeled ?? found.oid };
  }
  throw new SetpointError('RevisionNotFound', `${url} has no branch or tag ${revision}: check --revision`);
}

function namesFor(revision: string): readonly string[] {
  if (revision === 'HEAD' || revision.startsWith('refs/')) return [revision];
  return [`refs/heads/${revision}`, `refs/tags/${revision}`];
}
