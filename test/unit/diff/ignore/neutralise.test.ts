import { describe, expect, test } from 'vitest';
import { neutralise } from '../../../../src/diff/ignore/index.ts';
import type { JsonObject } from '../../../../src/model/index.ts';
import { deployment, ignoresOf, neutralised } from './fixtures.ts';

/** `predicted` is given where it is not the same as `desired`. */
interface Row {
  readonly rule: JsonObject;
  readonly object: JsonObject;
  readonly live: JsonObject;
  readonly desired: JsonObject;
  readonly predicted?: JsonObject;
}

const replicas = { jsonPointers: ['/spec/replicas'] };
const dataA = { paths: ['data.a'] };

describe('a field', () => {
  test.each<[string, Row]>([
    ['takes the value of live', { rule: replicas, object: { spec: { replicas: 3, paused: true } }, live: { spec: { replicas: 5 } }, desired: { spec: { replicas: 5, paused: true } } }],
    ['takes its type too', { rule: replicas, object: { spec: { replicas: 3 } }, live: { spec: { replicas: { a: ['5'] } } }, desired: { spec: { replicas: { a: ['5'] } } } }],
    ['goes where live has none', { rule: replicas, object: { spec: { replicas: 3, paused: true } }, live: { spec: {} }, desired: { spec: { paused: true } } }],
    [
      'that only live has is put into the prediction, and Git stays silent about it',
      { rule: replicas, object: { spec: { paused: true } }, live: { spec: { replicas: 5 } }, desired: { spec: { paused: true } }, predicted: { spec: { paused: true, replicas: 5 } } },
    ],
    ['is null where live has null', { rule: replicas, object: { spec: { replicas: 3 } }, live: { spec: { replicas: null } }, desired: { spec: { replicas: null } } }],
    ['that nobody has stays away', { rule: replicas, object: { spec: { a: 1 } }, live: { spec: { a: 2 } }, desired: { spec: { a: 1 } } }],
    ['is ignored with all that it holds', { rule: { jsonPointers: ['/spec'] }, object: { spec: { a: 1 }, data: {} }, live: { spec: { b: 2 } }, desired: { spec: { b: 2 }, data: {} } }],
    ['below a text has no place', { rule: { jsonPointers: ['/spec/a/b'] }, object: { spec: { a: 'x' } }, live: { spec: { a: { b: 1 } } }, desired: { spec: { a: 'x' } } }],
    ['goes where live has a text in the place of its map', { rule: { jsonPointers: ['/spec/a/b'] }, object: { spec: { a: { b: 1, c: 2 } } }, live: { spec: { a: 'x' } }, desired: { spec: { a: { c: 2 } } } }],
    ['keeps integers that no double holds', { rule: replicas, object: { spec: { replicas: 1 } }, live: { spec: { replicas: 9_007_199_254_740_993n } }, desired: { spec: { replicas: 9_007_199_254_740_993n } } }],
  ])('%s', (_name, { desired, predicted = desired, ...given }) => {
    expect(neutralised(given)).toEqual({ desired, predicted });
  });
});

describe('what holds ignored places only', () => {
  const annotation = { paths: ['metadata.annotations[example.com/*]'] };

  test.each<[string, Row]>([
    ['goes with them where live has nothing', { rule: dataA, object: { data: { a: '1' } }, live: {}, desired: {} }],
    ['goes with them, and so does what holds only that', { rule: { paths: ['.spec.a.b.c'] }, object: { spec: { a: { b: { c: 1 } } } }, live: {}, desired: {} }],
    ['is null where live has null', { rule: dataA, object: { data: { a: '1' } }, live: { data: null }, desired: { data: null } }],
    ['stays, empty, where live has something else: in a map that is replaced whole, that would go', { rule: dataA, object: { data: { a: '1' } }, live: { data: { b: '2' } }, desired: { data: {} } }],
    ['stays as it is where it was empty before', { rule: dataA, object: { data: {} }, live: {}, desired: { data: {} } }],
    ['stays where something else is left in it', { rule: dataA, object: { data: { a: '1', b: '2' } }, live: {}, desired: { data: { b: '2' } } }],
    ['is made for the prediction where it has none', { rule: dataA, object: {}, live: { data: { a: '1', b: '2' } }, desired: {}, predicted: { data: { a: '1' } } }],
    ['is made in the place of null', { rule: dataA, object: { data: null }, live: { data: { a: '1' } }, desired: { data: null }, predicted: { data: { a: '1' } } }],
    ['is not made where live has no such place', { rule: dataA, object: {}, live: { data: { b: '2' } }, desired: {} }],
    [
      'in the metadata',
      {
        rule: annotation,
        object: { metadata: { name: 'web', namespace: 'shop', annotations: { 'example.com/a': '1' } } },
        live: { metadata: { name: 'web', namespace: 'shop' } },
        desired: {},
      },
    ],
  ])('%s', (_name, { desired, predicted = desired, ...given }) => {
    expect(neutralised(given)).toEqual({ desired, predicted });
  });
});

