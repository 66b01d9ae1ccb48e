import { createHash, hash } from 'node:crypto';
import type { ObjectKind } from './pack-file.ts';
import type { Pacer } from './pacer.ts';

const piece = 2 ** 20;

/** The id that Git gives to such an object: a SHA-1 over its kind, its size and its bytes. */
export async function idOfObject(kind: ObjectKind, content: Uint8Array, pacer: Pacer): Promise<string> {
  const header = `${kind} ${content.length}\0`;
  if (content.length < 4096) return hash('sha1', Buffer.concat([Buffer.from(header), content]), 'hex');
  const sum = createHash('sha1').update(header);
  for (let at = 0; at < content.length; at += piece) {
    if (at > 0 && pacer.isDue()) await pacer.pause();
    sum.update(content.subarray(at, at + piece));
  }
  return sum.digest('hex');
}
