import type { CliDependencies } from './dependencies.ts';
import { exitCode, exitCodeOfVerdicts } from './exit-code.ts';
import { oneLine } from './format/index.ts';
import { untilInterrupted } from './status-interrupt.ts';
import { openStatusSource, type PlaceFlags } from './status-place.ts';
import { createStatusPrinter, type StatusPrintFlags } from './status-print.ts';
import type { StatusItem } from './status-item.ts';

export interface StatusFlags extends PlaceFlags, StatusPrintFlags {
  readonly app?: string | undefined;
  readonly allNamespaces: boolean;
  readonly selector?: string;
  readonly watch: boolean;
  readonly exitCode: boolean;
}

export async function runStatus(flags: StatusFlags, { process, output, finish }: CliDependencies): Promise<void> {
  const warn = (text: string): void => void process.stderr.write(`setpoint: ${oneLine(text)}\n`);
  const now = (): Date => new Date();
  const signal = AbortSignal.any([untilInterrupted(process), output.readerGone]);
  await using source = await openStatusSource(flags, { env: process.env, now, warn });
  const width = process.stdout.isTTY ? { width: process.stdout.columns } : {};
  const print = createStatusPrinter(flags, { place: source.place, colors: output.colors(flags.color), write: output.write, warn, now, ...width });
  const conclude = (items: readonly StatusItem[]): void => finish(flags.exitCode ? exitCodeOfVerdicts(items.map(({ verdict }) => verdict)) : exitCode.done);

  const items = await source.read(flags, signal);
  conclude(items);
  print.all(items);
  if (!flags.watch) return;
  await source.watch(
    flags,
    (latest) => {
      conclude(latest);
      print.news(latest);
    },
    signal,
  );
}
