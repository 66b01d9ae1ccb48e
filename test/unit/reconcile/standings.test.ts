import { expect, test } from 'vitest';
import { resourceKey, type KubeObject, type ResourceKey, type ServedKind } from '../../../src/model/index.ts';
import { createStandings, type Standings } from '../../../src/reconcile/index.ts';
import type { Followable, Target } from '../../../src/reconcile/ports.ts';

const kind: ServedKind = { group: '', version: 'v1', kind: 'ConfigMap', resource: 'configmaps', namespaced: true, hasStatus: false };
const { signal } = new AbortController();

const keyOf = (name: string): ResourceKey => resourceKey({ group: '', kind: 'ConfigMap', namespace: 'shop', name });

function target(name: string, value = '1', servedAs = kind): Target {
  const object: KubeObject = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name, namespace: 'shop' }, data: { value } };
  return { manifest: { key: keyOf(name), object, origin: `${name}.yaml#1` }, kind: servedAs };
}

function open(): { readonly standings: Standings; readonly asked: (readonly Followable[])[]; readonly follow: (id: string, targets: readonly Target[]) => Promise<void> } {
  const asked: (readonly Followable[])[] = [];
  const watch = { follow: (targets: readonly Followable[]) => Promise.resolve(void asked.push(targets)), sight: () => undefined, admission: () => '', applied: () => undefined };
  const standings = createStandings({ watch, createMemory: () => ({}) as never });
  return { standings, asked, follow: (id, targets) => standings.of(id).watch.follow(targets, signal) };
}

const keys = (targets: readonly Followable[] | undefined): readonly ResourceKey[] => (targets ?? []).map(({ manifest }) => manifest.key);

test('what any of them declares is followed, each by its key and kind', async () => {
  const { asked, follow, standings } = open();
  await follow('web', [target('a'), target('b')]);
  await follow('cart', [target('b'), target('c')]);
  expect(asked.at(-1)).toEqual(['a', 'b', 'b', 'c'].map((name) => ({ manifest: { key: keyOf(name) }, kind })));
  expect([...standings.declarers(keyOf('b'))]).toEqual(['web', 'cart']);
  await follow('web', [target('a')]);
  expect(keys(asked.at(-1))).toEqual([keyOf('a'), keyOf('b'), keyOf('c')]);
  expect([...standings.declarers(keyOf('b'))]).toEqual(['cart']);
});

test('the very same list is given while the objects are the same, whatever Git wants of them', async () => {
  const { asked, follow } = open();
  await follow('web', [target('a')]);
  await follow('cart', [target('b', '1')]);
  const before = asked.at(-1);
  await follow('cart', [target('b', '2')]);
  expect(asked.at(-1)).toBe(before);
});

test.each<[string, readonly Target[]]>([
  ['another object', [target('a'), target('c')]],
  ['one object more', [target('a'), target('b'), target('c')]],
  ['one object less', [target('a')]],
  ['no object', []],
  ['another version of a kind', [target('a'), target('b', '1', { ...kind, version: 'v2' })]],
])('%s is followed from then on', async (_name, targets) => {
  const { asked, follow } = open();
  await follow('web', [target('a'), target('b')]);
  await follow('web', targets);
  expect(asked.at(-1)).toEqual(targets.map(({ manifest: { key }, kind: servedAs }) => ({ manifest: { key }, kind: servedAs })));
});

test('many are followed at once, and what is retained alone stays', async () => {
  const { asked, standings, follow } = open();
  await standings.expect(new Map([['web', [target('a')]], ['cart', [target('b')]]]), signal);
  expect(asked.map(keys)).toEqual([[keyOf('a'), keyOf('b')]]);
  standings.retain(new Set(['cart']));
  expect([...standings.declarers(keyOf('a'))]).toEqual([]);
  await follow('cart', [target('b', '2')]);
  expect(keys(asked.at(-1))).toEqual([keyOf('b')]);
});
