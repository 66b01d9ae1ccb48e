import { mainSource, type Application, type AppStatus } from '../model/index.ts';

/** The commit on record, where it was found for what is wanted now: what another branch, tag or repository was at says nothing of this one. */
export function lastSeen({ commit, reference }: Pick<AppStatus, 'commit' | 'reference'>, application: Application): string | null {
  const { repository, revision } = mainSource(application);
  return reference?.repository === repository && reference.revision === revision ? commit : null;
}
