import { describe, expect, test } from 'vitest';
import { withoutField } from '../../../../src/cluster/write/field-path.ts';
import type { Json } from '../../../../src/model/index.ts';

describe('the field that the server names', () => {
  test.each<[string, Json, Json]>([
    ['.a', { a: 1, b: 2 }, { b: 2 }],
    ['.a.b', { a: { b: 1, c: 2 } }, { a: { c: 2 } }],
    ['.labels.app.kubernetes.io/name', { labels: { app: 'x', 'app.kubernetes.io/name': 'y' } }, { labels: { app: 'x' } }],
    ['.a.b', { a: 'x', 'a.b': 'y' }, { a: 'x' }],
    ['.a.b.c', { 'a.b': { c: 1 }, a: { 'b.c': 2 } }, { 'a.b': {}, a: { 'b.c': 2 } }],
    ['.items[name="app"].image', { items: [{ name: 'side', image: 'a' }, { name: 'app', image: 'b' }] }, { items: [{ name: 'side', image: 'a' }, { name: 'app' }] }],
    ['.items[name="app"]', { items: [{ name: 'side' }, { name: 'app' }] }, { items: [{ name: 'side' }] }],
    ['.items[name="a]\\"b"].x', { items: [{ name: 'a]"b', x: 1 }] }, { items: [{ name: 'a]"b' }] }],
    ['.ports[port=80,protocol="TCP"].name', { ports: [{ port: 80, protocol: 'UDP', name: 'u' }, { port: 80, name: 't' }] }, { ports: [{ port: 80, protocol: 'UDP', name: 'u' }, { port: 80 }] }],
    ['.ports[port=80,protocol="TCP"].name', { ports: [{ port: 80, name: 'u' }, { port: 80, protocol: 'TCP', name: 't' }] }, { ports: [{ port: 80, name: 'u' }, { port: 80, protocol: 'TCP' }] }],
    ['.finalizers[="b"]', { finalizers: ['a', 'b'] }, { finalizers: ['a'] }],
    ['.list[1].x', { list: [{ x: 1 }, { x: 2 }] }, { list: [{ x: 1 }, {}] }],
  ])('%s is taken out', (path, object, expected) => {
    expect(withoutField(object, path)).toEqual(expected);
  });

  test.each<[string, Json]>([
    ['.b', { a: 1 }],
    ['.a.b', { a: 'x' }],
    ['.abc', { ab: { c: 1 } }],
    ['.items[name="other"].image', { items: [{ name: 'app', image: 'x' }] }],
    ['.items[kind="other"].image', { items: [{ name: 'app', image: 'x' }] }],
    ['.items[unfinished', { items: [{ name: 'app' }] }],
    ['.items[3]', { items: [] }],
    ['', { a: 1 }],
  ])('%s that is not in the object is not found', (path, object) => {
    expect(withoutField(object, path)).toBeUndefined();
  });

  test('the object itself stays as it is', () => {
    const object = { items: [{ name: 'app', image: 'x' }] };
    withoutField(object, '.items[name="app"].image');
    expect(object).toEqual({ items: [{ name: 'app', image: 'x' }] });
  });
});
