import { canonicalJson, type Json } from '../../model/index.ts';

/** The same text for equal values, and for no others. Most are scalars, for which JSON takes ten times as long. */
export function valueKey(value: Json): string {
  if (typeof value === 'string') return `"${value}`;
  return typeof value === 'object' ? canonicalJson(value) : String(value);
}

export function valuesKey(values: readonly Json[]): string {
  const [first] = values;
  return values.length === 1 && first !== undefined ? valueKey(first) : JSON.stringify(values.map(valueKey));
}

/** The value of live; the very same value as before where the two are equal, so that what does not change is seen not to. */
export function asLive<Live extends Json | undefined>(object: Json | undefined, live: Live): Live {
  const isSame = object !== undefined && live !== undefined && valueKey(object) === valueKey(live);
  return isSame ? (object as Live) : live;
}
