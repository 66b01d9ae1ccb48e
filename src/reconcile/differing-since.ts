import type { AppStatus, Cause, Diff, ResourceKey, ResourceStatus } from '../model/index.ts';

interface Differing {
  readonly key: ResourceKey;
  readonly type: Diff['type'];
  readonly cause: Cause | undefined;
}

interface Before {
  readonly earlier: ResourceStatus | undefined;
  readonly episodes: AppStatus['episodes'];
  readonly now: string;
}

/**
 * Since when it differs like this. A deploy that is on its way says nothing of a drift that joins it, and a look that failed in between
 * ends neither: the episode is still open.
 */
export function differingSince({ key, type, cause }: Differing, { earlier, episodes, now }: Before): string {
  const known = earlier !== undefined && sortOf(earlier.cause) === sortOf(cause) && (cause !== undefined || earlier.type === type) ? [earlier.since] : [];
  const open = cause === undefined ? [] : episodes.filter((episode) => episode.closedAt === null && episode.key === key && sortOf(episode.cause) === sortOf(cause));
  return [...known, ...open.map(({ openedAt }) => openedAt)].reduce((first, at) => (at < first ? at : first), now);
}

function sortOf(cause: Cause | undefined): 'unknown' | 'deploy' | 'drift' {
  return cause === undefined ? 'unknown' : cause === 'git-ahead' ? 'deploy' : 'drift';
}
