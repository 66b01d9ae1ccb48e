import { canonicalJson, stringifyJson, type JsonObject } from '../model/index.ts';
import { applicationDetails } from './format/application-details.ts';
import { statusReport } from './format/application-report.ts';
import { applicationTable, paintOf } from './format/application-table.ts';
import { oneLine, printable, yamlText } from './format/index.ts';
import type { Colors } from './output.ts';
import { actorsOf, differing, type StatusItem } from './status-item.ts';

export interface StatusPrintFlags {
  readonly app?: string | undefined;
  readonly output?: 'table' | 'wide' | 'json' | 'yaml' | 'name';
  readonly headers: boolean;
  readonly color: 'auto' | 'always' | 'never';
}

interface Printing {
  readonly place: string;
  readonly colors: Colors;
  readonly write: (text: string) => void;
  readonly warn: (text: string) => void;
  readonly now: () => Date;
  readonly width?: number;
}

export interface StatusPrinter {
  all(items: readonly StatusItem[]): void;
  /** What has become different since the last time. */
  news(items: readonly StatusItem[]): void;
}

export function createStatusPrinter({ app, output, headers }: StatusPrintFlags, { place, colors, write, warn, now, width }: Printing): StatusPrinter {
  let told: ReadonlyMap<string, string> = new Map();
  const warned = new Set<string>();

  const line = (text: string): void => write(`${colors.dim(now().toTimeString().slice(0, 8))}  ${text}\n`);
  const table = (items: readonly StatusItem[]): string => {
    if (app !== undefined && output === undefined) return items.map((item) => applicationDetails(item, { colors, now: now() })).join('\n');
    return applicationTable(items, { colors, now: now(), wide: output === 'wide', headers, ...(width === undefined ? {} : { width }) });
  };
  const remember = (items: readonly StatusItem[]): void => {
    told = new Map(items.map((item) => [item.id, essenceOf(item)]));
    if (output === 'json' || output === 'yaml') return;
    for (const [note] of items.filter(({ vouchedBy }) => vouchedBy === 'status').map(({ notes }) => notes)) {
      if (note !== undefined && !warned.has(note)) warn(note);
      if (note !== undefined) warned.add(note);
    }
  };

  return {
    all(items) {
      remember(items);
      if (output === 'json') write(`${stringifyJson(statusReport(items, place), 2)}\n`);
      else if (output === 'yaml') write(yamlText(statusReport(items, place)));
      else if (output === 'name') write(items.map(({ id }) => `${printable(id)}\n`).join(''));
      else write(table(items));
    },
    news(items) {
      const changed = items.filter((item) => told.get(item.id) !== essenceOf(item));
      const present = new Set(items.map(({ id }) => id));
      const gone = [...told.keys()].filter((id) => !present.has(id));
      remember(items);
      if (changed.length === 0 && gone.length === 0) return;
      const report: JsonObject = { ...statusReport(changed, place), ...(gone.length === 0 ? {} : { gone }) };
      if (output === 'json') write(`${stringifyJson(report)}\n`);
      else if (output === 'yaml') write(`---\n${yamlText(report)}`);
      else if (output === 'name') write(changed.map(({ id }) => `${printable(id)}\n`).join(''));
      else {
        for (const item of changed) line(describe(item, colors));
        for (const id of gone) line(`${colors.bold(printable(id))}  is gone`);
      }
    },
  };
}

/** What is worth a new line: ages are not. */
function essenceOf(item: StatusItem): string {
  const { verdict, revision = null, mode = null, pause, status } = item;
  const active = status.conditions.filter(({ status: holds }) => holds === 'True').map(({ type, message }) => [type, message]);
  const doing = [status.operation?.id ?? null, status.operation?.state ?? null, status.health?.status ?? null, status.held.length];
  return canonicalJson([{ ...verdict }, doing, revision, mode, pause === undefined ? null : [pause.until ?? null, pause.reason ?? null], differing(item).count, status.declared, [...actorsOf(item)], active]);
}

function describe(item: StatusItem, colors: Colors): string {
  const { verdict, revision, pause } = item;
  const actors = actorsOf(item);
  const parts = [
    colors.bold(printable(item.id)),
    paintOf(item, colors)(verdict.status) + (verdict.status === 'OutOfSync' ? ` (${verdict.cause})` : ''),
    ...(verdict.status === 'Unknown' ? [`${verdict.code}: ${oneLine(verdict.message)}`] : [`${differing(item).count}/${item.status.declared}`]),
    ...(verdict.status === 'OutOfSync' && actors.length > 0 ? [`by ${printable(actors.join(', '))}`] : []),
    ...(revision === undefined ? [] : [printable(revision)]),
    ...(item.status.health === null ? [] : [item.status.health.status]),
    ...(item.status.operation === null ? [] : [`sync ${item.status.operation.state}`]),
    ...(item.mode === 'paused' || (item.mode === undefined && pause !== undefined) ? ['paused'] : []),
  ];
  return parts.join('  ');
}
