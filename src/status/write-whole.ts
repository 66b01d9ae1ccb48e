import { randomBytes } from 'node:crypto';
import { mkdir, open, rename } from 'node:fs/promises';
import { dirname } from 'node:path';
import { SetpointError } from '../model/index.ts';

/** A crash leaves the old file or the new one, never half of one. For files that one process writes. */
export async function writeWhole(file: string, text: string): Promise<void> {
  await writeThrough(file, text, { unfinished: `${file}.unfinished`, flag: 'w' });
}

/** The same for a file that several people may write: each has an unfinished file of its own. */
export async function writeBesideOthers(file: string, text: string): Promise<void> {
  try {
    await mkdir(dirname(file), { recursive: true, mode: 0o700 });
    await writeThrough(file, text, { unfinished: `${file}.${randomBytes(6).toString('hex')}.unfinished`, flag: 'wx' });
  } catch (cause) {
    throw new SetpointError('StateInvalid', `${file} cannot be written: ${(cause as Error).message}`, { cause });
  }
}

async function writeThrough(file: string, text: string, { unfinished, flag }: { readonly unfinished: string; readonly flag: 'w' | 'wx' }): Promise<void> {
  const handle = await open(unfinished, flag, 0o600);
  try {
    await handle.writeFile(text);
    await handle.sync();
  } finally {
    await handle.close();
  }
  await rename(unfinished, file);
}
