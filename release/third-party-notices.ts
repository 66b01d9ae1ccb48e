// The modules of a bundle in → the licences of the packages that they are from: their authors ask that these go with the code.
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';

const inPackage = /^.*\/node_modules\/(?:@[^/]+\/)?[^/]+(?=\/)/;

export async function thirdPartyNotices(modules: readonly string[]): Promise<string> {
  const folders = new Set(modules.flatMap((id) => inPackage.exec(id)?.[0] ?? []));
  const notices = await Promise.all([...folders].map(noticeOf));
  return `This program contains the following packages.\n\n${notices.toSorted().join('\n')}`;
}

async function noticeOf(folder: string): Promise<string> {
  const { name, version, license } = JSON.parse(await readFile(join(folder, 'package.json'), 'utf8')) as { name: string; version: string; license?: string };
  const files = (await readdir(folder)).filter((file) => /^(?:licen[cs]e|notice|copying)/i.test(file));
  const texts = await Promise.all(files.toSorted().map((file) => readFile(join(folder, file), 'utf8')));
  return [`== ${name} ${version} (${license ?? 'see below'})`, ...texts.map((text) => text.trim())].join('\n\n').concat('\n');
}
