/** When an application may be synced, or must not be. */
export interface SyncWindow {
  readonly kind: 'allow' | 'deny';
  /** Five fields of cron: minute, hour, day of the month, month, day of the week. */
  readonly schedule: string;
  /** How long it lasts from each of these times on. */
  readonly durationMs: number;
  /** As IANA names them: `Europe/Berlin`. The schedule is read on the clocks there. */
  readonly timeZone: string;
  /** Syncs that are asked for by hand are not bound by it. */
  readonly manualSync?: boolean;
}
