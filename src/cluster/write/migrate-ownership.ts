import {
  entriesOf,
  fieldManager,
  isByHand,
  isDeployTool,
  isList,
  isObject,
  parseJsonOrUndefined,
  valueAt,
  writesWholeObjects,
  type JsonObject,
  type KubeObject,
  type Patch,
} from '../../model/index.ts';
import { fieldsOf, isOurApply } from './managed-entries.ts';
import { joinFields, splitFields } from './split-fields.ts';

const lastApplied = 'kubectl.kubernetes.io/last-applied-configuration';

/** How other tools mark what is theirs, in case their entry in the managed fields is gone. */
const marks: readonly (readonly [string, string])[] = [
  ['annotations', 'argocd.argoproj.io/tracking-id'],
  ['annotations', 'meta.helm.sh/release-name'],
  ['labels', 'kustomize.toolkit.fluxcd.io/name'],
  ['labels', 'helm.toolkit.fluxcd.io/name'],
];

/**
 * What client-side apply wrote is not ours, so an apply would never take away what Git drops. The patch makes it ours, before the
 * first apply: all that the record of the last client-side apply names, and that record. What the server filled in beside
 * it stays with kubectl: taken over, it would vanish, which a field that is set only once (a claim's storage class) does not
 * stand. Undefined where there is nothing to do, or where another tool deploys the object.
 */
export function ownershipPatch(live: KubeObject): Patch | undefined {
  const { managedFields, resourceVersion } = live.metadata;
  const entries = isList(managedFields) ? managedFields.filter(isObject) : [];
  const applied = lastAppliedTo(live);
  if (applied === undefined || resourceVersion === undefined || entries.some(isOurApply) || isAnothers(live, entries)) return undefined;
  const sources = entries.filter((entry) => isClientSide(entry) && entry['apiVersion'] === applied['apiVersion']);
  const parts = new Map(sources.map((entry) => [entry, splitFields(fieldsOf(entry), applied)]));
  const moved = joinFields([...parts.values()].map((part) => part.named));
  const [first] = sources;
  if (first === undefined || Object.keys(moved).length === 0) return undefined;
  const kept = entries.flatMap((entry) => {
    const rest = parts.get(entry)?.rest;
    if (rest === undefined) return [entry];
    return Object.keys(rest).length === 0 ? [] : [{ ...entry, fieldsV1: rest }];
  });
  return [
    { op: 'replace', path: '/metadata/managedFields', value: [...kept, { ...first, manager: fieldManager, operation: 'Apply', fieldsV1: moved }] },
    // With another one in the body the server refuses: somebody has written in the meantime.
    { op: 'replace', path: '/metadata/resourceVersion', value: resourceVersion },
  ];
}

/** As kubectl recorded it, with the record itself among its annotations. */
function lastAppliedTo({ metadata }: KubeObject): JsonObject | undefined {
  const text = valueAt(metadata, ['annotations', lastApplied]);
  const applied = typeof text === 'string' ? parseJsonOrUndefined(text) : undefined;
  if (!isObject(applied)) return undefined;
  const annotations = { ...Object.fromEntries(entriesOf(valueAt(applied, ['metadata', 'annotations']))), [lastApplied]: '' };
  return { ...applied, metadata: { ...Object.fromEntries(entriesOf(applied['metadata'])), annotations } };
}

function isClientSide(entry: JsonObject): boolean {
  const { manager } = entry;
  if (typeof manager !== 'string' || entry['operation'] !== 'Update' || entry['subresource'] !== undefined) return false;
  // Older releases of kubectl call themselves just that.
  const keepsRecord = valueAt(entry, ['fieldsV1', 'f:metadata', 'f:annotations', `f:${lastApplied}`]) !== undefined;
  return writesWholeObjects(manager) || (isByHand(manager) && keepsRecord);
}

function isAnothers({ metadata }: KubeObject, entries: readonly JsonObject[]): boolean {
  const holds = ({ manager }: JsonObject): boolean => typeof manager === 'string' && manager !== fieldManager && isDeployTool(manager);
  return entries.some(holds) || marks.some((mark) => valueAt(metadata, mark) !== undefined);
}
