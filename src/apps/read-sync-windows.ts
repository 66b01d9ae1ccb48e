import type { JsonObject, SyncWindow } from '../model/index.ts';
import { durationMs } from './duration.ts';

interface WrittenWindow {
  readonly kind: SyncWindow['kind'];
  readonly schedule: string;
  readonly duration?: string;
  readonly timeZone?: string;
  readonly manualSync?: boolean;
}

/** A schedule or a zone that cannot be read holds every sync: what it was to keep from happening must not happen. */
export function readSyncWindows({ syncWindows = [] }: JsonObject): readonly SyncWindow[] {
  return (syncWindows as unknown as readonly WrittenWindow[]).map(({ kind, schedule, duration = '', timeZone = 'UTC', manualSync }) => ({
    kind,
    schedule,
    durationMs: durationMs(duration) ?? 0,
    timeZone,
    ...(manualSync !== undefined && { manualSync }),
  }));
}
