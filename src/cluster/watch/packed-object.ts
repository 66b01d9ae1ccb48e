import { deflateRawSync, inflateRawSync } from 'node:zlib';
import { parseJson, stringifyJson, type Json } from '../../model/index.ts';

/**
 * Values as compressed text, one byte per character: a string costs some 20 bytes beside its content, a Buffer of its own
 * some 200 (and one fresh from zlib holds on to 16 KiB).
 */
export type Packed = string;

export interface Packer {
  pack(value: Json): Packed;
  unpack(packed: Packed): Json;
}

// What has to be read anew for every value. Of a large first value its beginning is enough: metadata come first.
const dictionaryBytes = 8192;

/** For values that are much alike: all are compressed against the first one, which makes them several times smaller. */
export function createPacker(): Packer {
  let dictionary: Buffer | undefined;
  return {
    pack(value) {
      const text = Buffer.from(stringifyJson(value));
      dictionary ??= Buffer.from(text.subarray(0, dictionaryBytes));
      return deflateRawSync(text, { dictionary }).toString('latin1');
    },
    unpack(packed) {
      if (dictionary === undefined) throw new Error('nothing was packed by this packer');
      return parseJson(inflateRawSync(Buffer.from(packed, 'latin1'), { dictionary }).toString());
    },
  };
}
