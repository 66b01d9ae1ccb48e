import fastJsonPatch, { type Operation } from 'fast-json-patch';
import { describe, expect, test } from 'vitest';
import { treeChanges } from '../../../src/diff/tree-changes.ts';
import type { Json, JsonObject, KubeObject, Schema } from '../../../src/model/index.ts';
import { seededRandom, type SeededRandom } from '../../support/seeded-random.ts';

const scalar: Schema = { type: 'scalar', format: 'plain' };
const struct = (fields: Readonly<Record<string, Schema>>): Schema => ({
  ...{ type: 'struct', atomic: false, open: false, builtIn: true },
  fields: new Map(Object.entries(fields).map(([name, schema]) => [name, { schema }])),
});
const port = struct({ port: scalar, protocol: scalar, name: scalar });
const schema = struct({
  spec: struct({
    containers: { type: 'list', relation: 'map', keys: ['name'], element: { schema: struct({ name: scalar, image: scalar, args: { type: 'list', relation: 'atomic', keys: [], element: { schema: scalar } } }) } },
    ports: { type: 'list', relation: 'map', keys: ['port', 'protocol'], element: { schema: port } },
    finalizers: { type: 'list', relation: 'set', keys: [], element: { schema: scalar } },
    selector: { type: 'map', atomic: true, element: { schema: scalar } },
    size: { type: 'scalar', format: 'quantity-text' },
  }),
});

function object(spec: JsonObject): KubeObject {
  return { apiVersion: 'v1', kind: 'X', metadata: { name: 'a' }, spec };
}

function changes(live: JsonObject, predicted: JsonObject, desired: JsonObject = predicted): readonly string[] {
  return treeChanges({ live: object(live), predicted: object(predicted), desired: object(desired), held: object(live) }, schema).map(
    ({ operation, display, ours }) => `${operation.op} ${operation.path} ${display}${ours ? '' : ' (not ours)'}`,
  );
}

const web = { name: 'web', image: 'a:1' };
const side = { name: 'side', image: 'b:1' };

describe('one operation for one change', () => {
  test.each<[string, JsonObject, JsonObject, readonly string[]]>([
    ['a field of a keyed item', { containers: [side, web] }, { containers: [side, { ...web, image: 'a:2' }] }, ['replace /spec/containers/1/image spec.containers[name=web].image']],
    ['an injected sidecar, before the others', { containers: [web] }, { containers: [side, web] }, ['add /spec/containers/0 spec.containers[name=side]']],
    ['an item that goes', { containers: [side, web] }, { containers: [web] }, ['remove /spec/containers/0 spec.containers[name=side]']],
    [
      'several that go, the last first',
      { containers: [side, web, { name: 'x' }] },
      { containers: [web] },
      ['remove /spec/containers/2 spec.containers[name=x]', 'remove /spec/containers/0 spec.containers[name=side]'],
    ],
    ['another order of keyed items', { containers: [side, web] }, { containers: [web, side] }, ['replace /spec/containers spec.containers']],
    [
      'items of several keys',
      { ports: [{ port: 53, protocol: 'TCP' }, { port: 53, protocol: 'UDP', name: 'a' }] },
      { ports: [{ port: 53, protocol: 'TCP' }, { port: 53, protocol: 'UDP', name: 'b' }] },
      ['replace /spec/ports/1/name spec.ports[port=53,protocol=UDP].name'],
    ],
    ['an item of a set', { finalizers: ['a', 'b'] }, { finalizers: ['a', 'c', 'b'] }, ['add /spec/finalizers/1 spec.finalizers[1]']],
    ['an argument in the middle', { containers: [{ ...web, args: ['a', 'c'] }] }, { containers: [{ ...web, args: ['a', 'b', 'c'] }] }, ['add /spec/containers/0/args/1 spec.containers[name=web].args[1]']],
    ['one argument of several', { containers: [{ ...web, args: ['a', 'b'] }] }, { containers: [{ ...web, args: ['a', 'x'] }] }, ['replace /spec/containers/0/args/1 spec.containers[name=web].args[1]']],
    ['quite another list', { containers: [{ ...web, args: ['a', 'b', 'c'] }] }, { containers: [{ ...web, args: ['x', 'y'] }] }, ['replace /spec/containers/0/args spec.containers[name=web].args']],
    ['a value that becomes a map', { size: 'a' }, { size: { a: 1 } }, ['replace /spec/size spec.size']],
  ])('%s', (_name, live, predicted, expected) => {
    expect(changes(live, predicted).map((change) => change.replace(' (not ours)', ''))).toEqual(expected);
  });
});

