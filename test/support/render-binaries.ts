// The `helm` and `kubectl` of the control plane's binary, as a machine would have them installed.
import { chmod, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { controlPlaneBinary } from './control-plane.ts';
import { tempFolder } from './temp-folder.ts';

export interface RenderBinaries extends AsyncDisposable {
  /** The folder to look in. */
  readonly folder: string;
}

export async function renderBinaries(names: readonly ('helm' | 'kubectl')[] = ['helm', 'kubectl']): Promise<RenderBinaries> {
  const binary = await controlPlaneBinary();
  const folder = await tempFolder();
  for (const name of names) await writeProgram(join(folder.path, name), `exec '${binary}' ${name} "$@"`);
  return { folder: folder.path, [Symbol.asyncDispose]: folder.remove };
}

export async function writeProgram(path: string, script: string): Promise<void> {
  await writeFile(path, `#!/bin/sh\n${script}\n`);
  await chmod(path, 0o755);
}
