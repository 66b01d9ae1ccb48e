import { repositoryIdentity, shownText, type AlertedApplication, type CommitStatusConfig } from '../model/index.ts';

export type StatusTarget = { readonly type: 'target'; readonly url: string } | { readonly type: 'refused'; readonly why: string };

type Provider = Pick<CommitStatusConfig, 'provider' | 'apiUrl'>;

/** Where the status of a commit is set. Always below the configured API: the address of a repository never says where the token goes. */
export function statusTarget({ provider, apiUrl }: Provider, { repo, sha }: AlertedApplication['revision']): StatusTarget {
  const refused = (why: string): StatusTarget => ({ type: 'refused', why });
  const api = URL.parse(apiUrl);
  if (api === null) return refused('apiUrl is no URL: https://host/path is wanted');
  const named = repositoryIdentity(repo);
  if (named === undefined || /^[./]/.test(named)) return refused(`the repository ${shownText(withoutLogin(repo))} has no address at ${hostOf(provider, api)}`);
  const [place = '', ...rest] = named.split('/');
  // The port of SSH is another one than that of the API.
  const host = place.replace(/:\d+$/, '');
  if (host !== hostOf(provider, api)) return refused(`the repository is at ${host}, and the statuses of ${hostOf(provider, api)} are set here: another destination is needed for it`);
  if (sha === null) return refused('the commit is not known, so it has no status');
  if (!/^(?:[0-9a-f]{40}|[0-9a-f]{64})$/.test(sha)) return refused(`the commit ${shownText(sha)} is no full id of a commit, so it has no status`);
  const path = /^https?:/i.test(repo) ? withoutFolder(rest, api) : rest;
  const project = projectOf[provider](path);
  if (project === undefined) return refused(`the repository ${shownText(path.join('/'))} is not named as ${provider} names them`);
  return { type: 'target', url: `${apiUrl.replace(/\/+$/, '')}/${project}/statuses/${sha}` };
}

type ProjectOf = (path: readonly string[]) => string | undefined;

const ownerAndName: ProjectOf = (path) => (path.length === 2 ? `repos/${path.map(encodeURIComponent).join('/')}` : undefined);

const projectOf: Readonly<Record<CommitStatusConfig['provider'], ProjectOf>> = {
  github: ownerAndName,
  gitea: ownerAndName,
  gitlab: (path) => (path.length >= 2 ? `projects/${encodeURIComponent(path.join('/'))}` : undefined),
};

/** GitHub serves its API beside the repositories: api.github.com, api.acme.ghe.com. On its own servers, and elsewhere, it is the same host. */
function hostOf(provider: Provider['provider'], { hostname }: URL): string {
  return provider === 'github' ? hostname.replace(/^api\./, '') : hostname;
}

/** A server that lives in a folder has it before /api and, over HTTP, before the repository. */
function withoutFolder(path: readonly string[], api: URL): readonly string[] {
  const folder = (/^(.*?)\/api\//.exec(`${api.pathname}/`)?.[1] ?? '').split('/').filter((part) => part !== '');
  return folder.every((part, index) => path[index] === part) ? path.slice(folder.length) : path;
}

function withoutLogin(repo: string): string {
  return repo.replace(/^([a-z][a-z0-9+.-]*:\/\/)[^/]*@/i, '$1');
}
