import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { access, readdir, readFile } from 'node:fs/promises';
import { homedir } from 'node:os';
import { dirname, join, relative } from 'node:path';
import { SetpointError } from '../../../model/index.ts';

export interface ModuleFiles {
  /** Names what was built, for the keys of caches. */
  readonly version: string;
  readonly wasm: string;
  /** The Go distribution's own support script, of the very Go version that built the module. */
  readonly support: string;
}

/** Of the package: this file is deep in it, or in one of the few files that all of it was made into. */
function rootFolder(from: string = import.meta.dirname): string {
  return existsSync(join(from, 'package.json')) || dirname(from) === from ? from : rootFolder(dirname(from));
}

/** The sources of the module in a clone; a package has none. */
export const sourceFolder = join(rootFolder(), 'render-engine');
const packagedFolder = join(rootFolder(), 'dist', 'render-engine');

export const moduleFileNames = { wasm: 'engine.wasm', support: 'wasm_exec.js', version: 'version' } as const;

/** The folder that SETPOINT_RENDER_ENGINE names; else what was built from these very sources; where there are none, what came with the package. */
export async function locateModule(env: Readonly<NodeJS.ProcessEnv>): Promise<ModuleFiles> {
  const stated = env['SETPOINT_RENDER_ENGINE'] ?? '';
  const files = await filesIn(stated !== '' ? stated : existsSync(sourceFolder) ? await builtFolder(env) : packagedFolder);
  if (files !== undefined) return files;
  const where = stated === '' ? '' : ` in ${stated}, which SETPOINT_RENDER_ENGINE names`;
  throw new SetpointError(
    'RendererMissing',
    `Helm and Kustomize need the render engine, and there is none${where}: run \`npm run build:render\` once (needs Go), or have the binaries helm and kustomize used: --renderer binaries.`,
  );
}

/** Where a build of these sources belongs. */
export async function builtFolder(env: Readonly<NodeJS.ProcessEnv>): Promise<string> {
  const cache = env['XDG_CACHE_HOME'];
  const folder = cache === undefined || cache === '' ? join(homedir(), '.cache') : cache;
  return join(folder, 'setpoint', 'render-engine', await hashOfSources());
}

async function hashOfSources(): Promise<string> {
  const entries = await readdir(sourceFolder, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
  const hash = createHash('sha256');
  for (const file of files.toSorted()) hash.update(`${relative(sourceFolder, file)}\n`).update(await readFile(file));
  return hash.digest('hex').slice(0, 16);
}

async function filesIn(folder: string): Promise<ModuleFiles | undefined> {
  const [wasm, support] = [join(folder, moduleFileNames.wasm), join(folder, moduleFileNames.support)];
  try {
    await Promise.all([access(wasm), access(support)]);
    return { wasm, support, version: (await readFile(join(folder, moduleFileNames.version), 'utf8')).trim() };
  } catch {
    return undefined;
  }
}
