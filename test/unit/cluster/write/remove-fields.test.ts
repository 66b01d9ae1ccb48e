import { describe, expect, test } from 'vitest';
import { removalPatch } from '../../../../src/cluster/write/remove-fields.ts';
import type { JsonObject, KubeObject } from '../../../../src/model/index.ts';

function object(fields: JsonObject): KubeObject {
  return { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'a' }, ...fields };
}

describe('a patch that takes fields away', () => {
  test('goes from the end to the beginning, by number in lists, and tests each', () => {
    const seen = object({ list: Array.from({ length: 12 }, (_, at) => at), map: { 'a/b': 1 } });
    expect(removalPatch(['/list/2', '/list/10', '/map/a~1b'], seen)).toEqual([
      { op: 'test', path: '/map/a~1b', value: 1 },
      { op: 'remove', path: '/map/a~1b' },
      { op: 'test', path: '/list/10', value: 10 },
      { op: 'remove', path: '/list/10' },
      { op: 'test', path: '/list/2', value: 2 },
      { op: 'remove', path: '/list/2' },
    ]);
  });

  test('goes from the inner to the outer', () => {
    const paths = removalPatch(['/data/a', '/data/a/b'], object({ data: { a: { b: 1 } } })).map(({ op, path }) => `${op} ${path}`);
    expect(paths).toEqual(['test /data/a/b', 'remove /data/a/b', 'test /data/a', 'remove /data/a']);
  });

  test('leaves what is not there', () => {
    expect(removalPatch(['/data/gone', '/list/3', '/nowhere/at/all'], object({ data: {}, list: [1] }))).toEqual([]);
  });
});
