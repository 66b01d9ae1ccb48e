import { applicationHealth } from '../health/index.ts';
import type { AppStatus, Health, JudgedResource, UnhealthyResource } from '../model/index.ts';
import type { Observation } from './observe.ts';

interface Seen {
  readonly resources: readonly JudgedResource[];
  readonly health: Observation['health'];
  readonly now: Date;
}

const listed = 50;

/** How the resources are, and since when those that are not well. Nothing where nobody judges. */
export function healthAfter(before: readonly UnhealthyResource[], { resources, health, now }: Seen): Pick<AppStatus, 'health' | 'unhealthy'> {
  const known = new Map(before.map((resource) => [resource.key, resource]));
  const judged = resources.flatMap(({ diff: { key } }) => {
    const present = health(key);
    if (present === undefined) return [];
    const earlier = known.get(key);
    const since = earlier !== undefined && isAlike(earlier, present) ? earlier.since : now.toISOString();
    return [{ key, since, health: present }];
  });
  if (judged.length === 0) return { health: null, unhealthy: [] };
  const unhealthy = judged.filter((resource) => resource.health.status !== 'Healthy').map(({ key, since, health: found }) => ({ key, ...found, since }));
  return { health: applicationHealth(judged.map((resource) => ({ ...resource, counts: true }))), unhealthy: unhealthy.slice(0, listed) };
}

/** What became Degraded because it took too long has been the same all the time. */
function isAlike(earlier: UnhealthyResource, present: Health): boolean {
  return earlier.status === present.status || (isProgress(earlier) && isProgress(present));
}

function isProgress({ status, isOverdue }: Health): boolean {
  return status === 'Progressing' || isOverdue === true;
}

/** Since when each of them makes progress, whether that has become too long or not. What is Degraded by itself makes none. */
export function progressOf(unhealthy: readonly UnhealthyResource[]): ReadonlyMap<UnhealthyResource['key'], Date> {
  return new Map(unhealthy.filter(isProgress).map(({ key, since }) => [key, new Date(since)]));
}
