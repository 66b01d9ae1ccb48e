import { SetpointError } from '../model/index.ts';
import { checkAlerting } from './check-alerting.ts';
import { checkLayer } from './check-layer.ts';
import { checkScope } from './check-scope.ts';
import { configFileLayer, type ConfigFile } from './config-file-layer.ts';
import type { Layer } from './layer.ts';
import { lastWords } from './said.ts';
import { webhookName } from './webhook-alerts.ts';

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
  // So may one with rules alone leave it to another file who is told; and --notify-webhook may be a flag.
  const onAlerting = said.has('destinations') ? checkAlerting(said, [webhookName]).problems : [];
  return [...checked.problems, ...(settled ? checkScope(said).problems : []), ...onAlerting];
}
