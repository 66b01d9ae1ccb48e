// Small changes to a manifest, of the kinds that people, tools and servers make.
import { isList, isObject, stringifyJson, type Json, type JsonObject, type KubeObject } from '../../src/model/index.ts';
import type { SeededRandom } from '../support/seeded-random.ts';

type Path = readonly (string | number)[];

/** A copy of `object` with one to three changes, and what they were. */
export function mutate(object: KubeObject, live: KubeObject, random: SeededRandom): { readonly object: KubeObject; readonly changes: readonly string[] } {
  const changes: string[] = [];
  let mutated: Json = object;
  for (let left = 1 + random.below(3); left > 0; left--) {
    const [name, mutation] = pick(mutations, random);
    const next = mutation(mutated, live, random);
    if (next === undefined) continue;
    changes.push(name);
    mutated = next;
  }
  return { object: mutated as KubeObject, changes };
}

type Mutation = (object: Json, live: Json, random: SeededRandom) => Json | undefined;

const mutations: readonly (readonly [string, Mutation])[] = [
  ['drop', (object, _live, random) => atRandom(object, random, () => true, () => undefined)],
  ['null', (object, _live, random) => atRandom(object, random, () => true, () => null)],
  ['empty', (object, _live, random) => atRandom(object, random, (value) => typeof value === 'object', (value) => (isList(value) ? [] : {}))],
  ['zero', (object, _live, random) => atRandom(object, random, isScalar, (value) => (typeof value === 'string' ? '' : typeof value === 'boolean' ? false : 0))],
  ['change', (object, _live, random) => atRandom(object, random, isScalar, otherScalar)],
  ['retype', (object, _live, random) => atRandom(object, random, isScalar, (value) => (typeof value === 'string' ? Number(value) || 7 : stringifyJson(value)))],
  ['respell', (object, _live, random) => atRandom(object, random, (value) => typeof value === 'string' && respellings(value).length > 0, (value) => pick(respellings(value as string), random))],
  ['reorder', (object, _live, random) => atRandom(object, random, (value) => isList(value) && value.length > 1, (value) => (value as readonly Json[]).toReversed())],
  ['repeat', (object, _live, random) => atRandom(object, random, (value) => isList(value) && value.length > 0, (value) => [...(value as readonly Json[]), (value as readonly Json[])[0] ?? null])],
  ['append', (object, _live, random) => atRandom(object, random, (value) => isList(value) && value.length > 0, (value) => [...(value as readonly Json[]), renamed((value as readonly Json[]).at(-1) ?? null)])],
  ['add-key', (object, _live, random) => atRandom(object, random, isObject, (value) => ({ ...(value as JsonObject), added: 'x' }))],
  ['label', (object) => set(object, ['metadata', 'labels', 'added'], 'x')],
  ['annotate', (object) => set(object, ['metadata', 'annotations', 'added'], 'x')],
  ['take-over', takeOver],
  ['take-over', takeOver],
];

/** Copies a part of live that desired does not have: a default written out, somebody else's field adopted. */
function takeOver(object: Json, live: Json, random: SeededRandom): Json | undefined {
  const serverOnly = /^(?:metadata,(?:uid|resourceVersion|generation|creationTimestamp|managedFields|name|namespace)|status|apiVersion|kind)/;
  const extra = paths(live).filter((path) => !serverOnly.test(path.join(',')) && get(object, path) === undefined && get(object, path.slice(0, -1)) !== undefined);
  if (extra.length === 0) return undefined;
  const path = pick(extra, random);
  const taken = set(object, path, get(live, path) ?? null);
  // The server writes its own value here on every write of a DaemonSet, whatever anybody asks for.
  const rewritten = ['metadata', 'annotations', 'deprecated.daemonset.template.generation'];
  return get(taken, rewritten) === undefined ? taken : set(taken, rewritten, undefined);
}

function atRandom(object: Json, random: SeededRandom, wanted: (value: Json) => boolean, change: (value: Json) => Json | undefined): Json | undefined {
  const candidates = paths(object).filter((path) => {
    const value = get(object, path);
    return !isIdentity(path) && value !== undefined && wanted(value);
  });
  if (candidates.length === 0) return undefined;
  const path = pick(candidates, random);
  return set(object, path, change(get(object, path) ?? null));
}

function isIdentity(path: Path): boolean {
  return ['apiVersion', 'kind', 'metadata', 'metadata,name', 'metadata,namespace'].includes(path.join(','));
}

function isScalar(value: Json): boolean {
  return value !== null && typeof value !== 'object';
}

function otherScalar(value: Json): Json {
  if (typeof value === 'boolean') return !value;
  if (typeof value === 'bigint') return value + 1n;
  return typeof value === 'number' ? value + 1 : typeof value === 'string' ? `${value}x` : 'x';
}

function respellings(text: string): readonly string[] {
  const match = /^(\d+)(m|Mi|Gi|Ki|k|M|G|)$/.exec(text);
  if (match === null) return [];
  const [, digits = '', suffix = ''] = match;
  const number = BigInt(digits);
  const table: Record<string, readonly string[]> = {
    '': [`${number * 1000n}m`, `${digits}.0`, `${digits}e0`],
    m: [`${number * 1000n}u`, `0.${digits.padStart(3, '0')}`],
    Ki: [`${number * 1024n}`],
    Mi: [`${number * 1024n}Ki`, `${digits}.5Mi`, `${digits}M`],
    Gi: [`${number * 1024n}Mi`, `${digits}.0Gi`, `${digits}G`],
    k: [`${number * 1000n}`],
    M: [`${number * 1000n}k`],
    G: [`${number * 1000n}M`, `${digits}e9`],
  };
  return table[suffix] ?? [];
}

function renamed(value: Json): Json {
  if (!isObject(value)) return otherScalar(value ?? 'x');
  const key = Object.keys(value).find((candidate) => isScalar(value[candidate] ?? null));
  return key === undefined ? value : { ...value, [key]: otherScalar(value[key] ?? null) };
}

export function paths(value: Json, above: Path = []): readonly Path[] {
  const entries = isList(value) ? [...value.entries()] : isObject(value) ? Object.entries<Json>(value) : [];
  return entries.flatMap(([key, child]) => [[...above, key], ...paths(child, [...above, key])]);
}

export function get(value: Json | undefined, path: Path): Json | undefined {
  return path.reduce<Json | undefined>((at, key) => {
    if (isList(at)) return at[Number(key)];
    return isObject(at) && Object.hasOwn(at, String(key)) ? at[String(key)] : undefined;
  }, value);
}

/** A copy with another value at a path; undefined takes it away. */
export function set(value: Json, path: Path, to: Json | undefined): Json {
  const [key, ...rest] = path;
  if (key === undefined) return to ?? null;
  if (isList(value)) {
    const child = rest.length === 0 ? to : set(value[Number(key)] ?? {}, rest, to);
    if (child === undefined) return value.toSpliced(Number(key), 1);
    return Number(key) < value.length ? value.with(Number(key), child) : [...value, child];
  }
  const object = isObject(value) ? value : {};
  const child = rest.length === 0 ? to : set(object[key] ?? {}, rest, to);
  const others = Object.entries<Json>(object).filter(([name]) => name !== key);
  return child === undefined ? Object.fromEntries(others) : { ...object, [key]: child };
}

export function pick<T>(items: readonly T[], random: SeededRandom): T {
  const item = items[random.below(items.length)];
  if (item === undefined) throw new Error('nothing to pick from');
  return item;
}
