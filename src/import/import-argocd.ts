import { applicationKind, childOf, groupOf, isList, isObject, valueAt, type Json, type JsonObject, type KubeObject } from '../model/index.ts';
import type { Converted, Difference } from './difference.ts';
import { importIgnoreRules } from './import-ignore-rules.ts';
import { importMetadata } from './import-metadata.ts';
import { importSources } from './import-sources.ts';
import { changeAt } from './json-path.ts';
import { leaveOutWithoutEffect } from './leave-out.ts';
import { otherKindDifferences } from './other-kinds.ts';
import { otherMeanings } from './other-meanings.ts';

export type Imported =
  /** An Application that the agent reads without a warning. */
  | { readonly type: 'converted'; readonly document: KubeObject; readonly differences: readonly Difference[] }
  /** At least one difference says why. */
  | { readonly type: 'refused'; readonly differences: readonly Difference[] }
  /** Nothing of Argo CD's. */
  | { readonly type: 'foreign' };

/** One document of Argo CD's, as it would be written for Setpoint. Never throws: what cannot be taken over is named. */
export function importArgocd(document: KubeObject): Imported {
  if (groupOf(document.apiVersion) !== 'argoproj.io') return { type: 'foreign' };
  const other = otherKindDifferences(document);
  if (other !== undefined) return { type: 'refused', differences: other };
  if (document.kind !== applicationKind.kind) return { type: 'foreign' };
  const metadata = importMetadata(document.metadata);
  const spec = importSpec(document);
  const { group, version, kind } = applicationKind;
  const read = leaveOutWithoutEffect({ apiVersion: `${group}/${version}`, kind, metadata: metadata.value, spec: spec.value });
  const differences = [...operationOf(document), ...metadata.differences, ...spec.differences, ...read.differences];
  if (differences.some(({ type }) => type === 'refused')) return { type: 'refused', differences: refusedFirst(differences) };
  return { type: 'converted', document: read.value as KubeObject, differences: [...differences, ...otherMeanings(read.value['spec'] as JsonObject, document['spec'])] };
}

function importSpec(document: KubeObject): Converted<Json> {
  const spec = childOf(document, 'spec') ?? {};
  if (!isObject(spec)) return { value: spec, differences: [] };
  const { project, ...others } = spec;
  // There is one project here, as if it were called so.
  const sources = importSources(project === 'default' || project === '' ? others : spec, document);
  const rules = childOf(spec, 'ignoreDifferences');
  if (!isList(rules)) return sources;
  const imported = importIgnoreRules(rules);
  const { ignoreDifferences: _, ...rest } = sources.value;
  const value = imported.value.length > 0 ? { ...rest, ignoreDifferences: imported.value } : rest;
  const stopped = imported.isLost ? withoutAutomation(value) : { value, differences: [] };
  return { value: stopped.value, differences: [...sources.differences, ...imported.differences, ...stopped.differences] };
}

/** Fields that no rule protects any more would be put back at once. */
function withoutAutomation(spec: JsonObject): Converted<JsonObject> {
  const automated = valueAt(spec, ['syncPolicy', 'automated']);
  if (!isObject(automated) || automated['enabled'] === false) return { value: spec, differences: [] };
  const value = changeAt(spec, ['syncPolicy', 'automated'], () => ({ ...automated, enabled: false })) as JsonObject;
  const message = 'is set to false, because a rule of ignoreDifferences was left out and a sync would change what it was about: take it away when the rule is written anew';
  return { value, differences: [{ path: 'spec.syncPolicy.automated.enabled', type: 'rewritten', message }] };
}

function operationOf({ operation }: KubeObject): readonly Difference[] {
  if (!isObject(operation) || Object.keys(operation).length === 0) return [];
  return [{ path: 'operation', type: 'left-out', message: 'asks Argo CD for a sync, once: setpoint sync does so here' }];
}

function refusedFirst(differences: readonly Difference[]): readonly Difference[] {
  return [...differences.filter(({ type }) => type === 'refused'), ...differences.filter(({ type }) => type !== 'refused')];
}
