import { stringifyJson, type Alert } from '../model/index.ts';
import { hasDeadLetter, isWaiting } from './alerts-delivery-text.ts';
import { readSilences, shownAlerts } from './alerts-muted.ts';
import { openAlertsSource, type AlertsPlaceFlags } from './alerts-place.ts';
import { alertsReport, alertsTable } from './alerts-table.ts';
import type { CliDependencies } from './dependencies.ts';
import { exitCode } from './exit-code.ts';
import { oneLine, printable, yamlText } from './format/index.ts';
import { untilInterrupted } from './status-interrupt.ts';

export interface AlertsChoice {
  readonly firing?: boolean;
  readonly dead?: boolean;
  readonly all?: boolean;
}

export interface AlertsListFlags extends AlertsPlaceFlags, AlertsChoice {
  readonly app?: string | undefined;
  readonly allNamespaces: boolean;
  readonly output: 'table' | 'wide' | 'json' | 'yaml' | 'name';
  readonly headers: boolean;
  readonly color: 'auto' | 'always' | 'never';
}

export async function runAlertsList(flags: AlertsListFlags, { process, output, finish }: CliDependencies): Promise<void> {
  const warn = (text: string): void => void process.stderr.write(`setpoint: ${oneLine(text)}\n`);
  const now = new Date();
  const signal = untilInterrupted(process);
  await using source = await openAlertsSource(flags, { process });
  const { app, namespace, allNamespaces } = flags;
  const items = await source.read({ app, namespace, allNamespaces }, signal);
  const chosen = items.map((item) => ({ ...item, status: { ...item.status, alerts: item.status.alerts.filter(choiceOf(flags)) } })).filter(({ status }) => status.alerts.length > 0);
  const shown = shownAlerts(chosen, await readSilences(chosen, { source, warn }, signal), now);
  finish(exitCode.done);
  if (flags.output === 'json') output.write(`${stringifyJson(alertsReport(shown, source.place), 2)}\n`);
  else if (flags.output === 'yaml') output.write(yamlText(alertsReport(shown, source.place)));
  else if (flags.output === 'name') output.write(shown.map(({ alert }) => `${printable(alert.id)}\n`).join(''));
  else if (shown.length > 0) {
    const width = process.stdout.isTTY ? { width: process.stdout.columns } : {};
    output.write(alertsTable(shown, { colors: output.colors(flags.color), now, wide: flags.output === 'wide', headers: flags.headers, ...width }));
  } else if (flags.headers) {
    output.write(`no ${flags.dead === true ? 'dead letters' : flags.firing === true ? 'alert that fires' : 'alerts'} (${printable(source.place)})${flags.all === true ? '' : ': --all lists those that are over, too'}\n`);
  }
}

/** Usually what is not over yet for somebody: it fires, waits to be told, or could not be. */
export function choiceOf({ firing = false, dead = false, all = false }: AlertsChoice): (alert: Alert) => boolean {
  if (all) return () => true;
  if (dead) return hasDeadLetter;
  if (firing) return ({ resolvedAt }) => resolvedAt === null;
  return (alert) => alert.resolvedAt === null || hasDeadLetter(alert) || isWaiting(alert);
}
