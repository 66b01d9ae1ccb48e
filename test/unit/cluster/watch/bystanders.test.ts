import { expect, test } from 'vitest';
import { createBystanders } from '../../../../src/cluster/watch/bystanders.ts';
import { resourceKey, type ResourceKey } from '../../../../src/model/index.ts';

const key = (name: string): ResourceKey => resourceKey({ group: '', kind: 'ConfigMap', namespace: 'shop', name });

test('before a list has ended nobody can tell who is there', () => {
  const bystanders = createBystanders();
  bystanders.add(key('a'));
  expect(bystanders.isThere(key('a'))).toBeUndefined();
  bystanders.listing();
  bystanders.add(key('b'));
  expect(bystanders.isThere(key('b'))).toBeUndefined();
});

test('after it, those that were named and came since are there, and no others', () => {
  const bystanders = createBystanders();
  bystanders.listing();
  bystanders.add(key('a'));
  bystanders.add(key('b'));
  bystanders.listed();
  bystanders.remove(key('b'));
  bystanders.add(key('c'));
  expect(['a', 'b', 'c', 'd'].map((name) => bystanders.isThere(key(name)))).toEqual([true, false, true, false]);
});

test('where there are too many, nobody can tell until a list has fewer', () => {
  const bystanders = createBystanders(2);
  bystanders.listing();
  for (const name of ['a', 'b', 'c']) bystanders.add(key(name));
  bystanders.listed();
  expect(bystanders.isThere(key('z'))).toBeUndefined();
  bystanders.add(key('d'));
  expect(bystanders.isThere(key('d'))).toBeUndefined();
  bystanders.listing();
  bystanders.add(key('a'));
  bystanders.listed();
  expect(bystanders.isThere(key('z'))).toBe(false);
});
