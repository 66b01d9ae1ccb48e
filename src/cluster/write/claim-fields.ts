import { countsAsPeople, fieldManager, isList, isObject, valueAt, type FieldKeys, type JsonObject, type KubeObject, type Patch } from '../../model/index.ts';
import { fieldsOf, isOurApply } from './managed-entries.ts';
import { joinFields } from './split-fields.ts';

interface Refused {
  readonly live: KubeObject;
  readonly wanted: KubeObject;
  /** What the server named when it refused the apply. */
  readonly fields: readonly FieldKeys[];
}

/**
 * What stands against what Git wants, though Git does not mention it (the limits of a rolling update beside Recreate), stays where an
 * apply holds nothing of it: the server refuses. The patch makes it ours, so that the apply takes it away. Undefined where there is
 * none, or where software or another tool holds it.
 */
export function claimPatch({ live, wanted, fields }: Refused): Patch | undefined {
  const { managedFields, resourceVersion } = live.metadata;
  const entries = isList(managedFields) ? managedFields.filter(isObject) : [];
  const own = entries.find(isOurApply);
  if (resourceVersion === undefined || (own !== undefined && own['apiVersion'] !== wanted.apiVersion)) return undefined;
  const isFree = (keys: FieldKeys): boolean => entries.every((entry) => entry === own || isPeoples(entry) || !isHeld(fieldsOf(entry), keys));
  const claimed = fields.filter((keys) => keys[0] === 'spec' && valueAt(live, keys) !== undefined && valueAt(wanted, keys) === undefined && isFree(keys));
  if (claimed.length === 0) return undefined;
  const others = entries.flatMap((entry) => {
    if (entry === own) return [];
    const rest = claimed.reduce(without, fieldsOf(entry));
    return Object.keys(rest).length === 0 ? [] : [{ ...entry, fieldsV1: rest }];
  });
  const fieldsV1 = joinFields([...(own === undefined ? [] : [fieldsOf(own)]), ...claimed.map(setOf)]);
  const claim = { fieldsType: 'FieldsV1', ...own, manager: fieldManager, operation: 'Apply', apiVersion: wanted.apiVersion, fieldsV1 };
  return [
    { op: 'replace', path: '/metadata/managedFields', value: [...others, claim] },
    // With another one in the body the server refuses: somebody has written in the meantime.
    { op: 'replace', path: '/metadata/resourceVersion', value: resourceVersion },
  ];
}

function isPeoples({ manager, operation }: JsonObject): boolean {
  return operation === 'Update' && typeof manager === 'string' && countsAsPeople(manager);
}

function isHeld(fields: JsonObject, [key, ...rest]: FieldKeys): boolean {
  // A leaf stands for all that is below it.
  if (key === undefined || Object.keys(fields).length === 0) return true;
  const below = fields[`f:${key}`];
  return isObject(below) && isHeld(below, rest);
}

function without(fields: JsonObject, [key, ...rest]: FieldKeys): JsonObject {
  const { [`f:${key}`]: below, ...others } = fields;
  if (!isObject(below)) return fields;
  const left = rest.length === 0 ? {} : without(below, rest);
  return Object.keys(left).length === 0 ? others : { ...others, [`f:${key}`]: left };
}

function setOf(keys: FieldKeys): JsonObject {
  // The place itself, also where some of what is in it is on record.
  return keys.reduceRight<JsonObject>((below, key) => ({ [`f:${key}`]: below }), { '.': {} });
}
