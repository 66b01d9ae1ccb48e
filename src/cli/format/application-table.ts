import type { Colors } from '../output.ts';
import { actorsOf, differing, sinceOf, type StatusItem } from '../status-item.ts';
import { age } from './application-age.ts';
import { inColumns, type Cell } from './application-columns.ts';
import { oneLine, printable } from './printable.ts';

export interface TableOptions {
  readonly colors: Colors;
  readonly now: Date;
  readonly wide: boolean;
  readonly headers: boolean;
  /** Columns of the terminal; absent where the output goes elsewhere, and nothing is cut. */
  readonly width?: number;
}

const titles = ['NAMESPACE', 'APP', 'SYNC', 'CAUSE', 'DRIFT', 'SINCE', 'BY', 'REVISION', 'MODE', 'LAST CHECK'];
const wideTitles = ['REPOSITORY', 'PATH'];

/** One line for each application, and what there is to say of it at the end of the line. */
export function applicationTable(items: readonly StatusItem[], options: TableOptions): string {
  const { colors, wide, headers, width } = options;
  const header = [...titles, ...(wide ? wideTitles : []), ''].map((text): Cell => ({ text, paint: colors.bold }));
  const rows = items.map((item) => rowOf(item, options));
  if (rows.length === 0 && !headers) return '';
  return inColumns([...(headers ? [header] : []), ...rows], width) + (headers ? `${applicationSummary(items, colors)}\n` : '');
}

function rowOf(item: StatusItem, { colors, now, wide }: TableOptions): readonly Cell[] {
  const { verdict, source } = item;
  const isKnown = verdict.status !== 'Unknown';
  const texts = [
    item.namespace ?? '-',
    item.name,
    verdict.status,
    verdict.status === 'OutOfSync' ? verdict.cause : '-',
    isKnown ? `${differing(item).count}/${item.status.declared}` : '-',
    verdict.status === 'Synced' ? '-' : age(sinceOf(item), now),
    isKnown ? shortened(actorsOf(item)) : '-',
    item.revision ?? '-',
    item.mode ?? (item.pause === undefined ? '-' : 'paused'),
    `${age(item.vouchedAt, now)}${item.vouchedBy === 'status' ? '?' : ''}`,
    ...(wide ? [source?.repository ?? '-', source?.path ?? '-'] : []),
  ];
  const paints: Readonly<Record<number, Cell['paint']>> = { 2: paintOf(item, colors) };
  return [...texts.map((text, column) => ({ text: printable(text), ...(paints[column] && { paint: paints[column] }) })), { text: remarkOf(item), paint: isKnown ? colors.dim : colors.red }];
}

export function paintOf({ verdict }: StatusItem, colors: Colors): (text: string) => string {
  return { Synced: colors.green, OutOfSync: colors.yellow, Unknown: colors.red }[verdict.status];
}

/** `a`, `a, b`, `a +3` */
function shortened(names: readonly string[]): string {
  const [first = '-', second] = names;
  if (names.length <= 2) return second === undefined ? first : `${first}, ${second}`;
  return `${first} +${names.length - 1}`;
}

function remarkOf({ verdict, status, notes, vouchedBy }: StatusItem): string {
  if (verdict.status === 'Unknown') return `✗ ${oneLine(verdict.message || verdict.code)}`;
  if (status.conditions.some(({ type, status: holds }) => type === 'Reconciling' && holds === 'True')) return '⟳ syncing';
  const stale = status.conditions.find(({ type, status: holds }) => type === 'SourceStale' && holds === 'True');
  if (stale !== undefined) return `! ${oneLine(stale.message)}`;
  // That a lease cannot be read is said once for all, below the table.
  const own = vouchedBy === 'status' ? notes.slice(1) : notes;
  return own[0] === undefined ? '' : `! ${oneLine(own[0])}`;
}

/** `4 apps: 1 Synced, 2 OutOfSync (1 drifted, 1 deploying), 1 Unknown` */
export function applicationSummary(items: readonly StatusItem[], colors: Colors): string {
  const synced = items.filter(({ verdict }) => verdict.status === 'Synced').length;
  const unknown = items.filter(({ verdict }) => verdict.status === 'Unknown').length;
  const causes = items.flatMap(({ verdict }) => (verdict.status === 'OutOfSync' ? [verdict.cause] : []));
  const deploying = causes.filter((cause) => cause === 'git-ahead').length;
  const why = [...(causes.length > deploying ? [`${causes.length - deploying} drifted`] : []), ...(deploying > 0 ? [`${deploying} deploying`] : [])];
  const parts = [
    ...(synced > 0 ? [colors.green(`${synced} Synced`)] : []),
    ...(causes.length > 0 ? [`${colors.yellow(`${causes.length} OutOfSync`)} (${why.join(', ')})`] : []),
    ...(unknown > 0 ? [colors.red(`${unknown} Unknown`)] : []),
  ];
  return `${items.length} app${items.length === 1 ? '' : 's'}${parts.length === 0 ? '' : `: ${parts.join(', ')}`}`;
}
