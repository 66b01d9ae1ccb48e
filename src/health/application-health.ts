import { displayKey, type Health, type HealthStatus, type ResourceKey } from '../model/index.ts';
import { messageText } from './message-text.ts';

/** From best to worst, as Argo CD ranks them. */
const rank: Readonly<Record<HealthStatus, number>> = { Healthy: 0, Suspended: 1, Progressing: 2, Missing: 3, Degraded: 4, Unknown: 5 };

export interface ResourceHealth {
  readonly key: ResourceKey;
  readonly health: Health;
  /** False for hooks and for what its owner wants left out. */
  readonly counts: boolean;
}

/** An application is as well as its worst resource. */
export function applicationHealth(resources: readonly ResourceHealth[]): Health {
  let worst: ResourceHealth | undefined;
  let others = 0;
  for (const resource of resources) {
    if (!resource.counts) continue;
    const step = rank[resource.health.status] - (worst === undefined ? -1 : rank[worst.health.status]);
    if (step === 0) others += 1;
    if (step <= 0) continue;
    worst = resource;
    others = 0;
  }
  if (worst === undefined || worst.health.status === 'Healthy') return { status: 'Healthy' };
  const { status, message } = worst.health;
  const more = others === 0 ? '' : ` (and ${others} more ${others === 1 ? 'is' : 'are'} ${status})`;
  const why = message === undefined ? '' : `: ${message}`;
  return { status, message: messageText(`${displayKey(worst.key)}${more}${why}`) };
}
