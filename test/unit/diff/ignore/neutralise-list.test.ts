import { describe, expect, test } from 'vitest';
import type { Json } from '../../../../src/model/index.ts';
import { neutralised } from './fixtures.ts';

/** `predicted` is given where it is not the same as `desired`. */
interface Row {
  readonly path: string;
  readonly object: Json;
  readonly live: Json;
  readonly desired: Json;
  readonly predicted?: Json;
}

const [web, webLive] = [{ name: 'web', image: 'git' }, { name: 'web', image: 'live' }];
const [side, sideLive] = [{ name: 'sidecar-a', image: 'git' }, { name: 'sidecar-a', image: 'live' }];
const other = { name: 'other', image: 'git' };

function settled({ path, object, live }: Row): Json {
  const { desired, predicted } = neutralised({ rule: { paths: [path] }, object: { list: object }, live: { list: live } });
  return [desired, predicted];
}

function expected({ desired, predicted = desired }: Row): Json {
  return [{ list: desired }, { list: predicted }];
}

describe('a field of an item', () => {
  test.each<[string, Row]>([
    ['is found by the name of the item, wherever it stands', { path: 'list[name=web].image', object: [web, other], live: [other, webLive], desired: [webLive, other] }],
    ['in each item that fits a glob', { path: 'list[name=*].image', object: [web, side], live: [webLive, sideLive], desired: [webLive, sideLive] }],
    ['in every item, by their names', { path: 'list[*].image', object: [web, side], live: [sideLive, webLive], desired: [webLive, sideLive] }],
    ['in every item, by its place in the list where items have no names', { path: 'list[*].a', object: [{ a: 1 }, { a: 1, b: 1 }], live: [{ a: 2 }, { a: 3 }], desired: [{ a: 2 }, { a: 3, b: 1 }] }],
    ['in every item, by its place in the list where one has no name', { path: 'list[*].a', object: [{ a: 1 }], live: [{ name: 'x', a: 2 }], desired: [{ a: 2 }] }],
    ['that is the name itself, by its place in the list', { path: 'list[*].name', object: [web], live: [{ name: 'w-123', image: 'live' }], desired: [{ name: 'w-123', image: 'git' }] }],
    ['of an item that live does not have goes, and the item stays', { path: 'list[name=web].image', object: [web], live: [other], desired: [{ name: 'web' }] }],
    ['makes no item that the prediction does not have', { path: 'list[name=web].image', object: [other], live: [other, webLive], desired: [other] }],
    ['that only live has', { path: 'list[name=web].image', object: [{ name: 'web' }], live: [webLive], desired: [{ name: 'web' }], predicted: [webLive] }],
    ['an item is never left out for being empty', { path: 'list[*].a', object: [{ a: 1 }], live: [], desired: [{}] }],
    [
      'in one of two items that only several conditions tell apart',
      {
        path: 'list[port=443,protocol=UDP].nodePort',
        object: [{ port: 443, protocol: 'TCP', nodePort: 1 }, { port: 443, protocol: 'UDP', nodePort: 2 }],
        live: [{ port: 443, protocol: 'UDP', nodePort: 8 }, { port: 443, protocol: 'TCP', nodePort: 9 }],
        desired: [{ port: 443, protocol: 'TCP', nodePort: 1 }, { port: 443, protocol: 'UDP', nodePort: 8 }],
      },
    ],
    [
      'in items of the same name, in their order',
      {
        path: 'list[name=A].value',
        object: [{ name: 'A', value: 1 }, { name: 'B' }, { name: 'A', value: 2 }],
        live: [{ name: 'A', value: 8 }, { name: 'A', value: 9 }],
        desired: [{ name: 'A', value: 8 }, { name: 'B' }, { name: 'A', value: 9 }],
      },
    ],
    ['by a condition on something deeper', { path: 'list[metadata.name=data].a', object: [{ metadata: { name: 'data' }, a: 1 }, { metadata: { name: 'x' }, a: 1 }], live: [{ metadata: { name: 'data' }, a: 2 }, { metadata: { name: 'x' }, a: 2 }], desired: [{ metadata: { name: 'data' }, a: 2 }, { metadata: { name: 'x' }, a: 1 }] }],
    ['by a number and a truth, in their string forms', { path: 'list[port=80,on=true].a', object: [{ port: 80, on: true, a: 1 }], live: [{ port: 80, on: true, a: 2 }], desired: [{ port: 80, on: true, a: 2 }] }],
    ['not where the condition holds on one side only', { path: 'list[kind=a].image', object: [{ ...web, kind: 'a' }], live: [{ ...webLive, kind: 'b' }], desired: [{ ...web, kind: 'a' }] }],
    ['not where the condition is about a map, a list or nothing', { path: 'list[a=*].b', object: [{ a: {}, b: 1 }, { a: [], b: 1 }, { a: null, b: 1 }, { b: 1 }], live: [{ a: {} }, { a: [] }, { a: null }, {}], desired: [{ a: {}, b: 1 }, { a: [], b: 1 }, { a: null, b: 1 }, { b: 1 }] }],
  ])('%s', (_name, row) => {
    expect(settled(row)).toEqual(expected(row));
  });
});

