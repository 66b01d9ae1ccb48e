import git, { type GitHttpRequest, type HttpClient } from 'isomorphic-git';
import { SetpointError } from '../../model/index.ts';
import type { ListJob, Reference } from './messages.ts';

interface Server {
  readonly http: HttpClient;
  readonly url: string;
}

/** Asks for the one reference, not for all of them: a listing costs two small requests. */
export async function findReference({ repository, revision, names }: ListJob, { http, url: at }: Server): Promise<Reference> {
  let answered = 0;
  // All in one question; a server of the old protocol answers only for the first, so the others are asked for again where it helps.
  for (const [index, first] of names.entries()) {
    const references = await git.listServerRefs({
      http: index === 0 ? askAlso(http, names.slice(1)) : http,
      url: at,
      protocolVersion: 2,
      prefix: first,
      peelTags: true,
    });
    answered += references.length;
    const found = names.map((name) => references.find(({ ref }) => ref === name)).find((reference) => reference !== undefined);
    if (found !== undefined) return { name: found.ref, id: found.oid, commit: found.peeled ?? found.oid };
  }
  throw answered > 0 ? notFound(repository.url, revision) : await whyNothing({ repository, revision }, { http, url: at });
}

function notFound(url: string, revision: string): SetpointError {
  return new SetpointError('RevisionNotFound', `${url} has no branch or tag ${revision}: check --revision`);
}

/** isomorphic-git's question has room for one prefix. The body is its lines, and a flush. */
function askAlso(http: HttpClient, prefixes: readonly string[]): HttpClient {
  const lines = prefixes.map((prefix) => `ref-prefix ${prefix}`).map((text) => Buffer.from((text.length + 4).toString(16).padStart(4, '0') + text));
  return {
    async request(request: GitHttpRequest) {
      if (request.method !== 'POST' || request.body === undefined) return http.request(request);
      const body = await Array.fromAsync(request.body);
      return http.request({ ...request, body: [...body.slice(0, -1), ...lines, ...body.slice(-1)] as unknown as AsyncIterableIterator<Uint8Array> });
    },
  };
}

/** Nothing by that name: because there is nothing at all, because its ids are not ours to read, or just so. */
async function whyNothing({ repository: { url }, revision }: Pick<ListJob, 'repository' | 'revision'>, { http, url: at }: Server): Promise<SetpointError> {
  const { capabilities } = await git.getRemoteInfo2({ http, url: at, protocolVersion: 2 });
  if (capabilities['object-format'] === 'sha256') {
    return new SetpointError('RepositoryInvalid', `${url} names its objects by SHA-256, which is not supported: use a repository with SHA-1`);
  }
  const [any] = await git.listServerRefs({ http, url: at, protocolVersion: 2, prefix: 'HEAD' });
  const [branch] = any === undefined ? await git.listServerRefs({ http, url: at, protocolVersion: 2, prefix: 'refs/heads/' }) : [any];
  if (branch === undefined) return new SetpointError('RevisionNotFound', `${url} is an empty repository: push a commit first`);
  return notFound(url, revision);
}
