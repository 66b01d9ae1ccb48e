import { expect, test } from 'vitest';
import { statusTarget, type StatusTarget } from '../../../src/notify/commit-status-target.ts';

const sha = '4b825dc642cb6eb9a060e54bf8d69288fbee4904';

const apis = {
  github: 'https://api.github.com',
  gitlab: 'https://gitlab.example.com/api/v4',
  gitea: 'https://gitea.example.com/api/v1/',
} as const;

interface Asked {
  readonly provider: keyof typeof apis;
  readonly repo: string;
  readonly apiUrl?: string;
  readonly commit?: string | null;
}

function targetOf({ provider, repo, apiUrl = apis[provider], commit = sha }: Asked): StatusTarget {
  return statusTarget({ provider, apiUrl }, { repo, ref: 'main', sha: commit, path: null });
}

test.each<[Asked, string]>([
  [{ provider: 'github', repo: 'https://github.com/acme/fleet.git' }, 'https://api.github.com/repos/acme/fleet'],
  [{ provider: 'github', repo: 'https://user:s3cret@github.com/acme/fleet' }, 'https://api.github.com/repos/acme/fleet'],
  [{ provider: 'github', repo: 'git@github.com:acme/fleet.git' }, 'https://api.github.com/repos/acme/fleet'],
  [{ provider: 'github', repo: 'ssh://git@ssh.github.com:443/acme/fleet.git' }, 'https://api.github.com/repos/acme/fleet'],
  [{ provider: 'github', repo: 'https://acme.ghe.com/acme/fleet', apiUrl: 'https://api.acme.ghe.com' }, 'https://api.acme.ghe.com/repos/acme/fleet'],
  [{ provider: 'github', repo: 'git@git.example.com:acme/fleet', apiUrl: 'https://git.example.com/api/v3' }, 'https://git.example.com/api/v3/repos/acme/fleet'],
  [{ provider: 'gitlab', repo: 'https://gitlab.example.com/acme/eu/fleet.git' }, 'https://gitlab.example.com/api/v4/projects/acme%2Feu%2Ffleet'],
  [{ provider: 'gitlab', repo: 'git@gitlab.example.com:acme/fleet.git' }, 'https://gitlab.example.com/api/v4/projects/acme%2Ffleet'],
  [{ provider: 'gitlab', repo: 'https://example.com/gitlab/acme/fleet', apiUrl: 'https://example.com/gitlab/api/v4' }, 'https://example.com/gitlab/api/v4/projects/acme%2Ffleet'],
  [{ provider: 'gitlab', repo: 'git@example.com:gitlab/acme', apiUrl: 'https://example.com/gitlab/api/v4' }, 'https://example.com/gitlab/api/v4/projects/gitlab%2Facme'],
  [{ provider: 'gitea', repo: 'ssh://git@gitea.example.com:2222/Acme/Fleet.git' }, 'https://gitea.example.com/api/v1/repos/Acme/Fleet'],
  [{ provider: 'gitea', repo: 'https://gitea.example.com:3000/acme/a%20b', apiUrl: 'https://gitea.example.com:3000/api/v1' }, 'https://gitea.example.com:3000/api/v1/repos/acme/a%20b'],
])('%j is marked at %s', (asked, url) => {
  expect(targetOf(asked)).toEqual({ type: 'target', url: `${url}/statuses/${sha}` });
});

test('the longer ids of commits are known too', () => {
  const long = 'a'.repeat(64);
  expect(targetOf({ provider: 'github', repo: 'https://github.com/acme/fleet', commit: long })).toEqual({ type: 'target', url: `https://api.github.com/repos/acme/fleet/statuses/${long}` });
});

test.each<[string, Asked, string]>([
  ['it is on another host', { provider: 'github', repo: 'https://gitlab.com/acme/fleet' }, 'the repository is at gitlab.com, and the statuses of github.com are set here'],
  ['its host only begins like it', { provider: 'github', repo: 'https://github.com.evil.example/acme/fleet' }, 'the repository is at github.com.evil.example'],
  ['its host stands before an @', { provider: 'github', repo: 'https://github.com@evil.example/acme/fleet' }, 'the repository is at evil.example'],
  ['it is a folder', { provider: 'github', repo: '/srv/git/fleet' }, 'has no address at github.com'],
  ['it is a folder as a URL', { provider: 'github', repo: 'file:///srv/git/fleet' }, 'has no address at github.com'],
  ['it cannot be read', { provider: 'github', repo: 'https://github.com/acme/../fleet' }, 'has no address at github.com'],
  ['the commit is not known', { provider: 'github', repo: 'https://github.com/acme/fleet', commit: null }, 'the commit is not known'],
  ['the commit is a branch', { provider: 'github', repo: 'https://github.com/acme/fleet', commit: 'main/../../x' }, 'is no full id of a commit'],
  ['it has no owner', { provider: 'gitea', repo: 'https://gitea.example.com/fleet' }, 'is not named as gitea names them'],
  ['it is too deep for GitHub', { provider: 'github', repo: 'https://github.com/acme/eu/fleet' }, 'is not named as github names them'],
  ['the API is no URL', { provider: 'github', repo: 'https://github.com/acme/fleet', apiUrl: 'api.github.com' }, 'apiUrl is no URL'],
])('a repository is refused where %s', (_why, asked, why) => {
  expect(targetOf(asked)).toEqual({ type: 'refused', why: expect.stringContaining(why) });
});

test('a password in the address is not told', () => {
  expect(JSON.stringify(targetOf({ provider: 'github', repo: 'https://user:s3cret@github.com/acme/fleet?x' }))).not.toContain('s3cret');
});
