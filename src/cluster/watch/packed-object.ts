import { deflateRawSync, inflateRawSync } from 'node:zlib';
import { mayRound, parseJson, stringifyJson, type Json } from '../../model/index.ts';

/**
 * Values as compressed text, one byte per character: a string costs some 20 bytes beside its content, a Buffer of its own
 * some 200 (and one fresh from zlib holds on to 16 KiB).
 */
export type Packed = string;

export interface Packer {
  pack(value: Json): Packed;
  unpack(packed: Packed): Json;
}

// In front of each: how its text is to be parsed.
const plain = 'p';
const exact = 'e';

// What has to be read anew for every value. Of a large first value its beginning is enough: metadata come first.
const dictionaryBytes = 8192;

// What was packed a moment ago is often asked for the next moment: a change is seen, described and compared.
const mostRecent = 64;
const longestRecent = 16 * 1024;

/** For values that are much alike: all are compressed against the first one, which makes them several times smaller. */
export function createPacker(): Packer {
  let dictionary: Buffer | undefined;
  const recent = new Map<Packed, Json>();
  const remember = (packed: Packed, value: Json): void => {
    recent.set(packed, value);
    const [oldest] = recent.keys();
    if (recent.size > mostRecent && oldest !== undefined) recent.delete(oldest);
  };
  return {
    pack(value) {
      const text = stringifyJson(value);
      const bytes = Buffer.from(text);
      dictionary ??= Buffer.from(bytes.subarray(0, dictionaryBytes));
      // Looked at once here, and not each time that it is unpacked.
      const mark = Buffer.from(mayRound(text) ? exact : plain);
      const packed = Buffer.concat([mark, deflateRawSync(bytes, { dictionary, ...roomFor(bytes.length) })]).toString('latin1');
      if (bytes.length <= longestRecent) remember(packed, value);
      return packed;
    },
    unpack(packed) {
      const known = recent.get(packed);
      if (known !== undefined) return known;
      if (dictionary === undefined) throw new Error('nothing was packed by this packer');
      const text = inflateRawSync(Buffer.from(packed, 'latin1').subarray(plain.length), { dictionary }).toString();
      return packed.startsWith(plain) ? (JSON.parse(text) as Json) : parseJson(text);
    },
  };
}

/** zlib clears a quarter of a megabyte for every value, unless it is told that the value is small. */
function roomFor(bytes: number): { readonly windowBits: number; readonly memLevel: number } | undefined {
  return bytes + dictionaryBytes <= 2 ** 14 ? { windowBits: 14, memLevel: 6 } : undefined;
}
