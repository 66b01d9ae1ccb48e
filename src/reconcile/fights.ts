import type { Episode, ResourceKey } from '../model/index.ts';

const corrections = 3;
const withinMs = 10 * 60_000;

/** Resources that were put back several times in a short while, each time to be changed again, with those who did so as far as they are known. */
export function fightsOf(episodes: readonly Episode[], now: Date): ReadonlyMap<ResourceKey, string> {
  const recent = episodes.filter(({ key, cause, correctedAt }) => key !== '*' && cause !== 'git-ahead' && correctedAt !== undefined && now.getTime() - Date.parse(correctedAt) < withinMs);
  const byKey = Map.groupBy(recent, ({ key }) => key as ResourceKey);
  const fought = [...byKey].filter(([, some]) => some.length >= corrections);
  return new Map(fought.map(([key, some]) => [key, [...new Set(some.flatMap(({ by }) => by ?? []))].toSorted().join(', ')]));
}
