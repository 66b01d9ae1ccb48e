import { isList, isObject, type Json, type KubeObject } from '../../model/index.ts';
import { rootPlace, type ObjectIgnores } from './object-ignores.ts';
import { combine, type Place } from './place.ts';

/** Whether a place of live, by its keys and indexes, or the whole that it is a part of, is ignored. */
export function isIgnored(keys: readonly string[], live: KubeObject, ignores: ObjectIgnores): boolean {
  let place = rootPlace(ignores, live, live);
  let value: Json | undefined = live;
  for (const key of keys) {
    if (place === undefined || place.ignored) break;
    [place, value] = step(place, value, key);
  }
  return place?.ignored ?? false;
}

function step(place: Place, live: Json | undefined, key: string): [Place | undefined, Json | undefined] {
  if (isList(live)) {
    const item: Json | undefined = live[Number(key)];
    return [combine([place.item({ object: item, live: item }), place.at(Number(key))]), item];
  }
  const child = isObject(live) && Object.hasOwn(live, key) ? live[key] : undefined;
  return [place.entry(key, { object: child, live: child }), child];
}