describe('what comes from Git', () => {
  test.each<[string, readonly [JsonObject, JsonObject, JsonObject], readonly string[]]>([
    ['what Git mentions', [{ size: 'a' }, { size: 'b' }, { size: 'b' }], ['replace /spec/size spec.size']],
    ['not what it does not', [{ size: 'a' }, { size: 'b' }, {}], ['replace /spec/size spec.size (not ours)']],
    ['not a field that is filled in beside one of Git’s', [{ containers: [web] }, { containers: [{ ...web, args: ['x'] }] }, { containers: [web] }], ['add /spec/containers/0/args spec.containers[name=web].args (not ours)']],
    ['everything in a map that is replaced whole', [{ selector: { a: '1', b: '2' } }, { selector: { a: '1' } }, { selector: { a: '1' } }], ['remove /spec/selector/b spec.selector.b']],
  ])('%s', (_name, [live, predicted, desired], expected) => {
    expect(changes(live, predicted, desired)).toEqual(expected);
  });

  test('what we hold and Git has no more', () => {
    const managedFields = [{ manager: 'setpoint', operation: 'Apply', fieldsV1: { 'f:spec': { 'f:size': {} } } }];
    const held = { ...object({ size: 'a' }), metadata: { name: 'a', managedFields } };
    expect(treeChanges({ live: object({ size: 'a' }), predicted: object({}), desired: object({}), held }, schema)).toMatchObject([{ ours: true }]);
  });
});

test('the same amount in another spelling is told apart, where the server keeps spellings', () => {
  const [change] = treeChanges({ live: object({ size: '12' }), predicted: object({ size: '12000m' }), desired: object({ size: '12000m' }), held: object({}) }, schema);
  expect(change).toMatchObject({ format: true });
});

test('carried out in their order, the operations make the one object of the other: 3,000 seeded pairs', () => {
  const random = seededRandom(4711);
  for (let at = 0; at < 3000; at++) {
    const live = randomSpec(random);
    const predicted = random.next() < 0.2 ? randomSpec(random) : mutated(live, random);
    const found = treeChanges({ live: object(live), predicted: object(predicted), desired: object(predicted), held: object({}) }, schema);
    const operations = found.map(({ operation }) => operation) as unknown as Operation[];
    const result = fastJsonPatch.applyPatch(structuredClone(object(live)), structuredClone(operations), true).newDocument;
    expect({ live, operations, result }).toEqual({ live, operations, result: object(predicted) });
  }
});

test('ten thousand entries are compared in linear time', () => {
  const entries = (value: string): JsonObject => Object.fromEntries(Array.from({ length: 10_000 }, (_, at) => [`k${at}`, value]));
  const items = (image: string): Json => Array.from({ length: 10_000 }, (_, at) => ({ name: `c${at}`, image }));
  const members = Object.fromEntries(Array.from({ length: 10_000 }, (_, at) => [`k:{"name":"c${at}"}`, { 'f:image': {} }]));
  const managedFields = [{ manager: 'kubectl-edit', operation: 'Update', fieldsV1: { 'f:spec': { 'f:containers': members } } }];
  const live = { ...object({ containers: items('a'), selector: entries('a') }), metadata: { name: 'a', managedFields } };
  const found = treeChanges({ live, predicted: object({ containers: items('b'), selector: entries('b') }), desired: object({}), held: live }, schema);
  expect(found.filter(({ owners }) => owners.some(({ manager }) => manager === 'kubectl-edit'))).toHaveLength(10_000);
});

function randomSpec(random: SeededRandom): JsonObject {
  const some = <T>(items: readonly T[]): T[] => items.filter(() => random.next() < 0.6);
  return {
    ...(random.next() < 0.8 ? { containers: shuffled(some(['a', 'b', 'c', 'd']), random).map((name) => ({ name, image: `i${random.below(3)}`, args: some(['x', 'y', 'z']) })) } : {}),
    ...(random.next() < 0.6 ? { ports: some([1, 2, 3]).flatMap((number) => some(['TCP', 'UDP']).map((protocol) => ({ port: number, protocol, name: `n${random.below(2)}` }))) } : {}),
    ...(random.next() < 0.6 ? { finalizers: shuffled(some(['f', 'g', 'h']), random) } : {}),
    ...(random.next() < 0.6 ? { selector: Object.fromEntries(some(['k', 'l', 'm/n~o']).map((key) => [key, `v${random.below(2)}`])) } : {}),
  };
}

function mutated(spec: JsonObject, random: SeededRandom): JsonObject {
  const other = randomSpec(random);
  return Object.fromEntries(Object.entries<Json>(spec).map(([key, value]) => [key, random.next() < 0.5 && other[key] !== undefined ? other[key] : value]));
}

function shuffled<T>(items: readonly T[], random: SeededRandom): T[] {
  return items.map((item) => [random.next(), item] as const).toSorted(([a], [b]) => a - b).map(([, item]) => item);
}
