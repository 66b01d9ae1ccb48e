import type { Alert, AlertRule, Episode } from '../model/index.ts';
import { fingerprint } from './fingerprint.ts';
import type { SortedEpisodes } from './sort-episodes.ts';
import { isBlind, isUnderWay } from './state-of.ts';
import { firedAgain, isSameAgain, raised, resolved, type Content, type Round } from './transition.ts';

/** The alerts of a rule about drift after a look at the episodes, newest first. At most one of them fires. */
export function advanceDrift(alerts: readonly Alert[], { rule, sorted, round }: { readonly rule: AlertRule; readonly sorted: SortedEpisodes; readonly round: Round }): readonly Alert[] {
  const current = alerts.find(({ about }) => about === undefined);
  const replaced = (next: Alert): readonly Alert[] => alerts.map((alert) => (alert === current ? next : alert));
  if (current?.resolvedAt === null) return replaced(stillFiring(current, { rule, sorted, round }));
  const { ripe, missed, listed } = sorted;
  const news = [...ripe, ...missed];
  const [oldest] = news.map(({ openedAt }) => openedAt).toSorted();
  if (oldest === undefined) return alerts;
  const isOld = current !== undefined && (isSameAgain(current, oldest, rule) || !round.isSettled(current, rule));
  const before = isOld ? listed.filter(({ id }) => current.episodes.includes(id)) : [];
  const content = contentOf([...before, ...news.filter((episode) => !before.includes(episode))]);
  const fired = isOld ? firedAgain(current, { ...content, startedAt: oldest }, round) : raised(content, rule, round);
  const next = ripe.length > 0 ? fired : resolved(fired, rule, round);
  return isOld ? replaced(next) : [next, ...alerts];
}

function stillFiring(alert: Alert, { rule, sorted, round }: { readonly rule: AlertRule; readonly sorted: SortedEpisodes; readonly round: Round }): Alert {
  const { listed, ripe, missed } = sorted;
  const known = listed.filter(({ id }) => alert.episodes.includes(id));
  const joining = [...ripe, ...missed].filter((episode) => !known.includes(episode));
  const isUnclear = isBlind(round.status.verdict);
  const lasts = isUnclear || known.some(({ closedAt }) => closedAt === null) || ripe.length > 0;
  const content = contentOf([...known, ...joining]);
  const joined = joining.length > 0 ? firedAgain(alert, content, round) : alert;
  if (!lasts) return resolved(joined, rule, round);
  if (joining.length > 0 || isUnclear || isUnderWay(round.status.operation)) return joined;
  // What is not listed any more cannot be compared.
  if (known.length < alert.episodes.length) return { ...alert, episodes: content.episodes, fingerprint: fingerprint(content.parts) };
  return fingerprint(content.parts) === alert.fingerprint ? alert : firedAgain(alert, { ...content, startedAt: alert.startedAt }, round);
}

export function contentOf(episodes: readonly Episode[]): Content {
  const [startedAt = ''] = episodes.map(({ openedAt }) => openedAt).toSorted();
  return { startedAt, episodes: episodes.map(({ id }) => id), parts: episodes.map((episode) => episode.fingerprint) };
}
