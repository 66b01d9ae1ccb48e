import { promisify } from 'node:util';
import { gunzip } from 'node:zlib';

const unpack = promisify(gunzip);
const block = 512;
/** Helm unpacks no more than this either. */
const maxUnpacked = 100 * 1024 * 1024;
const maxDepth = 8;

const regular = new Set(['0', '\0', '7']);
const schemaName = /(?:^|\/)values\.schema\.json$/;

/**
 * The values schemas of a packed chart and of those packed in it. A header in front may give an entry another name than its own, so
 * whatever follows such a header counts as one. An archive that is broken has none: Helm says so.
 */
export async function packedSchemas(archive: Uint8Array, depth = 0): Promise<readonly Uint8Array[]> {
  const tar = await unpack(archive, { maxOutputLength: maxUnpacked }).catch(() => undefined);
  if (tar === undefined || depth > maxDepth) return [];
  const schemas: Uint8Array[] = [];
  let renamed = false;
  for (const { name, type, content } of entriesOf(tar)) {
    if (regular.has(type)) {
      if (renamed || schemaName.test(name)) schemas.push(content);
      if (renamed || name.endsWith('.tgz')) schemas.push(...(await packedSchemas(content, depth + 1)));
    }
    renamed = !regular.has(type) && type !== '5';
  }
  return schemas;
}

function* entriesOf(tar: Buffer): Generator<{ readonly name: string; readonly type: string; readonly content: Buffer }> {
  for (let at = 0; at + block <= tar.length; ) {
    const header = tar.subarray(at, at + block);
    const size = sizeOf(header.subarray(124, 136));
    if (Number.isNaN(size) || header[0] === 0) return;
    const content = tar.subarray(at + block, at + block + size);
    yield { name: textOf(header.subarray(0, 100)), type: String.fromCodePoint(header[156] ?? 0), content };
    at += block + Math.ceil(size / block) * block;
  }
}

/** Octal digits, or a number as such behind a mark in the first byte. */
function sizeOf(field: Buffer): number {
  if (((field[0] ?? 0) & 0x80) !== 0) return field.readUIntBE(6, 6);
  return Number.parseInt(textOf(field).trim() || '0', 8);
}

function textOf(field: Buffer): string {
  const end = field.indexOf(0);
  return field.toString('latin1', 0, end === -1 ? undefined : end);
}
