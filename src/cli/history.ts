import { stringifyJson } from '../model/index.ts';
import type { CliDependencies } from './dependencies.ts';
import { exitCode } from './exit-code.ts';
import { happenings, historyReport, historyTable } from './format/application-history.ts';
import { oneLine, printable, yamlText } from './format/index.ts';
import { untilInterrupted } from './status-interrupt.ts';
import { openStatusSource, type PlaceFlags } from './status-place.ts';

export interface HistoryFlags extends PlaceFlags {
  readonly app: string;
  readonly output: 'table' | 'json' | 'yaml';
  readonly color: 'auto' | 'always' | 'never';
}

export async function runHistory(flags: HistoryFlags, { process, output, finish }: CliDependencies): Promise<void> {
  const warn = (text: string): void => void process.stderr.write(`setpoint: ${oneLine(text)}\n`);
  const now = (): Date => new Date();
  await using source = await openStatusSource(flags, { env: process.env, now, warn });
  const { id, status } = await source.find(flags, untilInterrupted(process));
  const all = happenings(status);
  finish(exitCode.done);
  if (flags.output === 'json') output.write(`${stringifyJson(historyReport(id, all), 2)}\n`);
  else if (flags.output === 'yaml') output.write(yamlText(historyReport(id, all)));
  else if (all.length === 0) output.write(`nothing is on record of ${printable(id)}: it never differed since it is looked at\n`);
  else output.write(historyTable(all, { colors: output.colors(flags.color), now: now(), ...(process.stdout.isTTY ? { width: process.stdout.columns } : {}) }));
}
