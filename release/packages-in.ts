import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { ThirdParty } from './third-party-notices.ts';

const inPackage = /^.*\/node_modules\/(?:@[^/]+\/)?[^/]+(?=\/)/;

/** The packages that the modules of a bundle are from. */
export function packagesIn(modules: readonly string[]): Promise<readonly ThirdParty[]> {
  const folders = new Set(modules.flatMap((id) => inPackage.exec(id)?.[0] ?? []));
  return Promise.all([...folders].map(packageIn));
}

async function packageIn(folder: string): Promise<ThirdParty> {
  const { name, version, license } = JSON.parse(await readFile(join(folder, 'package.json'), 'utf8')) as Omit<ThirdParty, 'folder'>;
  return { name, version, folder, ...(license !== undefined && { license }) };
}
