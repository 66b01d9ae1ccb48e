import type { Report } from './report.ts';

interface Place {
  readonly at: string;
  /** Repositories on the disk of the agent are for those who start it: others would reach what it keeps there. */
  readonly local: 'allowed' | 'refused';
}

/** The URL of a repository without credentials, which are not for documents that many may read. */
export function repositoryUrl(text: string, { at, local }: Place, report: Report): string {
  const [, scheme] = /^([a-z][a-z0-9+.-]*):\/\//i.exec(text) ?? [];
  const isShortSsh = scheme === undefined && /^[^/@:]+@[^/@:]+:./.test(text);
  const isLocal = scheme === undefined ? !/^[^/]*:/.test(text) : scheme.toLowerCase() === 'file';
  const isRemote = isShortSsh || /^(?:https?|ssh)$/i.test(scheme ?? '');
  if (!isRemote && !(isLocal && local === 'allowed')) {
    report.mistake(at, 'an https://, http:// or ssh:// URL or USER@HOST:PATH is wanted, got something else');
    return text;
  }
  // Before the first slash: what follows it is the path.
  const [, user, password] = /^https?:\/\/([^/@:]*)(:[^/]*)?@/i.exec(text) ?? [];
  if (password !== undefined || /^ssh:\/\/[^/]*:[^/]*@/i.test(text)) {
    report.mistake(at, 'a URL without a password is wanted, got one with it: credentials are given to the agent');
    return text;
  }
  if (user === undefined) return text;
  report.warning(at, 'has a user name, which has no effect: credentials are given to the agent');
  return text.replace(/^(https?:\/\/)[^/@]*@/i, '$1');
}
