import type { AppStatus } from './app-status.ts';

/** The drift that a status tells of. Drift is listed first: only where nothing else is listed may there be more of it. */
export function driftIn({ resources, notListed }: Pick<AppStatus, 'resources' | 'notListed'>): { readonly count: number; readonly since: string | undefined } {
  const drifted = resources.filter(({ cause }) => cause === 'live-changed' || cause === 'both');
  const isAll = drifted.length > 0 && drifted.length === resources.length;
  return { count: drifted.length + (isAll ? notListed : 0), since: drifted.map(({ since }) => since).toSorted()[0] };
}
