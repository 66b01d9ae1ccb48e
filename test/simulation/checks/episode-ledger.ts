import type { AppStatus, Episode } from '../../../src/model/index.ts';
import type { Violated } from './witness.ts';

/** Holds what is recorded of differences against what was recorded before. One for each Application. */
export interface EpisodeLedger {
  written(status: AppStatus): void;
}

const keptClosed = 100;
const keptDeploys = 3;

export function createEpisodeLedger(id: string, violated: Violated): EpisodeLedger {
  const known = new Map<string, Episode>();
  let open: readonly Episode[] = [];
  return {
    written({ episodes }) {
      const ids = new Set(episodes.map((episode) => episode.id));
      if (ids.size < episodes.length) violated(`${id} has two episodes of the same id`);
      // Of deploys only the last few are kept once they are over.
      const isLongOver = ({ cause }: Episode): boolean => cause === 'git-ahead' && episodes.filter((each) => each.cause === cause && each.closedAt !== null).length >= keptDeploys;
      for (const episode of open) if (!ids.has(episode.id) && !isLongOver(episode)) violated(`${id} has lost the open episode ${episode.id} of ${episode.key}`);
      for (const episode of episodes) {
        const before = known.get(episode.id);
        const isSame = before === undefined || (before.key === episode.key && before.cause === episode.cause && before.openedAt === episode.openedAt);
        if (!isSame) violated(`episode ${episode.id} of ${id} has become another one`);
        if (before !== undefined && before.closedAt !== null && before.closedAt !== episode.closedAt) violated(`episode ${episode.id} of ${id} was closed and is no longer, or at another time`);
        if (before === undefined && episode.closedAt !== null) violated(`episode ${episode.id} of ${id} was never recorded as open`);
        if (episode.closedAt !== null && episode.closedAt < episode.openedAt) violated(`episode ${episode.id} of ${id} was closed before it was opened`);
        known.set(episode.id, episode);
      }
      open = episodes.filter(({ closedAt }) => closedAt === null);
      const keys = open.map(({ key }) => key);
      if (new Set(keys).size < keys.length) violated(`${id} has two open episodes of one object: ${keys.join(', ')}`);
      if (episodes.length - open.length > keptClosed) violated(`${id} keeps more than ${keptClosed} closed episodes`);
    },
  };
}
