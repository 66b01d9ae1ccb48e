import type { Application } from '../model/index.ts';
import type { Candidate } from './candidate.ts';
import type { LiveFacts } from './live-facts.ts';

const usualMs = 10 * 60_000;

type Waiting = Pick<Candidate, 'limitMs'>;

/** How long a wave waits for it. What makes progress has a time of its own, after which it is Degraded. */
export function waveLimit(facts: Pick<LiveFacts, 'health'> | undefined, { syncTimeoutMs = usualMs }: Pick<Application, 'syncTimeoutMs'>): Waiting {
  return facts?.health.status === 'Progressing' ? {} : { limitMs: syncTimeoutMs };
}

/** In words, what there is to say of something on its way out, and how long a wave waits for it: its finalizers may be those of somebody who is gone. */
export function onItsWayOut({ health }: Pick<LiveFacts, 'health'>, application: Pick<Application, 'syncTimeoutMs'>): Waiting & { readonly lacks: string } {
  if (health.status !== 'Degraded') return { lacks: 'is being deleted' };
  return { lacks: `is Degraded${health.message === undefined ? '' : `: ${health.message}`}`, ...waveLimit({ health }, application) };
}
