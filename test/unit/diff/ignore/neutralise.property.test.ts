import { expect, test } from 'vitest';
import { neutralise } from '../../../../src/diff/ignore/index.ts';
import { isList, isObject, stringifyJson, type Json, type JsonObject } from '../../../../src/model/index.ts';
import { deepFreeze, deployment, ignoresOf } from './fixtures.ts';

type Random = (below: number) => number;

function randomFrom(seed: number): Random {
  let state = seed;
  return (below) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
}

const names = ['a', 'b/c', 'x*y', '__proto__', '0'];

/** As in Kubernetes, a field is of the same type wherever it is set: its last letter says which. Nothing is empty. */
function randomMap(random: Random, depth: number): JsonObject {
  const types = depth === 0 ? ['s'] : ['s', 'm', 'l', 'v'];
  const fields = types.flatMap((type) => names.filter(() => random(3) === 0).map((name) => `${name}-${type}`));
  return Object.fromEntries([['sure-s', random(2)], ...fields.map((field) => [field, randomField(random, field, depth)])]) as JsonObject;
}

function randomField(random: Random, field: string, depth: number): Json {
  const some = ['first', ...names.filter(() => random(2) === 0)].slice(random(2));
  const [one = 'only', ...more] = random(2) === 0 ? some : some.toReversed();
  if (field.endsWith('-m')) return randomMap(random, depth - 1);
  if (field.endsWith('-v')) return [one, ...more];
  if (field.endsWith('-l')) return [one, ...more].map((name) => ({ ...randomMap(random, depth - 1), name }));
  return random(2);
}

/** A step down: `k` by a key, `i` to an item by its name, `v` to one by its value. */
type Way = readonly (readonly ['k' | 'i' | 'v', string])[];

interface Leaf {
  readonly way: Way;
  readonly value: Json;
}

function leavesOf(value: Json, way: Way = []): readonly Leaf[] {
  if (isObject(value)) return Object.entries<Json>(value).flatMap(([key, child]) => leavesOf(child, [...way, ['k', key]]));
  if (!isList(value)) return [{ way, value }];
  return value.flatMap((item) => leavesOf(item, [...way, isObject(item) ? ['i', item['name'] as string] : ['v', item as string]]));
}

function isWithin(way: Way, place: Way): boolean {
  return place.every(([kind, name], at) => way[at]?.[0] === kind && way[at][1] === name);
}

function pathTo(way: Way): string {
  const words = { k: (name: string) => `.${name}`, i: (name: string) => `[name=${name}]`, v: (name: string) => `[${name}]` };
  return `.spec${way.map(([kind, name]) => words[kind](JSON.stringify(name))).join('')}`;
}

function textsOf(leaves: readonly Leaf[]): readonly string[] {
  return leaves.map(({ way, value }) => `${pathTo(way)} = ${stringifyJson(value)}`).toSorted();
}

test.each(Array.from({ length: 100 }, (_, seed) => seed))('ignored places are as live has them, and everything else is as it was: seed %i', (seed) => {
  const random = randomFrom(seed);
  const [spec, liveSpec] = [randomMap(random, 2), randomMap(random, 2)];
  const [object, live] = [deepFreeze(deployment({ spec })), deepFreeze(deployment({ spec: liveSpec }))];
  const [wanted, actual] = [leavesOf(spec), leavesOf(liveSpec)];
  const anyLeaf = (): Leaf => [...wanted, ...actual][random(wanted.length + actual.length)] ?? { way: [], value: null };
  const places = Array.from({ length: 1 + random(8) }, () => anyLeaf().way)
    .map((way) => way.slice(0, 1 + random(way.length)))
    // Names tell items apart, so what ignores one changes what is compared with what.
    .filter((way) => way.at(-1)?.[1] !== 'name');
  if (places.length === 0) return;

  const isIgnored = ({ way }: Leaf): boolean => places.some((place) => isWithin(way, place));
  const hasPlace = (place: Way): boolean => wanted.some(({ way }) => isWithin(way, place));
  const isMentioned = ({ way }: Leaf): boolean => places.some((place) => isWithin(way, place) && hasPlace(place));
  const isFilled = ({ way }: Leaf): boolean =>
    places.some((place) => isWithin(way, place) && place.slice(0, -1).every(([kind], at) => kind === 'k' || hasPlace(place.slice(0, at + 1))));
  const untouched = wanted.filter((leaf) => !isIgnored(leaf));

  const ignores = ignoresOf({ paths: places.map(pathTo) });
  for (const [fillIn, fits] of [[false, isMentioned], [true, isFilled]] as const) {
    const result = neutralise(object, live, { ignores, fillIn });
    expect(textsOf(leavesOf(result['spec'] ?? {}))).toEqual(textsOf([...untouched, ...actual.filter((leaf) => isIgnored(leaf) && fits(leaf))]));
    expect(neutralise(result, live, { ignores, fillIn })).toEqual(result);
    expect(result.metadata).toBe(object.metadata);
  }
});
