import { createHash } from 'node:crypto';
import type { AppStatus, Cause, Episode, ResourceKey, ResourceStatus } from '../model/index.ts';

/** One look, as far as episodes go. */
export interface Look {
  readonly name: string;
  readonly episodes: AppStatus['episodes'];
  /** All resources that differ, not only those that are listed. */
  readonly differing: readonly (ResourceStatus & { readonly cause: Cause })[];
  /** Those whose difference is nobody's business. */
  readonly ignored?: ReadonlySet<ResourceKey>;
  /** Those of which nothing could be found out. */
  readonly unknown: ReadonlySet<ResourceKey>;
  readonly now: string;
  readonly newId: () => string;
}

const mostOpen = 100;
const keptClosed = 20;
// A sync may put many back at once, and they are told of when it is over.
const keptFresh = 100;
const freshMs = 60 * 60_000;
// Every deploy is one for each of its resources, and the history tells of it too.
const keptDeploys = 3;
const listedFields = 10;

/** Opens an episode at the first sight of a resource's difference and closes it at the next sight of none. Not knowing changes nothing. */
export function advanceEpisodes({ name, episodes, differing, ignored = new Set(), unknown, now, newId }: Look): readonly Episode[] {
  const bySubject = new Map(differing.map((resource) => [subjectOf(resource), resource]));
  const open: Episode[] = [];
  const closed: Episode[] = [];
  let rest: Episode | undefined;
  for (const episode of episodes) {
    const resource = bySubject.get(subjectOf(episode));
    if (episode.closedAt !== null) closed.push(episode);
    else if (episode.key === '*') rest = episode;
    else if (resource !== undefined) open.push(marked({ ...episode, ...seen(name, resource, episode) }, ignored));
    else if (unknown.has(episode.key)) open.push(episode);
    else closed.unshift({ ...episode, closedAt: now });
  }
  const known = new Set(open.map(subjectOf));
  const fresh = differing.filter((resource) => !known.has(subjectOf(resource)));
  const room = Math.max(0, mostOpen - open.length);
  for (const resource of fresh.slice(0, room)) {
    open.push(marked({ id: newId(), key: resource.key, cause: resource.cause, openedAt: now, closedAt: null, ...seen(name, resource) }, ignored));
  }
  const beyond = fresh.slice(room);
  if (beyond.length > 0) {
    const fingerprint = hash([name, '*', String(beyond.length)]);
    open.push({ ...(rest ?? { id: newId(), key: '*', openedAt: now, closedAt: null }), cause: commonCause(beyond), fingerprint, fields: [`${beyond.length} more resources`] });
  } else if (rest !== undefined) closed.unshift({ ...rest, closedAt: now });
  const deploys = new Set(closed.filter(({ cause }) => cause === 'git-ahead').slice(keptDeploys));
  const kept = closed.filter((episode) => !deploys.has(episode)).slice(0, keptFresh);
  return [...open, ...kept.filter(({ closedAt }, at) => at < keptClosed || Date.parse(now) - Date.parse(closedAt ?? now) < freshMs)];
}

/** Something was applied to these: their episodes say so, whatever the next look finds. */
export function markCorrected(episodes: AppStatus['episodes'], keys: ReadonlySet<ResourceKey>, now: string): readonly Episode[] {
  return episodes.map((episode) => (episode.closedAt === null && episode.key !== '*' && keys.has(episode.key) ? { ...episode, correctedAt: now } : episode));
}

function marked({ ignored: _before, ...episode }: Episode, ignored: ReadonlySet<string>): Episode {
  return ignored.has(episode.key) ? { ...episode, ignored: true } : episode;
}

function seen(name: string, { key, type, changes = [], by }: ResourceStatus, before?: Episode): Pick<Episode, 'fingerprint' | 'fields' | 'by'> {
  const paths = changes.map(({ path }) => path).toSorted();
  const actor = by ?? before?.by;
  return {
    fingerprint: hash([name, key, type, ...paths]),
    fields: changes.slice(0, listedFields).map(({ display }) => display),
    ...(actor === undefined ? {} : { by: actor }),
  };
}

function subjectOf({ key, cause }: { readonly key: string; readonly cause?: Cause }): string {
  return `${cause ?? ''} ${key}`;
}

function commonCause(resources: readonly { readonly cause: Cause }[]): Cause {
  const causes = new Set(resources.map(({ cause }) => cause));
  const [only] = causes;
  return causes.size === 1 && only !== undefined ? only : 'both';
}

function hash(parts: readonly string[]): string {
  return createHash('sha256').update(parts.join('\n')).digest('hex').slice(0, 12);
}
