// Diffs made by hand: one builder per kind of outcome, and one example of everything that a Diff can hold.
import type { Diff, FieldChange, FieldOwner, Finding, Json, KubeObject, Remarks, ResourceKey } from '../../src/model/index.ts';

type Of<Type extends Diff['type']> = Extract<Diff, { readonly type: Type }>;

export const at = { key: '/ConfigMap/shop/a' as ResourceKey, origin: 'a.yaml#1' };
export const silent: Remarks = { foreign: [], ignored: [], sideEffects: [], adopted: true, warnings: [] };

export function objectWith(data: Readonly<Record<string, Json>>): KubeObject {
  return { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'a', namespace: 'shop' }, data };
}

export function fieldChange(rest: Partial<FieldChange> = {}): FieldChange {
  return { path: '/data/x', display: 'data.x', owners: [], ...rest };
}

export function owner(manager: string, rest: Partial<FieldOwner> = {}): FieldOwner {
  return { manager, operation: 'Update', ...rest };
}

export function same(rest: Partial<Of<'same'>> = {}): Diff {
  return { ...at, type: 'same', ...silent, ...rest };
}

export function changed(changes: readonly FieldChange[], rest: Partial<Of<'changed'>> = {}): Diff {
  const [before, after] = [objectWith({ x: 'live' }), objectWith({ x: 'git' })];
  return { ...at, type: 'changed', patch: [{ op: 'replace', path: '/data/x', value: 'git' }], changes, before, after, ...silent, ...rest };
}

export function missing(rest: Partial<Of<'missing'>> = {}): Diff {
  const after = objectWith({ x: 'git' });
  return { ...at, type: 'missing', patch: [{ op: 'add', path: '', value: after }], after, ...rest };
}

const time = '2026-03-01T10:32:07Z';
const hand = owner('kubectl-edit', { time });

/** Every outcome, and every optional field of each at least once. */
export const everything: readonly Diff[] = [
  changed(
    [
      fieldChange({ live: 'live', desired: 'git', owners: [hand] }),
      fieldChange({ path: '/spec/replicas', display: 'spec.replicas', live: 5, desired: 3, owners: [owner('keda', { subresource: 'scale' })], standing: 'contested' }),
      fieldChange({ path: '/data/old', display: 'data.old', live: null, standing: 'orphaned' }),
      fieldChange({ path: '/data/gone', display: 'data.gone', desired: ['a', 1n], seen: { seenAt: time, writers: [] } }),
    ],
    {
      obstacle: { type: 'denied', message: 'policy says no' },
      unconfirmed: 'a webhook does not support dry run',
      foreign: [{ path: '/data/y', display: 'data.y', live: { z: true }, owners: [hand], seen: { seenAt: time, notBefore: '2026-03-01T09:00:00Z', writers: [hand] } }],
      ignored: [fieldChange({ path: '/data/i', display: 'data.i', live: 1, desired: 2 })],
      sideEffects: (['admission', 'format', 'volatile'] as const).map((why) => ({ ...fieldChange({ live: 0, desired: why, seen: { seenAt: time, writers: [hand] }, standing: 'contested' }), why })),
      adopted: false,
      warnings: ['it belongs to Job a, whose controller overwrites what Git says'],
    },
  ),
  changed([fieldChange({ live: 1, desired: 2 })], { key: '/ConfigMap/shop/b' as ResourceKey, obstacle: { type: 'replace', message: 'data is immutable' } }),
  missing({ key: 'example.com/Widget/shop/c' as ResourceKey, waitsFor: 'CustomResourceDefinition widgets.example.com' }),
  missing({ key: '/Namespace//shop' as ResourceKey }),
  { ...at, type: 'terminating', message: 'it is being deleted since 2026-03-01T10:32:07Z' },
  { ...at, type: 'invalid', message: 'spec.x: unknown field' },
  { ...at, type: 'unknown', code: 'Forbidden', message: 'not allowed to get configmaps' },
  same(),
];

export const findings: readonly Finding[] = [
  { severity: 'error', origin: 'b.yaml#1', message: 'line 3: not YAML' },
  { severity: 'warning', origin: 'b.yaml#2', message: 'a key appears twice' },
];
