import { SetpointError } from '../model/index.ts';
import { checkLayer } from './check-layer.ts';
import { checkScope } from './check-scope.ts';
import { configFileLayer, type ConfigFile } from './config-file-layer.ts';
import type { Layer } from './layer.ts';
import { lastWords } from './said.ts';

/** All that is wrong with a file, whatever flags and variables may say besides. */
export function configProblems(file: ConfigFile): readonly string[] {
  let layer: Layer;
  try {
    layer = configFileLayer(file);
  } catch (error) {
    if (error instanceof SetpointError) return [error.message];
    throw error;
  }
  const checked = checkLayer(layer);
  const said = lastWords([checked]);
  // A file that does not say which applications are meant leaves that to flags.
  const settled = said.has('repo') || said.has('filename');
  return [...checked.problems, ...(settled ? checkScope(said).problems : [])];
}
