import picocolors from 'picocolors';
import { expect, test } from 'vitest';
import { formatDiffs } from '../../../src/cli/format/index.ts';
import type { Diff, FieldChange, Json, KubeObject, ResourceKey } from '../../../src/model/index.ts';

const object = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'a' } } as KubeObject;
const at = { key: '/ConfigMap/shop/a' as ResourceKey, origin: 'a.yaml#1' };

function show(diff: Diff): string {
  return formatDiffs({ diffs: [diff], findings: [], context: 'c' }, 'tree', picocolors.createColors(false)).data;
}

function change(sides: Pick<FieldChange, 'live' | 'desired'>): Diff {
  const changes = [{ path: '/x', display: 'x', owners: [], ...sides }];
  return { ...at, type: 'changed', patch: [], changes, foreign: [], before: object, after: object };
}

test.each<[string, Json, Json, readonly string[]]>([
  ['a number and the same as text', 80, '80', ['- 80', '+ "80"']],
  ['what YAML takes for a boolean', 'on', true, ['- "on"', '+ true']],
  ['an empty text', '', 'a', ['- ""', '+ a']],
  ['an integer beyond 2^53', 9_007_199_254_740_993n, 1, ['- 9007199254740993', '+ 1']],
  ['a map', { b: 1 }, { b: [1] }, ['- b: 1', '+ b:', '+   - 1']],
])('%s can be told apart', (_name, live, desired, lines) => {
  expect(show(change({ live, desired })).split('\n').slice(1, 2 + lines.length).map((line) => line.trim())).toEqual(['x', ...lines]);
});

test('a side that has nothing has no line', () => {
  expect(show(change({ desired: 'a' }))).not.toMatch(/^\s+- /m);
  expect(show(change({ live: 'a' }))).not.toMatch(/^\s+\+ /m);
});

test('a resource that is in sync is silent, unless something was added by hand', () => {
  expect(show({ ...at, type: 'same', foreign: [] })).toBe('1 in sync  (context c; - live, + Git)\n');
  const owners = [{ manager: 'kubectl', operation: 'Update', subresource: 'scale' }];
  expect(show({ ...at, type: 'same', foreign: [{ path: '/x', display: 'x', live: 5, owners }] })).toBe(
    '* ConfigMap shop/a  in sync, with fields added by hand  a.yaml#1\n    x  by kubectl (scale), time not recorded\n      * 5\n\n1 in sync; 1 field added by hand  (context c; - live, + Git, * only live)\n',
  );
});
