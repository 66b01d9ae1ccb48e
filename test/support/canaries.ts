// Values that are searched for wherever they must not be, in every form in which they could get there.
import { randomBytes } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';

export interface Canaries {
  /** A new value of that shape, which is searched for from now on. The name says whose it is. */
  add(name: string, shape?: Shape): string;
  /** Which values the text has, whole or in part, and in what form. */
  foundIn(text: string): readonly string[];
}

type Shape = 'word' | 'lines' | 'json' | 'signs' | 'digits';

// So many characters of a value in a row are no accident; of a number, it takes more.
const enough = 8;
const enoughDigits = 12;

const word = (): string => randomBytes(48).toString('base64').replaceAll(/[^a-zA-Z0-9]/g, '').slice(0, 24);

const shapes: Readonly<Record<Shape, () => string>> = {
  word,
  lines: () => `${word()}\n${word()}\n${word()}\n`,
  json: () => JSON.stringify({ q: word(), w: [word()] }),
  signs: () => `${word()}/+ &"'\\%é${word()}`,
  digits: () => Array.from(randomBytes(15), (byte) => 1 + (byte % 9)).join(''),
};

export function createCanaries(): Canaries {
  const pieces = new Map<string, string>();
  const sizes = new Set<number>();
  return {
    add(name, shape = 'word') {
      const value = shapes[shape]();
      const size = shape === 'digits' ? enoughDigits : enough;
      sizes.add(size);
      for (const [form, text] of formsOf(value)) {
        for (let at = 0; at + size <= text.length; at++) {
          const piece = text.slice(at, at + size);
          if (!pieces.has(piece)) pieces.set(piece, `${name}, ${form}`);
        }
      }
      return value;
    },
    foundIn(text) {
      const found = new Set<string>();
      for (const size of sizes) {
        for (let at = 0; at + size <= text.length; at++) {
          const name = pieces.get(text.slice(at, at + size));
          if (name !== undefined) found.add(name);
        }
      }
      return [...found].toSorted();
    },
  };
}

/** Encodings with and without padding have the same pieces. */
function formsOf(value: string): readonly (readonly [string, string])[] {
  const encoded = Buffer.from(value).toString('base64');
  // In the middle of something longer, the same bytes are encoded in one of three ways, but for the ends.
  const shifted = [1, 2].map((by) => Buffer.concat([Buffer.alloc(by), Buffer.from(value)]).toString('base64').slice(4, -4));
  return [
    ['as it is', value],
    ['as JSON', JSON.stringify(value).slice(1, -1)],
    ['as JSON in JSON', JSON.stringify(JSON.stringify(value)).slice(3, -3)],
    ['URL-encoded', encodeURIComponent(value)],
    ['base64', encoded],
    ['base64url', Buffer.from(value).toString('base64url')],
    ['base64, URL-encoded', encodeURIComponent(encoded)],
    ['base64 twice', Buffer.from(encoded).toString('base64')],
    ...shifted.map((text) => ['base64 of something longer', text] as const),
  ];
}

/** Every file below a folder, by its path, as text of which no byte is lost; folders that are skipped are not looked into. */
export async function filesBelow(folder: string, isSkipped: (path: string) => boolean = () => false): Promise<ReadonlyMap<string, string>> {
  const found = new Map<string, string>();
  const visit = async (path: string): Promise<void> => {
    for (const entry of await readdir(path, { withFileTypes: true })) {
      const below = join(path, entry.name);
      if (isSkipped(below)) continue;
      if (entry.isDirectory()) await visit(below);
      else if (entry.isFile()) found.set(below, `${entry.name}\n${await readFile(below, 'latin1')}`);
    }
  };
  await visit(folder);
  return found;
}
