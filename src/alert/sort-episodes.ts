import type { Alert, AlertRule, Episode } from '../model/index.ts';
import { isRecent, newsMs } from './instant.ts';
import { matchesEpisode } from './matches.ts';
import { isBlind, isUnderWay } from './state-of.ts';
import { hasLasted, type Round } from './transition.ts';

export interface SortedEpisodes {
  /** All that the rule is about, open or over. */
  readonly listed: readonly Episode[];
  /** Open, and has lasted long enough. */
  readonly ripe: readonly Episode[];
  /** Over, and lasted long enough while nobody looked. */
  readonly missed: readonly Episode[];
  /** Over, because something was done about it before it was worth an alert. */
  readonly healed: readonly Episode[];
  /** When time alone changes some of this. */
  readonly nextAt: readonly number[];
}

// Long enough for most syncs, and well before it is no news any more.
const longestPutOffMs = newsMs / 2;

/** The episodes of an application as a rule sees them. Nothing is new while a sync runs or nobody knows; what is over waits for that, but not for ever. */
export function sortEpisodes(alerts: readonly Alert[], rule: AlertRule, { application, status, now }: Round): SortedEpisodes {
  const isPutOff = isBlind(status.verdict) || isUnderWay(status.operation);
  const listed = status.episodes.filter((episode) => matchesEpisode(rule, application, episode));
  const told = new Set(alerts.flatMap(({ episodes, earlier = [] }) => [...episodes, ...earlier]));
  const open = isPutOff ? [] : listed.filter(({ closedAt }) => closedAt === null);
  const untold = listed.filter(({ id, closedAt }) => closedAt !== null && !told.has(id) && isRecent(closedAt, now));
  const tellAt = ({ closedAt }: Episode): number => Date.parse(closedAt ?? '') + (isPutOff ? longestPutOffMs : 0);
  const over = untold.filter((episode) => tellAt(episode) <= now.getTime());
  const missed = over.filter((episode) => isMissed(episode, rule));
  const pending = open.filter(({ openedAt }) => !hasLasted(openedAt, rule, now));
  return {
    listed,
    ripe: open.filter((episode) => !pending.includes(episode)),
    missed,
    healed: over.filter((episode) => episode.correctedAt !== undefined && episode.cause !== 'git-ahead' && !missed.includes(episode)),
    nextAt: [...pending.map(({ openedAt }) => Date.parse(openedAt) + rule.forMs), ...untold.map(tellAt)],
  };
}

/** Without a time to wait for, what was corrected at once is healed: the sync had begun when it was first seen. */
function isMissed({ openedAt, closedAt, correctedAt }: Episode, rule: AlertRule): boolean {
  const until = correctedAt ?? closedAt;
  return until !== null && (correctedAt === undefined || rule.forMs > 0) && hasLasted(openedAt, rule, new Date(until));
}