describe('an item', () => {
  test.each<[string, Row]>([
    ['that both have is as live has it', { path: 'list[name=sidecar-*]', object: [web, side], live: [webLive, sideLive], desired: [web, sideLive] }],
    ['that only live has stands in the prediction where it stands in live', { path: 'list[name=sidecar-*]', object: [web, other], live: [webLive, sideLive, other], desired: [web, other], predicted: [web, sideLive, other] }],
    ['that only live has, in the first place', { path: 'list[name=sidecar-*]', object: [web], live: [sideLive, webLive], desired: [web], predicted: [sideLive, web] }],
    ['after one that is gone', { path: 'list[name=sidecar-*]', object: [other], live: [webLive, sideLive], desired: [other], predicted: [sideLive, other] }],
    ['that live does not have goes', { path: 'list[name=sidecar-*]', object: [web, side], live: [webLive], desired: [web] }],
    ['stands where live has it', { path: 'list[name=sidecar-*]', object: [side, web, other], live: [webLive, sideLive, other], desired: [web, sideLive, other] }],
    ['all of them', { path: 'list[*]', object: [web, other], live: [side, webLive], desired: [webLive], predicted: [side, webLive] }],
    ['of a set, by its value', { path: 'list[example.com/*]', object: ['a', 'example.com/x'], live: ['example.com/y', 'a', 'b'], desired: ['a'], predicted: ['example.com/y', 'a'] }],
    ['of a set, in quotes', { path: "list['a*']", object: ['a*', 'ab'], live: [], desired: ['ab'] }],
    ['by its index', { path: 'list[1]', object: ['a', 'b', 'c'], live: ['x', 'y', 'z'], desired: ['a', 'y', 'c'] }],
    ['by an index that only live has', { path: 'list[2]', object: ['a'], live: ['a', 'b', 'c'], desired: ['a'], predicted: ['a', 'c'] }],
    ['by an index that live does not have', { path: 'list[1]', object: ['a', 'b', 'c'], live: ['a'], desired: ['a', 'c'] }],
    ['by an index at which live has one that Git has elsewhere', { path: 'list[0]', object: [other, web], live: [web], desired: [other, web] }],
    ['by an index at which Git has one that live has elsewhere', { path: 'list[0]', object: [web], live: [sideLive, webLive], desired: [web] }],
    ['by its index, under another name', { path: 'list[0]', object: [web, side], live: [other, side], desired: [other, side] }],
    ['a field of an item by an index at which live has another one', { path: 'list[0].image', object: [web, side], live: [sideLive, webLive], desired: [web, side] }],
    ['a list in a list', { path: 'list[1][0]', object: [['a'], ['b', 'c']], live: [['x'], ['y']], desired: [['a'], ['y', 'c']] }],
    ['an index in a map is a key', { path: 'list[0]', object: { 0: 'a', 1: 'b' }, live: { 0: 'x', 1: 'y' }, desired: { 0: 'x', 1: 'b' } }],
    ['a condition holds for entries of a map too', { path: 'list[on=true].a', object: { x: { on: true, a: 1 }, y: { on: false, a: 1 } }, live: { x: { on: true, a: 2 }, y: { on: false, a: 2 } }, desired: { x: { on: true, a: 2 }, y: { on: false, a: 1 } } }],
    ['a key that looks like an index is none', { path: 'list."0"', object: ['a'], live: ['x'], desired: ['a'] }],
    ['a field of an item by an index that only live has', { path: 'list[1].image', object: [web], live: [webLive, sideLive], desired: [web] }],
    ['a key of an item is no item', { path: 'list.name', object: [web], live: [webLive], desired: [web] }],
  ])('%s', (_name, row) => {
    expect(settled(row)).toEqual(expected(row));
  });

  test('that was the only one goes with its list where live has none', () => {
    const given = { object: { list: [side] }, live: {} };
    expect(neutralised({ rule: { paths: ['list[name=sidecar-*]'] }, ...given })).toEqual({ desired: {}, predicted: {} });
  });

  test('by pointer and by key in the same list', () => {
    const rule = { jsonPointers: ['/list/0/image'], paths: ['list[name=sidecar-*]'] };
    const given = { object: { list: [web] }, live: { list: [webLive, sideLive] } };
    expect(neutralised({ rule, ...given }).predicted).toEqual({ list: [webLive, sideLive] });
  });
});

/** Lists whose items count how often they are asked for a field. */
function readsOf(size: number, path: string): number {
  let reads = 0;
  const counting = (item: Readonly<Record<string, Json>>): Json =>
    new Proxy(item, {
      get: (target, key) => {
        reads += 1;
        return target[String(key)];
      },
    });
  const items = (value: string): Json => Array.from({ length: size }, (_, at) => counting({ name: `n-${at}`, value }));
  neutralised({ rule: { paths: [path] }, object: { list: items('git') }, live: { list: items('live') } });
  return reads;
}

test.each(['list[name=n-*].value', 'list[*].value', 'list[name=n-*]', 'list[*]', '**.value'])(
  'twice as many items are twice as much work: %s',
  (path) => {
    const [once, twice] = [readsOf(300, path), readsOf(600, path)];
    expect(once).toBeGreaterThan(0);
    expect(twice).toBeLessThan(once * 2.1);
  },
);
