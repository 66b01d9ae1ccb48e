// What a program is made of in → the licences of all of it: their authors ask that these go with the code.
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';

/** A package of npm or a module of Go, as it was unpacked. */
export interface ThirdParty {
  readonly name: string;
  readonly version: string;
  readonly folder: string;
  /** In a word, where it says so itself. */
  readonly license?: string;
}

export async function thirdPartyNotices(parties: readonly ThirdParty[]): Promise<string> {
  const notices = await Promise.all(parties.map(noticeOf));
  return `This program contains the following packages.\n\n${notices.toSorted().join('\n')}`;
}

async function noticeOf({ name, version, folder, license }: ThirdParty): Promise<string> {
  const files = (await readdir(folder)).filter((file) => /^(?:licen[cs]e|notice|copying)/i.test(file));
  const texts = await Promise.all(files.toSorted().map((file) => readFile(join(folder, file), 'utf8')));
  return [`== ${name} ${version} (${license ?? 'see below'})`, ...texts.map((text) => text.trim())].join('\n\n').concat('\n');
}
