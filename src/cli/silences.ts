import { SetpointError, stringifyJson, type Silence } from '../model/index.ts';
import { readSilences } from './alerts-muted.ts';
import { openAlertsSource, type AlertsPlaceFlags } from './alerts-place.ts';
import type { CliDependencies } from './dependencies.ts';
import { exitCode } from './exit-code.ts';
import { oneLine, printable, yamlText } from './format/index.ts';
import { shownSilences, silencesReport, silencesTable } from './silences-table.ts';
import { untilInterrupted } from './status-interrupt.ts';

export interface SilencesFlags extends AlertsPlaceFlags {
  readonly output: 'table' | 'json' | 'yaml';
  readonly color: 'auto' | 'always' | 'never';
}

export async function runSilences(flags: SilencesFlags, { process, output, finish }: CliDependencies): Promise<void> {
  const warn = (text: string): void => void process.stderr.write(`setpoint: ${oneLine(text)}\n`);
  const { namespace } = flags;
  const signal = untilInterrupted(process);
  await using source = await openAlertsSource(flags, { process });
  const items = await source.read({ namespace, allNamespaces: namespace === undefined }, signal);
  // Where no Application names an agent, or another one is meant.
  const keepers = items.length === 0 || flags.agentNamespace !== undefined ? [await source.usualKeeper(signal)] : [];
  const shown = shownSilences(items, await readSilences(items, { source, keepers, warn }, signal), new Date());
  finish(exitCode.done);
  if (flags.output === 'json') output.write(`${stringifyJson(silencesReport(shown, source.place), 2)}\n`);
  else if (flags.output === 'yaml') output.write(yamlText(silencesReport(shown, source.place)));
  else if (shown.length === 0) output.write(`nothing is muted or silenced (${printable(source.place)})\n`);
  else output.write(silencesTable(shown, { colors: output.colors(flags.color), ...(process.stdout.isTTY ? { width: process.stdout.columns } : {}) }));
}

export async function runSilencesEnd(flags: AlertsPlaceFlags & { readonly id: string }, { process, output, finish }: CliDependencies): Promise<void> {
  const { id } = flags;
  const mute = /^mute\/(.+)$/.exec(id);
  if (mute !== null) throw new SetpointError('Usage', `${id} is the mute of an application: setpoint mute ${mute[1]} --off ends it`);
  const signal = untilInterrupted(process);
  await using source = await openAlertsSource(flags, { process });
  const store = source.silencesOf(await source.usualKeeper(signal));
  refuseUnknown(id, await store.read(signal), new Date());
  await store.end(id, signal);
  output.write(`${printable(id)} has ended\n`);
  finish(exitCode.done);
}

const mostNamed = 10;

export function refuseUnknown(id: string, silences: readonly Silence[], now: Date): void {
  if (silences.some((silence) => silence.id === id)) return;
  const names = silences.filter(({ until }) => now.getTime() < Date.parse(until)).map((silence) => silence.id);
  const known = names.length === 0 ? 'there is none' : `there are ${names.slice(0, mostNamed).join(', ')}${names.length > mostNamed ? ` and ${names.length - mostNamed} more` : ''}`;
  throw new SetpointError('Usage', `there is no silence ${id === '' ? 'without a name' : id}: ${known}`);
}
