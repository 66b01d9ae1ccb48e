import type { TreeEntry } from '../../model/index.ts';
import type { Pacer } from '../objects/pacer.ts';
import { badNameReason } from './entry-name.ts';

export interface GitEntry extends TreeEntry {
  readonly id: string;
}

/** The entries of a folder by their names, in the order of the names' bytes; or why it cannot be one. */
export type ParsedTree = { readonly type: 'tree'; readonly entries: ReadonlyMap<string, GitEntry> } | { readonly type: 'invalid'; readonly reason: string };

interface Row {
  readonly name: Buffer;
  readonly entry: GitEntry;
}

const types: Readonly<Record<string, GitEntry['type'] | undefined>> = {
  '40000': 'folder',
  '040000': 'folder',
  '120000': 'link',
  '160000': 'submodule',
};
const rowsPerLook = 256;

/** Folders of a hundred thousand files exist: the event loop gets its turns. */
export async function parseTree(content: Buffer, pacer: Pacer): Promise<ParsedTree> {
  const rows: Row[] = [];
  for (let at = 0, count = 1; at < content.length; count += 1) {
    if (count % rowsPerLook === 0 && pacer.isDue()) await pacer.pause();
    const space = content.indexOf(0x20, at);
    const end = space === -1 ? -1 : content.indexOf(0, space);
    if (end === -1 || end + 21 > content.length) return { type: 'invalid', reason: 'it is cut short' };
    const row = readRow(content, { at, space, end });
    if ('reason' in row) return { type: 'invalid', reason: row.reason };
    const place = placeOf(rows, row.name);
    if (place === undefined) return { type: 'invalid', reason: `the name ${JSON.stringify(row.entry.name)} is in it twice` };
    if (place === rows.length) rows.push(row);
    else rows.splice(place, 0, row);
    at = end + 21;
  }
  const entries = new Map<string, GitEntry>();
  for (const [index, { entry }] of rows.entries()) {
    if (index % rowsPerLook === 0 && pacer.isDue()) await pacer.pause();
    // Two names that are no UTF-8 can look the same; the first one keeps it.
    if (!entries.has(entry.name)) entries.set(entry.name, entry);
  }
  return { type: 'tree', entries };
}

function readRow(content: Buffer, { at, space, end }: { readonly at: number; readonly space: number; readonly end: number }): Row | { readonly reason: string } {
  const mode = content.toString('latin1', at, space);
  const bytes = content.subarray(space + 1, end);
  const name = bytes.toString();
  const type = /^100[0-7]{3}$/.test(mode) ? 'file' : types[mode];
  const bad = badNameReason(name);
  if (bad !== undefined) return { reason: `the name ${JSON.stringify(name)} in it ${bad}` };
  if (type === undefined) return { reason: `${JSON.stringify(name)} in it has the unknown mode ${JSON.stringify(mode)}` };
  return { name: bytes, entry: { name, type, id: content.toString('hex', end + 1, end + 21) } };
}

/** Git orders a folder as if its name ended with a slash, we do not: nearly all come in our order. Undefined for a name that is there. */
function placeOf(rows: readonly Row[], name: Buffer): number | undefined {
  const last = rows.at(-1);
  if (last === undefined || Buffer.compare(last.name, name) < 0) return rows.length;
  let low = 0;
  let high = rows.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    const order = Buffer.compare(rows[middle]?.name ?? name, name);
    if (order === 0) return undefined;
    if (order < 0) low = middle + 1;
    else high = middle;
  }
  return low;
}
