import { mainSource, type Alert, type AlertedApplication, type Application, type Cause, type Episode, type ResourceKey } from '../model/index.ts';
import type { AlertingApplication } from './candidates.ts';
import { describeResource } from './describe-resource.ts';
import { deliveryOf } from './owed.ts';
import { stateMessage } from './state-of.ts';

const listedResources = 10;

interface Telling {
  readonly destination: string;
  /** What is told of it, which is on record: it may be otherwise by now. */
  readonly state: 'firing' | 'resolved';
}

/** One alert as a message for a destination shows it. */
export function describeSubject(alert: Alert, { application, status }: AlertingApplication, { destination, state }: Telling): AlertedApplication {
  const { id, about, fingerprint, startedAt } = alert;
  const episodes = episodesFor(alert, status.episodes, { destination, state });
  const resolvedAt = state === 'resolved' ? (alert.resolvedAt ?? endOf(episodes) ?? alert.transitionAt) : alert.resolvedAt;
  const named = episodes.filter(isOfOne);
  const message = about === undefined || about === 'healed' || (about !== 'SyncSucceeded' && resolvedAt !== null) ? undefined : stateMessage(about, status);
  return {
    rule: { name: alert.rule, severity: alert.severity },
    alert: { id, fingerprint, startedAt, endedAt: resolvedAt },
    application: { namespace: application.namespace ?? null, name: application.name, labels: application.labels },
    cause: commonCause(episodes),
    ...(message === undefined ? {} : { message }),
    revision: revisionOf(application, status.commit),
    resources: named.slice(0, listedResources).map((episode) => describeResource(episode, status.resources)),
    truncatedResources: Math.max(0, named.length - listedResources) + episodes.filter((episode) => !isOfOne(episode)).reduce((sum, episode) => sum + restIn(episode), 0),
  };
}

/** What lasts comes first. What is over is listed with what it was part of until that has been told, not for ever. */
function episodesFor(alert: Alert, listed: readonly Episode[], { destination, state }: Telling): readonly Episode[] {
  const { told, toldAt } = deliveryOf(alert, destination);
  const own = listed.filter(({ id }) => alert.episodes.includes(id));
  // What has come back since an end was put on record is told by the next message.
  const open = state === 'resolved' ? [] : own.filter(({ closedAt }) => closedAt === null);
  const over = own.filter(({ closedAt }) => closedAt !== null);
  const news = over.filter(({ id, closedAt }) => toldAt === null || (closedAt !== null && Date.parse(closedAt) > Date.parse(toldAt)) || (alert.late?.[id] ?? 0) > told);
  return [...open, ...(open.length === 0 && news.length === 0 ? over : news)];
}

function endOf(episodes: readonly Episode[]): string | undefined {
  return episodes.flatMap(({ closedAt }) => closedAt ?? []).toSorted().at(-1);
}

function isOfOne(episode: Episode): episode is Episode & { readonly key: ResourceKey } {
  return episode.key !== '*';
}

/** How many resources stand behind the one that is for the rest. */
function restIn({ fields: [text = ''] }: Episode): number {
  return Math.max(1, Number.parseInt(text, 10) || 0);
}

function commonCause(episodes: readonly Episode[]): Cause | null {
  const [cause, ...others] = new Set(episodes.map((episode) => episode.cause));
  return cause === undefined ? null : others.length > 0 ? 'both' : cause;
}

function revisionOf(application: Application, sha: string | null): AlertedApplication['revision'] {
  if (application.sources.length === 0) return { repo: '', ref: '', sha, path: null };
  const { repository, revision, path } = mainSource(application);
  return { repo: repository, ref: revision, sha, path: path ?? null };
}
