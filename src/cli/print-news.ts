import { displayKey } from '../model/index.ts';
import type { CliDependencies } from './dependencies.ts';
import { formatDiffs, printable, tree, trouble } from './format/index.ts';
import type { PrintFlags } from './print-diffs.ts';
import type { News } from './news.ts';

interface NewsPrinting extends Pick<CliDependencies, 'process' | 'output'> {
  readonly flags: PrintFlags;
  readonly context: string;
}

/** What has become different since the last time, under the time of day; in formats for scripts, the same document of the news alone. */
export function printNews({ diffs, again, gone, findings }: News, { flags, context, process, output }: NewsPrinting): void {
  if (diffs.length === 0 && gone.length === 0 && findings === undefined) return;
  const colors = output.colors(flags.color);
  const { showIgnored = false, showManagers = false, contextLines, output: format = 'tree' } = flags;
  const options = { colors, contextLines, showIgnored, showManagers };
  const compared = { diffs, findings: findings ?? [], context };
  const line = (sign: string, key: News['gone'][number], text: string): string => `${sign} ${colors.bold(printable(displayKey(key)))}  ${text}\n`;
  const left = gone.map((key) => line(colors.dim('/'), key, 'is no longer among the documents')).join('');
  if (format !== 'tree') {
    const { data, remarks } = formatDiffs(compared, format, options);
    process.stderr.write(remarks + left);
    output.write(format === 'yaml' ? `---\n${data}` : data);
    return;
  }
  const healed = diffs.filter((diff) => diff.type === 'same' && diff.foreign.length === 0);
  const lines = healed.map(({ key }) => line(colors.green('='), key, again.has(key) ? 'in sync again' : 'in sync')).join('');
  const readable = findings?.length === 0 ? `${colors.green('=')} all documents can be read again\n` : '';
  output.write(`${colors.dim(new Date().toTimeString().slice(0, 8))}\n${lines}${left}${readable}${tree(diffs, options)}${trouble(compared, colors)}`);
}
