import { displayKey, type AppStatus, type ResourceKey } from '../../model/index.ts';
import { oneLine, printable } from './printable.ts';

/** Something that a sync has to do with, and how it stands. */
export interface ProgressRow {
  readonly phase: string;
  readonly resource: string;
  readonly what: string;
  readonly state: string;
}

const ends: Readonly<Record<string, string>> = { wait: 'healthy', hold: 'no longer held' };

type Seen = Pick<AppStatus, 'operation' | 'resources' | 'held' | 'unhealthy'>;

/** By phase and resource. What was there before and is no longer mentioned is done. */
export function progressRows(status: Seen, before: ReadonlyMap<string, ProgressRow>): ReadonlyMap<string, ProgressRow> {
  const rows = new Map<string, ProgressRow>();
  const put = (row: ProgressRow): void => void rows.set(`${row.phase} ${row.resource}`, row);
  const hooks = new Set<string>();
  for (const [name, state] of Object.entries(status.operation?.hooks ?? {})) {
    const space = name.indexOf(' ');
    const key = name.slice(space + 1);
    hooks.add(key);
    put({ phase: printable(name.slice(0, space)), resource: shown(key as ResourceKey), what: 'hook', state });
  }
  for (const { key, status: health, message } of status.unhealthy.filter((each) => !hooks.has(each.key))) {
    put({ phase: 'Sync', resource: shown(key), what: 'wait', state: `${health}${message === undefined ? '' : `: ${oneLine(message)}`}` });
  }
  for (const { key, type, cause } of status.resources) {
    if (cause !== undefined) put({ phase: 'Sync', resource: shown(key), what: type === 'missing' ? 'create' : 'apply', state: 'due' });
  }
  for (const { key, code, why } of status.held) {
    const row = { phase: 'Sync', resource: shown(key) };
    put({ ...row, what: 'hold', state: `${printable(code)}: ${oneLine(why)}` });
  }
  const done = [...before].filter(([name]) => !rows.has(name)).map(([name, row]): [string, ProgressRow] => [name, { ...row, state: ends[row.what] ?? 'done' }]);
  return new Map([...done, ...rows]);
}

function shown(key: ResourceKey): string {
  return printable(displayKey(key));
}
