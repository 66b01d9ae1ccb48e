import { displayKey, type Diff } from '../../model/index.ts';
import type { Colors } from '../output.ts';
import type { Compared } from './format-diffs.ts';

export function countTypes(diffs: readonly Diff[]): Record<Diff['type'], number> {
  const count = { same: 0, changed: 0, missing: 0, invalid: 0, unknown: 0 };
  for (const { type } of diffs) count[type] += 1;
  return count;
}

/** What could not be compared, and why: one line each. */
export function trouble({ diffs, findings }: Compared, colors: Colors): string {
  const lines = [
    ...diffs.flatMap((diff) =>
      diff.type === 'unknown' || diff.type === 'invalid'
        ? [`${colors.yellow(diff.type === 'unknown' ? '?' : '!')} ${displayKey(diff.key)}  ${diff.message}  ${colors.dim(diff.origin)}`]
        : [],
    ),
    ...findings.map(({ severity, origin, message }) => `${colors.yellow('!')} ${origin}  ${severity}: ${message}`),
  ];
  return lines.length === 0 ? '' : `${lines.join('\n')}\n\n`;
}

export function summary({ diffs, findings, context }: Compared, colors: Colors): string {
  const { same, changed, missing, invalid, unknown } = countTypes(diffs);
  const unread = findings.filter(({ severity }) => severity === 'error').length;
  const parts = [
    changed > 0 && colors.yellow(`${changed} changed`),
    missing > 0 && colors.yellow(`${missing} missing`),
    invalid > 0 && colors.red(`${invalid} refused`),
    unknown > 0 && colors.red(`${unknown} unknown`),
    unread > 0 && colors.red(`${unread} unreadable`),
    same > 0 && colors.green(`${same} in sync`),
  ].filter((part) => part !== false);
  const foreign = diffs.reduce((sum, diff) => sum + ('foreign' in diff ? diff.foreign.length : 0), 0);
  const byHand = foreign === 0 ? '' : `; ${colors.cyan(countByHand(foreign))}`;
  const legend = `(context ${context}; - live, + Git${foreign === 0 ? '' : ', * only live'})`;
  return `${parts.join(', ') || 'nothing to compare'}${byHand}  ${colors.dim(legend)}\n`;
}

export function countByHand(fields: number): string {
  return `${fields} ${fields === 1 ? 'field' : 'fields'} added by hand`;
}
