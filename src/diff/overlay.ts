import { childOf, isList, isObject, type Json, type JsonObject, type KubeObject, type Schema } from '../model/index.ts';
import { listKeys } from './list-keys.ts';
import { fieldOf, walk } from './walk.ts';

const any: Schema = { type: 'any' };

/**
 * The live object with what certainly differs set as Git has it: what can be said without the server. Whatever the server might
 * default, normalise or drop is left as it is.
 */
export function overlay(desired: KubeObject, live: KubeObject, schema: Schema): KubeObject {
  return layOver(desired, live, { schema, whole: false, takes: 'certain' });
}

/** Likewise, where it is known that there is a difference: then a zero in Git over another live value is part of it. */
export function differingOverlay(desired: KubeObject, live: KubeObject, schema: Schema): KubeObject {
  return layOver(desired, live, { schema, whole: false, takes: 'zeros' });
}

/** The live object with all that Git says laid over it, as the server merges it: what that makes of the values is its own. */
export function merged(desired: KubeObject, live: KubeObject, schema: Schema): KubeObject {
  return layOver(desired, live, { schema, whole: false, takes: 'all' });
}

function layOver({ apiVersion: _version, kind: _kind, ...wanted }: KubeObject, live: KubeObject, position: Position): KubeObject {
  return lay(wanted, live, position) as KubeObject;
}

interface Position {
  readonly schema: Schema;
  readonly whole: boolean;
  /** Besides what is certain: false, 0 and "", which the server may have defaulted; or whatever it may store otherwise than it is written. */
  readonly takes: 'certain' | 'zeros' | 'all';
}

function lay(desired: Json, live: Json | undefined, position: Position): Json | undefined {
  const answer = walk(desired, live, position);
  if (answer === 'equal' || (answer === 'unsure' && position.takes === 'certain')) return live;
  if (position.takes === 'all' && !(isObject(desired) && isObject(live)) && !(isList(desired) && isList(live))) return desired;
  if (answer === 'unsure' && !isObject(desired) && !isList(desired)) return typeof live === typeof desired ? desired : live;
  if (isObject(desired) && isObject(live)) return layObject(desired, live, position);
  if (isList(desired) && isList(live)) return layList(desired, live, position);
  return answer === 'different' ? desired : live;
}

function layObject(desired: JsonObject, live: JsonObject, { schema, whole, takes }: Position): Json {
  const replaced = whole || ((schema.type === 'struct' || schema.type === 'map') && schema.atomic);
  const laid = Object.entries<Json>(desired).flatMap(([key, value]): [string, Json][] => {
    const next = lay(value, childOf(live, key), { schema: fieldOf(schema, key)?.schema ?? any, whole: replaced, takes });
    return next === undefined ? [] : [[key, next]];
  });
  return Object.fromEntries([...Object.entries<Json>(live), ...laid]);
}

function layList(desired: readonly Json[], live: readonly Json[], { schema, whole, takes }: Position): Json {
  const element = schema.type === 'list' ? schema.element : { schema: any };
  if (whole || schema.type !== 'list' || schema.relation === 'atomic') {
    if (desired.length !== live.length) return desired;
    return desired.map((item, at) => lay(item, live[at], { schema: element.schema, whole: true, takes }) ?? null);
  }
  const { relation, keys } = schema;
  const [wanted, actual] = [listKeys(desired, { relation, keys, element }), listKeys(live, { relation, keys, element })];
  if (wanted === undefined || actual === undefined) return desired;
  const kept = [...actual].map(([key, { value }]) => {
    const item = wanted.get(key);
    return item === undefined ? value : (lay(item.value, value, { schema: element.schema, whole: false, takes }) ?? null);
  });
  const added = [...wanted].filter(([key]) => !actual.has(key)).map(([, { value }]) => value);
  return [...kept, ...added];
}
