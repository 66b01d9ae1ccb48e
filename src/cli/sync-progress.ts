import { inColumns } from './format/application-columns.ts';
import { operationText } from './format/plan-operation.ts';
import { progressRows, type ProgressRow } from './format/plan-progress.ts';
import { printable } from './format/index.ts';
import type { StatusItem } from './status-item.ts';

interface ProgressOptions {
  readonly stream: Pick<NodeJS.WriteStream, 'write' | 'isTTY' | 'columns' | 'rows'>;
  readonly now: () => Date;
}

export interface SyncProgress {
  show(item: StatusItem): void;
}

const titles = ['PHASE', 'RESOURCE', 'WHAT', 'STATE'];

/** A table that is written over on a terminal; elsewhere a line for each change. */
export function createSyncProgress({ stream, now }: ProgressOptions): SyncProgress {
  let rows: ReadonlyMap<string, ProgressRow> = new Map();
  let head = '';
  let drawn = 0;

  const draw = (): void => {
    const room = Math.max(3, stream.rows - 3);
    const texts = [titles, ...[...rows.values()].slice(0, room).map(cellsOf)].map((row) => row.map((text) => ({ text })));
    const more = rows.size > room ? [`and ${rows.size - room} more`] : [];
    const lines = [head.slice(0, stream.columns - 1), ...inColumns(texts, stream.columns - 1).trimEnd().split('\n'), ...more];
    stream.write(`${drawn === 0 ? '' : `\u001B[${drawn}A\u001B[J`}${lines.join('\n')}\n`);
    drawn = lines.length;
  };
  const line = (text: string): void => void stream.write(`${now().toTimeString().slice(0, 8)}  ${text}\n`);

  return {
    show(item) {
      const { operation } = item.status;
      const latest = progressRows(item.status, rows);
      const headline = `${printable(item.id)}  ${operation === null ? 'has not been synced' : operationText(operation)}`;
      const changed = [...latest].filter(([name, row]) => !isSame(rows.get(name), row)).map(([, row]) => row);
      const isNew = headline !== head;
      [rows, head] = [latest, headline];
      if (!isNew && changed.length === 0) return;
      if (stream.isTTY) return draw();
      if (isNew) line(headline);
      for (const row of changed) line(cellsOf(row).join('  '));
    },
  };
}

function cellsOf({ phase, resource, what, state }: ProgressRow): readonly string[] {
  return [phase, resource, what, state];
}

function isSame(before: ProgressRow | undefined, { what, state }: ProgressRow): boolean {
  return before?.what === what && before.state === state;
}
