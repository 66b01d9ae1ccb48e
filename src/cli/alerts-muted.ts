import { activeMutes, mutedBy, type Mute } from '../alert/index.ts';
import { toSetpointError, type Alert, type Silence } from '../model/index.ts';
import type { AlertedItem, AlertsSource } from './alerts-source.ts';

/** An alert where it is, and what keeps it quiet. */
export interface ShownAlert {
  readonly item: AlertedItem;
  readonly alert: Alert;
  /** Of one that fires. Windows are the agent's own business: its configuration is not known here. */
  readonly mute: Mute | undefined;
}

export type SilencesByKeeper = ReadonlyMap<string, readonly Silence[]>;

export function shownAlerts(items: readonly AlertedItem[], silences: SilencesByKeeper, now: Date): readonly ShownAlert[] {
  return items.flatMap((item) => {
    const mutes = activeMutes({ silences: [...(silences.get(item.keeper) ?? []), ...ownSilence(item)] }, now);
    return item.status.alerts.map((alert) => ({ item, alert, mute: alert.resolvedAt === null ? mutedBy(alert, item, mutes) : undefined }));
  });
}

/** The mute of an application, as a silence of it alone. */
export function ownSilence({ application: { id, mute } }: AlertedItem): readonly Silence[] {
  return mute === undefined ? [] : [{ id: `mute/${id}`, match: { applications: [id] }, from: new Date(0).toISOString(), ...mute }];
}

interface Asking {
  readonly source: AlertsSource;
  /** Besides those of the items. */
  readonly keepers?: readonly string[];
  readonly warn: (text: string) => void;
}

/** The silences of all who keep some. Who may not read them sees the rest all the same, and is told. */
export async function readSilences(items: readonly AlertedItem[], { source, keepers = [], warn }: Asking, signal: AbortSignal): Promise<SilencesByKeeper> {
  const all = [...new Set([...keepers, ...items.map(({ keeper }) => keeper)])];
  const read = await Promise.all(
    all.map(async (keeper) => {
      const silences = await source.silencesOf(keeper).read(signal).catch((error: unknown) => {
        const { code, message } = toSetpointError(error);
        if (code !== 'Forbidden') throw error;
        warn(`what is silenced cannot be told: ${message}`);
        return [];
      });
      return [keeper, silences] as const;
    }),
  );
  return new Map(read);
}
