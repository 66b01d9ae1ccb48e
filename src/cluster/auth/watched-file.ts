import { readFile, stat } from 'node:fs/promises';
import type { Source } from './identity.ts';

// A look at the file costs more than many a request; a token is rotated long before it ends.
const lookEveryMs = 1000;

interface Held {
  readonly content: Buffer;
  readonly version: string;
  readonly lookedAt: number;
}

/** The content of a file that is replaced while we run: a bound service account token, a certificate. */
export function createWatchedFile(path: string, now: () => number = Date.now): Source<Buffer> {
  let held: Held | undefined;

  const look = async (refused: Buffer | undefined): Promise<Held> => {
    const { ino, size, mtimeMs } = await stat(path);
    const version = `${ino} ${size} ${mtimeMs}`;
    const isUnchanged = held !== undefined && held.version === version && held.content !== refused;
    const content = isUnchanged && held !== undefined ? held.content : await readFile(path);
    return { content: held?.content.equals(content) === true ? held.content : content, version, lookedAt: now() };
  };

  return async (refused) => {
    if (held !== undefined && held.content !== refused && now() - held.lookedAt < lookEveryMs) return held.content;
    try {
      held = await look(refused);
    } catch (error) {
      // Whoever replaces the file may remove it first; until the server refuses what we have, it is good.
      if (held === undefined || held.content === refused) throw error;
      held = { ...held, lookedAt: now() };
    }
    return held.content;
  };
}
