import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { fetch } from 'isomorphic-git';
import { SetpointError } from '../model/index.ts';

export interface GitCredentials {
  readonly username: string;
  readonly password: string;
}

/** Where a repository is. `url` never holds credentials: it may be shown and stored. */
export type Repository =
  | { readonly type: 'http'; readonly url: string; readonly credentials: GitCredentials | undefined }
  | { readonly type: 'local'; readonly url: string; readonly gitDir: string };

export function parseRepositoryUrl(text: string, credentials: GitCredentials | undefined): Repository {
  if (/^https?:\/\//.test(text)) return httpRepository(text, credentials);
  if (text.startsWith('file://')) return localRepository(fileURLToPath(text));
  if (/^(?:ssh:\/\/|[\w.-]+@[\w.-]+:)/.test(text)) {
    throw new SetpointError('Usage', 'Git over SSH is not supported yet: give an https:// or file:// URL');
  }
  if (/^[a-z][a-z0-9+.-]*:\/\//i.test(text)) {
    throw new SetpointError('Usage', `Git over ${text.slice(0, text.indexOf(':'))} is not supported: give an https://, http:// or file:// URL`);
  }
  return localRepository(resolve(text));
}

/** How isomorphic-git is told: once, and a refusal is final. */
export function authOf({ credentials }: Extract<Repository, { type: 'http' }>): Pick<Parameters<typeof fetch>[0], 'onAuth' | 'onAuthFailure'> {
  return { ...(credentials === undefined ? {} : { onAuth: () => credentials }), onAuthFailure: () => ({ cancel: true }) };
}

function httpRepository(text: string, given: GitCredentials | undefined): Repository {
  if (!URL.canParse(text)) throw new SetpointError('Usage', 'the URL of the repository cannot be read: give https://HOST/PATH');
  const url = new URL(text);
  const inUrl =
    url.username === '' && url.password === ''
      ? undefined
      : { username: decodeURIComponent(url.username), password: decodeURIComponent(url.password) };
  url.username = '';
  url.password = '';
  return { type: 'http', url: url.href, credentials: given ?? inUrl };
}

function localRepository(folder: string): Repository {
  const gitDir = [join(folder, '.git'), folder].find((candidate) => existsSync(join(candidate, 'HEAD')));
  if (gitDir === undefined) throw new SetpointError('RepositoryNotFound', `no Git repository at ${folder}: check --repo`);
  return { type: 'local', url: `file://${folder}`, gitDir };
}
