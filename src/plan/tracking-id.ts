import type { ResourceKey } from '../model/index.ts';

/** An identifier of an application has no colon; a name in RBAC may. */
export function trackingId(applicationId: string, key: ResourceKey): string {
  return `${applicationId}:${key}`;
}

/** The application that an object belongs to; undefined where its annotation was copied from another object, or says nothing. */
export function trackedApplication(trackedBy: string | undefined, key: ResourceKey): string | undefined {
  const colon = trackedBy?.indexOf(':') ?? -1;
  if (trackedBy === undefined || colon < 1 || trackedBy.slice(colon + 1) !== key) return undefined;
  return trackedBy.slice(0, colon);
}
