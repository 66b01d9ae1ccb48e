import { childOf, isList, valueAt, type Json, type JsonObject } from '../model/index.ts';
import type { Difference } from './difference.ts';

/** What stays in a spec and does not do the same. `written` is the spec as Argo CD has it. */
export function otherMeanings(spec: JsonObject, written: Json | undefined): readonly Difference[] {
  const found = valueAt(written, ['syncPolicy', 'syncOptions']);
  const options = isList(found) ? found : [];
  return [...ofAutomation(spec), ...ofIgnoring(spec, options)];
}

function ofAutomation(spec: JsonObject): readonly Difference[] {
  const automated = valueAt(spec, ['syncPolicy', 'automated']);
  if (automated === undefined || automated === null || childOf(automated, 'enabled') === false) return [];
  const at = 'spec.syncPolicy.automated';
  const held = 'leaves alone what Argo CD applied, until Argo CD no longer looks after it and the sync option Adopt=true says that it is yours';
  const prune = 'deletes only what Setpoint applied itself and has on record, and asks before it deletes much at once, or volumes, namespaces and definitions';
  return [{ path: at, type: 'other-meaning', message: held }, ...(childOf(automated, 'prune') === true ? [{ path: `${at}.prune`, type: 'other-meaning' as const, message: prune }] : [])];
}

function ofIgnoring({ ignoreDifferences }: JsonObject, options: readonly Json[]): readonly Difference[] {
  if (!isList(ignoreDifferences) || ignoreDifferences.length === 0 || options.includes('RespectIgnoreDifferences=true')) return [];
  return [{ path: 'spec.ignoreDifferences', type: 'other-meaning', message: 'a sync leaves these fields as they are live, as with RespectIgnoreDifferences=true' }];
}
