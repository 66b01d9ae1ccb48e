import { activeMutes, mutedBy } from '../alert/index.ts';
import type { JsonObject, Silence } from '../model/index.ts';
import { ownSilence, type SilencesByKeeper } from './alerts-muted.ts';
import type { AlertedItem } from './alerts-source.ts';
import { inColumns, type Cell } from './format/application-columns.ts';
import { timeText } from './format/attribution.ts';
import { oneLine, printable } from './format/index.ts';
import { matchText } from './mute-matchers.ts';
import type { Colors } from './output.ts';

/** A silence, or the mute of an application. */
export interface ShownSilence {
  readonly type: 'silence' | 'mute';
  readonly silence: Silence;
  /** How many alerts fire that it would keep quiet by itself. */
  readonly muted: number;
}

/** Those that are not over, the first to end first. */
export function shownSilences(items: readonly AlertedItem[], silences: SilencesByKeeper, now: Date): readonly ShownSilence[] {
  const made = [...silences].flatMap(([keeper, some]) => some.map((silence): ShownSilence => ({ type: 'silence', silence, muted: countMuted(silence, items.filter((item) => item.keeper === keeper), now) })));
  const mutes = items.flatMap((item) => ownSilence(item).map((silence): ShownSilence => ({ type: 'mute', silence, muted: countMuted(silence, [item], now) })));
  return [...made, ...mutes].filter(({ silence }) => now.getTime() < Date.parse(silence.until)).toSorted((a, b) => Date.parse(a.silence.until) - Date.parse(b.silence.until));
}

function countMuted(silence: Silence, items: readonly AlertedItem[], now: Date): number {
  const mutes = activeMutes({ silences: [silence] }, now);
  return items.flatMap((item) => item.status.alerts.filter((alert) => alert.resolvedAt === null && mutedBy(alert, item, mutes) !== undefined)).length;
}

const titles = ['ID', 'UNTIL', 'MUTES', 'BY', 'WHAT', 'REASON'];

export function silencesTable(shown: readonly ShownSilence[], { colors, width }: { readonly colors: Colors; readonly width?: number }): string {
  const header = titles.map((text): Cell => ({ text, paint: colors.bold }));
  const rows = shown.map(({ silence: { id, until, author, match, reason }, muted }) =>
    [id, timeText(until), String(muted), oneLine(author) || '-', matchText(match), oneLine(reason) || '-'].map((text): Cell => ({ text: printable(text) })),
  );
  return inColumns([header, ...rows], width);
}

/** The versioned document of `setpoint silences -o json` and `-o yaml`. */
export function silencesReport(shown: readonly ShownSilence[], place: string): JsonObject {
  return {
    apiVersion: 'setpoint.dev/v1',
    kind: 'SilencesReport',
    place,
    items: shown.map(({ type, silence, muted }): JsonObject => ({ type, muted, ...(silence as unknown as JsonObject) })),
  };
}
