import { displayKey, type Diff } from '../model/index.ts';
import { formatDiffs, printable, tree, trouble } from './format/index.ts';
import type { Output } from './output.ts';
import type { PrintFlags } from './print-diffs.ts';

/** What has become different since the last time, under the time of day; in formats for scripts, without a word more. */
export function printNews(news: readonly Diff[], flags: PrintFlags, output: Output): void {
  if (news.length === 0) return;
  const colors = output.colors(flags.color);
  const { showIgnored = false, showManagers = false, contextLines, output: format = 'tree' } = flags;
  const options = { colors, contextLines, showIgnored, showManagers };
  const compared = { diffs: news, findings: [], context: '' };
  if (format !== 'tree') {
    output.write(formatDiffs(compared, format, options).data);
    return;
  }
  const healed = news.filter((diff) => diff.type === 'same' && diff.foreign.length === 0);
  const lines = healed.map(({ key }) => `${colors.green('=')} ${colors.bold(printable(displayKey(key)))}  in sync again\n`);
  output.write(`${colors.dim(new Date().toTimeString().slice(0, 8))}\n${lines.join('')}${tree(news, options)}${trouble(compared, colors)}`);
}
