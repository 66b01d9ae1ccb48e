import type { CliDependencies } from './dependencies.ts';
import { externalDiffFrom, runExternalDiff } from './external-diff.ts';
import { formatDiffs, printable, summary, troubleAndEndings, type Compared, type DiffFormat } from './format/index.ts';

export interface PrintFlags {
  /** Absent: a tree, or what KUBECTL_EXTERNAL_DIFF makes of it. */
  readonly output?: DiffFormat;
  readonly color: 'auto' | 'always' | 'never';
  readonly contextLines: number;
  readonly showIgnored?: boolean;
  readonly showManagers?: boolean;
}

/** Data on stdout, the rest on stderr. A program of the user's takes the place of the text diff. */
export async function printDiffs(compared: Compared, flags: PrintFlags, { process, output }: CliDependencies): Promise<void> {
  const { stdout, stderr, env } = process;
  const options = {
    colors: output.colors(flags.color),
    contextLines: flags.contextLines,
    showIgnored: flags.showIgnored === true,
    showManagers: flags.showManagers === true,
    ...(stdout.isTTY ? { width: stdout.columns } : {}),
  };
  const external = flags.output === undefined || flags.output === 'unified' ? externalDiffFrom(env) : undefined;
  if (external !== undefined) {
    for (const word of external.dropped) stderr.write(`setpoint: KUBECTL_EXTERNAL_DIFF: ${printable(word)} is not passed on, as kubectl does not\n`);
    await runExternalDiff(external, compared.diffs, process);
    stderr.write(troubleAndEndings(compared, options.colors) + summary(compared, options));
    return;
  }
  const { data, remarks } = formatDiffs(compared, flags.output ?? 'tree', options);
  if (remarks !== '') stderr.write(remarks);
  output.write(data);
}
