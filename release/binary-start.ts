// What the single file runs first: puts the program that it carries into the user's cache, once, and runs it from there. Threads, and
// what is only loaded when it is needed, are files then as they are in the package.
import { existsSync, mkdirSync, mkdtempSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { getAsset, getAssetKeys, getRawAsset } from 'node:sea';
import { pathToFileURL } from 'node:url';
import { cacheFolder } from '../src/config/cache-folder.ts';

const prefix = 'files/';

function unpacked(): string {
  const folder = join(cacheFolder(process.env), 'program', getAsset('id', 'utf8'));
  if (!existsSync(folder)) unpack(folder);
  const { uid, mode } = statSync(folder);
  // Another user's files are another user's program.
  if (process.getuid !== undefined && (uid !== process.getuid() || (mode & 0o022) !== 0)) throw new Error(`${folder} can be changed by others: remove it, or set XDG_CACHE_HOME to a folder of your own`);
  return folder;
}

function unpack(folder: string): void {
  mkdirSync(dirname(folder), { recursive: true, mode: 0o700 });
  const unfinished = mkdtempSync(`${folder}.unfinished-`);
  try {
    for (const name of getAssetKeys().filter((key) => key.startsWith(prefix))) {
      const file = join(unfinished, name.slice(prefix.length));
      mkdirSync(dirname(file), { recursive: true });
      writeFileSync(file, new Uint8Array(getRawAsset(name)));
    }
    renameSync(unfinished, folder);
  } catch (error) {
    rmSync(unfinished, { recursive: true, force: true });
    // Another process may have been as far at the same time.
    if (!existsSync(folder)) throw error;
  }
}

/** kubectl asks for words through a command of this name, which may be a link to this file. */
if (basename(process.argv0).startsWith('kubectl_complete-')) process.argv.splice(2, 0, '__complete');
try {
  void import(pathToFileURL(join(unpacked(), 'bin', 'setpoint.js')).href);
} catch (error) {
  process.stderr.write(`setpoint: this program cannot be unpacked: ${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = 2;
}
