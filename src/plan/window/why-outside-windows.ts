import type { SyncWindow } from '../../model/index.ts';
import { windowState } from './window-state.ts';

interface Asked {
  readonly windows: readonly SyncWindow[];
  readonly isByHand: boolean;
  readonly now: Date;
}

/** Why nothing may be synced now; undefined where it may. What is denied is denied, and where there are times to do it, it waits for one. */
export function whyOutsideWindows({ windows, isByHand, now }: Asked): string | undefined {
  const seen = windows.map((window) => ({ window, state: windowState(window, now), binds: !isByHand || window.manualSync !== true }));
  const unreadable = seen.find(({ state, binds }) => binds && state === 'unreadable');
  if (unreadable !== undefined) return `nothing is synced while a sync window cannot be read: ${shown(unreadable.window)}`;
  const denied = seen.find(({ window, state, binds }) => binds && window.kind === 'deny' && state === 'open');
  if (denied !== undefined) return `a sync window denies it: ${shown(denied.window)}`;
  const allows = seen.filter(({ window }) => window.kind === 'allow');
  if (allows.some(({ state }) => state === 'open') || !allows.some(({ binds }) => binds)) return undefined;
  return `no sync window is open: ${allows.map(({ window }) => shown(window)).join('; ')}`;
}

function shown({ schedule, timeZone, durationMs }: SyncWindow): string {
  return `"${schedule}" ${timeZone} for ${Math.round(durationMs / 60_000)} min`;
}
