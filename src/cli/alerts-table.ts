import type { Mute } from '../alert/index.ts';
import type { JsonObject, Severity } from '../model/index.ts';
import { deliveriesText, hasDeadLetter } from './alerts-delivery-text.ts';
import type { ShownAlert } from './alerts-muted.ts';
import { age } from './format/application-age.ts';
import { inColumns, type Cell } from './format/application-columns.ts';
import { timeText } from './format/attribution.ts';
import { oneLine, printable } from './format/index.ts';
import type { Colors } from './output.ts';

interface TableOptions {
  readonly colors: Colors;
  readonly now: Date;
  readonly wide: boolean;
  readonly headers: boolean;
  readonly width?: number;
}

const titles = ['APP', 'RULE', 'SEVERITY', 'STATE', 'SINCE'];
const wideTitles = ['ALERT', 'ABOUT', 'EPISODES'];
const stateColumn = 3;

export function alertsTable(shown: readonly ShownAlert[], { colors, now, wide, headers, width }: TableOptions): string {
  const header = [...titles, ...(wide ? wideTitles : []), 'DELIVERIES'].map((text): Cell => ({ text, paint: colors.bold }));
  const rows = shown.map(({ item, alert, mute }): readonly Cell[] => {
    const { rule, severity, startedAt, id, about = 'drift', episodes } = alert;
    const texts = [item.application.id, rule, severity, stateText({ alert, mute }), age(new Date(startedAt), now), ...(wide ? [id, about, String(episodes.length)] : [])];
    const paint = alert.resolvedAt !== null ? colors.green : mute === undefined ? paintOf(severity, colors) : colors.dim;
    const cells = texts.map((text, column) => ({ text: printable(text), ...(column === stateColumn ? { paint } : {}) }));
    return [...cells, { text: deliveriesText(alert), paint: hasDeadLetter(alert) ? colors.red : same }];
  });
  return inColumns([...(headers ? [header] : []), ...rows], width);
}

function stateText({ alert: { resolvedAt }, mute }: Pick<ShownAlert, 'alert' | 'mute'>): string {
  if (resolvedAt !== null) return `resolved at ${timeText(resolvedAt)}`;
  return mute === undefined ? 'firing' : `muted until ${timeText(mute.until)} by ${whoMutes(mute)}`;
}

function whoMutes(mute: Mute): string {
  return mute.type === 'silence' ? oneLine(mute.author) || 'somebody' : mute.name;
}

function paintOf(severity: Severity, colors: Colors): (text: string) => string {
  return severity === 'critical' ? colors.red : severity === 'warning' ? colors.yellow : same;
}

function same(text: string): string {
  return text;
}

/** The versioned document of `setpoint alerts list -o json` and `-o yaml`. */
export function alertsReport(shown: readonly ShownAlert[], place: string): JsonObject {
  return {
    apiVersion: 'setpoint.dev/v1',
    kind: 'AlertsReport',
    place,
    items: shown.map(({ item, alert, mute }): JsonObject => {
      const state = alert.resolvedAt !== null ? 'resolved' : mute === undefined ? 'firing' : 'muted';
      return { application: item.application.id, state, mute: mute === undefined ? null : { ...mute }, ...(alert as unknown as JsonObject) };
    }),
  };
}
