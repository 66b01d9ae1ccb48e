import { resolve } from 'node:path';

/** Without user and password, and a local path as a URL; Git has the last word on what it means. */
export function repositoryAddress(repo: string, cwd: string): string {
  if (/^https?:\/\//i.test(repo)) return repo.replace(/^([^/]*\/\/)[^/?#]*@/, '$1').replace(/\/+$/, '');
  return /^[^/]*:/.test(repo) ? repo : `file://${resolve(cwd, repo)}`;
}

/** For people: rather too little than a password, also one with a slash in it. */
export function shownAddress(repo: string): string {
  const [, scheme = '', rest = ''] = /^([a-z][a-z0-9+.-]*:\/\/)(.*)$/is.exec(repo) ?? [];
  if (scheme === '') return repo;
  const at = rest.lastIndexOf('@');
  const plainUser = /^ssh:/i.test(scheme) && /^[\w.-]+@/.test(rest) && at === rest.indexOf('@');
  return `${scheme}${at === -1 || plainUser ? '' : '***@'}${(plainUser ? rest : rest.slice(at + 1)).replace(/\?.*$/s, '?***')}`;
}

/** The name of an application that has been given none: the last part of its path, or of its repository. */
export function nameFor(address: string, path: string): string {
  const lastOf = (text: string): string | undefined => text.replace(/\/+$/, '').split(/[/:]/).at(-1);
  const name = lastOf(path) || lastOf(address)?.replace(/\.git$/, '') || '';
  return name.replaceAll(/[^\w.-]/g, '-').slice(0, 100) || 'application';
}