describe('keys of a map', () => {
  test.each<[string, string, JsonObject]>([
    ['by a glob in brackets', 'data[generated-*]', { 'generated-a': 'live', other: 'git' }],
    ['by a glob after a dot', 'data.generated-*', { 'generated-a': 'live', other: 'git' }],
    ['all of them', 'data[*]', { 'generated-a': 'live', other: 'live' }],
    ['all of them after a dot', 'data.*', { 'generated-a': 'live', other: 'live' }],
    ['one in quotes', 'data["other"]', { 'generated-a': 'git', other: 'live' }],
    ['one in quotes, in which a star is a star', 'data["generated-*"]', { 'generated-a': 'git', other: 'git' }],
  ])('%s', (_name, path, data) => {
    const object = { data: { 'generated-a': 'git', other: 'git' } };
    const live = { data: { 'generated-a': 'live', other: 'live' } };
    expect(neutralised({ rule: { paths: [path] }, object, live })).toEqual({ desired: { data }, predicted: { data } });
  });

  test('that are called like parts of JavaScript are data', () => {
    const named = (value: string): JsonObject => Object.fromEntries([['__proto__', value], ['constructor', value], ['kept', value]]);
    const given = { object: { data: named('git') }, live: { data: named('live') } };
    const expected = { data: Object.fromEntries([['__proto__', 'live'], ['constructor', 'live'], ['kept', 'git']]) };
    const rule = { jsonPointers: ['/data/__proto__', '/data/constructor'] };
    expect(neutralised({ rule, ...given })).toEqual({ desired: expected, predicted: expected });
    expect(neutralised({ rule: { jsonPointers: ['/data/toString/name'] }, ...given }).predicted).toEqual(given.object);
    expect(neutralised({ rule, object: given.object, live: { data: {} } }).predicted).toEqual({ data: { kept: 'git' } });
    expect(neutralised({ rule, object: {}, live: given.live }).predicted).toEqual({ data: Object.fromEntries([['__proto__', 'live'], ['constructor', 'live']]) });
  });

  test('keep their order, new ones last', () => {
    const rule = { paths: ['data[*]'] };
    const { predicted } = neutralised({ rule, object: { data: { b: 1, a: 1 } }, live: { data: { a: 2, c: 2, b: 2 } } });
    expect(JSON.stringify(predicted)).toBe('{"data":{"b":2,"a":2,"c":2}}');
  });
});

describe('identity of values', () => {
  const ignores = ignoresOf({ jsonPointers: ['/spec/replicas', '/spec/containers/0/image'], paths: ['status.**.time', 'whole', 'list[name=a]'] });
  const part = { deep: { deeper: [1, 2] } };

  test('an object in which nothing changes is the same object', () => {
    const object = deployment({ spec: { replicas: 3, containers: [{ image: 'a' }], part }, whole: part, list: [{ name: 'b' }, { name: 'a', part }] });
    expect(neutralise(object, structuredClone(object), { ignores, fillIn: true })).toBe(object);
  });

  test('what no rule is about is the same value', () => {
    const object = deployment({ spec: { replicas: 3, part }, data: part, status: { a: part } });
    const result = neutralise(object, deployment({ spec: { replicas: 4 } }), { ignores, fillIn: true });
    expect(result['data']).toBe(part);
    expect((result['spec'] as JsonObject)['part']).toBe(part);
    expect((result['status'] as JsonObject)['a']).toBe(part);
    expect(result.metadata).toBe(object.metadata);
  });
});
