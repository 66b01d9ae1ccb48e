import { isList, isObject, valueAt, type Json } from '../../model/index.ts';
import { anySides, type Place } from './place.ts';
import { valueKey, valuesKey } from './value-key.ts';

export interface Lists {
  readonly object: readonly Json[];
  readonly live: readonly Json[];
}

interface KeyedItem {
  /** The same for the item of the other list that is meant to be the same one. */
  readonly key: string;
  readonly item: Json;
}

/** What items of Kubernetes' lists go by, most telling first. */
const usualNames = ['name', 'key', 'containerPort', 'port', 'mountPath', 'devicePath', 'host', 'ip', 'type'].map((name) => [name]);

/**
 * Which items of two lists belong together: scalars by their values; others by the first usual name that all have and that tells
 * them apart, else by the fields by which a path chooses them; equal ones, and those that nothing tells apart, in their order.
 */
export function pairItems(lists: Lists, place: Place): { readonly object: readonly KeyedItem[]; readonly live: readonly KeyedItem[] } {
  const anyItem = place.item(anySides);
  const counts = (field: readonly string[]): boolean => !hasIgnored(anyItem, field);
  const name = usualNames.find((field) => counts(field) && namesBoth(lists, field));
  const fields = name === undefined ? place.itemFields.filter(counts) : [name];
  return { object: keyed(lists.object, fields), live: keyed(lists.live, fields) };
}

/** Whether the items at an index are known to be two: by its usual name, one of them stands elsewhere in the other list. */
export function areApart(lists: Lists): (index: number) => boolean {
  const name = usualNames.find((field) => namesBoth(lists, field));
  if (name === undefined) return () => false;
  const keysOf = (items: readonly Json[]): readonly string[] => items.map((item) => valueKey(valueAt(item, name) ?? null));
  const [object, live] = [keysOf(lists.object), keysOf(lists.live)];
  const [inObject, inLive] = [new Set(object), new Set(live)];
  return (index) => {
    const [one, other] = [object[index], live[index]];
    return one !== undefined && other !== undefined && one !== other && (inLive.has(one) || inObject.has(other));
  };
}

function namesBoth({ object, live }: Lists, field: readonly string[]): boolean {
  return tellsApart(object, field) && tellsApart(live, field);
}

/** Whether a part of the way to a field may be ignored: then it may be another one on the other side, and names nothing. */
function hasIgnored(item: Place | undefined, field: readonly string[]): boolean {
  let at = item;
  return field.some((key) => {
    at = at?.entry(key, anySides);
    return at?.ignored ?? false;
  });
}

function tellsApart(items: readonly Json[], field: readonly string[]): boolean {
  const names = new Set<string>();
  return items.every((item) => {
    const name = valueAt(item, field) ?? null;
    return name !== null && names.size < names.add(valueKey(name)).size;
  });
}

function keyed(items: readonly Json[], fields: readonly (readonly string[])[]): readonly KeyedItem[] {
  const seen = new Map<string, number>();
  return items.map((item) => {
    const isScalar = !isObject(item) && !isList(item);
    const name = isScalar ? valueKey(item) : valuesKey(fields.map((field) => valueAt(item, field) ?? null));
    const earlier = seen.get(name) ?? 0;
    seen.set(name, earlier + 1);
    return { key: `${earlier} ${name}`, item };
  });
}
