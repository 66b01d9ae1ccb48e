import type { Episode, ResourceKey } from '../model/index.ts';

const most = 3;
const withinMs = 10 * 60_000;

/** Resources that were put back several times in a short while, each time to be changed again, with those who did so as far as they are known. */
export function fightsOf(episodes: readonly Episode[], now: Date): ReadonlyMap<ResourceKey, string> {
  const recent = episodes.filter((episode) => episode.key !== '*' && episode.cause !== 'git-ahead' && correctionsOf(episode, now).length > 0);
  const byKey = Map.groupBy(recent, ({ key }) => key as ResourceKey);
  // One write is one correction, whatever it ended.
  const fought = [...byKey].filter(([, some]) => new Set(some.flatMap((episode) => correctionsOf(episode, now))).size >= most);
  return new Map(fought.map(([key, some]) => [key, [...new Set(some.flatMap(({ by }) => by?.split(', ') ?? []))].toSorted().join(', ')]));
}

function correctionsOf({ corrections, correctedAt }: Episode, now: Date): readonly string[] {
  const all = corrections ?? (correctedAt === undefined ? [] : [correctedAt]);
  return all.filter((at) => now.getTime() - Date.parse(at) < withinMs);
}
