// The sources in → all that `npm pack` puts into the package and a clone does not have: the bundle and the render engine. npm runs it by itself.
import { globSync, readFileSync } from 'node:fs';
import { cp, rm } from 'node:fs/promises';
import { join, relative } from 'node:path';
import { buildRenderEngine } from '../render-engine/build.ts';
import { bundleAgent } from './bundle.ts';

const root = join(import.meta.dirname, '..');

/** The files of the package, from the root. */
export async function makePackage(): Promise<readonly string[]> {
  await bundleAgent();
  const [built, copy] = [await buildRenderEngine(), join(root, 'dist', 'render-engine')];
  await rm(copy, { recursive: true, force: true });
  await cp(built, copy, { recursive: true });
  const { files } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { files: readonly string[] };
  const found = globSync(files.map((folder) => `${folder}/**`), { cwd: root, withFileTypes: true });
  return ['package.json', 'LICENSE', ...found.filter((entry) => entry.isFile()).map((entry) => relative(root, join(entry.parentPath, entry.name)))];
}

if (import.meta.main) await makePackage();
