import type { AppStatus } from './app-status.ts';

/** The commit that was compared, as people say it: `main@4e9c917`. */
export function shownRevision({ commit, reference }: Pick<AppStatus, 'commit' | 'reference'>): string | undefined {
  const short = commit?.slice(0, 7);
  return short === undefined || reference === null ? short : `${reference.revision}@${short}`;
}
