import { join } from 'node:path';
import { textOf, type GitFolders } from './git-folders.ts';

const maxSteps = 10;

/** The id that a full reference name stands for; undefined where there is no such reference. */
export async function readReference({ gitDir, common }: GitFolders, name: string): Promise<string | undefined> {
  let at = name;
  for (let step = 0; step < maxSteps; step += 1) {
    const text = (await textOf(join(at === 'HEAD' ? gitDir : common, at)))?.trim();
    if (text === undefined) return packedReference(common, at);
    if (/^[0-9a-f]{40}$/.test(text)) return text;
    const [, next] = /^ref: (refs\/\S+)$/.exec(text) ?? [];
    // A repository can come from anywhere: what it names must not lead out of it.
    if (next === undefined || next.split('/').includes('..')) return undefined;
    at = next;
  }
  return undefined;
}

async function packedReference(common: string, name: string): Promise<string | undefined> {
  for (const line of ((await textOf(join(common, 'packed-refs'))) ?? '').split('\n')) {
    if (line.slice(41) === name && /^[0-9a-f]{40} /.test(line)) return line.slice(0, 40);
  }
  return undefined;
}
