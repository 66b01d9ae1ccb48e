import { describe, expect, test } from 'vitest';
import { planSync, takeOver } from '../../../src/plan/index.ts';
import { resourceKey, type Diff, type Finding, type KubeObject, type ResourceKey } from '../../../src/model/index.ts';

function keyOf(groupKind: string, name = 'a'): ResourceKey {
  const [group = '', kind = ''] = groupKind.split('/');
  return resourceKey({ group, kind, namespace: 'shop', name });
}

const after = { apiVersion: 'v1', kind: 'X', metadata: { name: 'a' } } as KubeObject;

function missing(key: ResourceKey): Diff {
  return { type: 'missing', key, origin: 'a.yaml#1', patch: [], after };
}

function plan(diffs: readonly Diff[], findings: readonly Finding[] = []): ReturnType<typeof planSync> {
  return planSync({ verdict: { status: 'OutOfSync', cause: 'git-ahead' }, commit: 'c', resources: diffs.map((diff) => ({ diff })), findings });
}

test('what others need is applied before them, what judges others last', () => {
  const kinds = ['admissionregistration.k8s.io/ValidatingWebhookConfiguration', 'apps/Deployment', '/ConfigMap', 'example.com/Widget', 'apiextensions.k8s.io/CustomResourceDefinition', '/Namespace'];
  expect(plan(kinds.map((kind) => missing(keyOf(kind)))).map(({ key }) => key.split('/')[1])).toEqual([
    'Namespace',
    'CustomResourceDefinition',
    'ConfigMap',
    'Deployment',
    'Widget',
    'ValidatingWebhookConfiguration',
  ]);
});

test('what is in sync needs no step', () => {
  expect(plan([{ type: 'same', key: keyOf('/ConfigMap'), origin: 'a', foreign: [], ignored: [], sideEffects: [], adopted: true, warnings: [] }])).toEqual([]);
});

describe('what an apply cannot or must not do is held, with its reason', () => {
  const key = keyOf('/ConfigMap');
  const remarks = { foreign: [], ignored: [], sideEffects: [], adopted: true, warnings: [] };
  const changed = (more: Partial<Extract<Diff, { type: 'changed' }>>): Diff => ({ ...{ type: 'changed', key, origin: 'a', patch: [], changes: [], before: after, after }, ...remarks, ...more });
  const field = { path: '/data/a', display: 'data.a', live: '1', desired: '2' };

  test.each<[string, Diff, RegExp]>([
    ['an immutable field', changed({ obstacle: { type: 'replace', message: 'field is immutable' } }), /deleted and created again: field is immutable/],
    ['what admission denies', changed({ obstacle: { type: 'denied', message: 'no' } }), /^no$/],
    ['a field that a controller holds', changed({ changes: [{ ...field, owners: [{ manager: 'operator', operation: 'Update' }], standing: 'contested' }] }), /^contested: other software holds data\.a \(operator\)/],
    ['nothing but what an apply leaves', changed({ changes: [{ ...field, owners: [], standing: 'orphaned' }] }), /an apply leaves data\.a/],
    ['what waits for its definition', { type: 'missing', key, origin: 'a', patch: [], after, waitsFor: 'CustomResourceDefinition x' }, /waits for CustomResourceDefinition x/],
    ['what is being deleted', { type: 'terminating', key, origin: 'a', message: 'it goes' }, /it goes/],
  ])('%s', (_name, diff, why) => {
    expect(plan([diff])).toEqual([{ type: 'hold', key, why: expect.stringMatching(why) as string }]);
  });

  test('but plain drift is applied', () => {
    expect(plan([changed({ changes: [{ ...field, owners: [{ manager: 'kubectl-edit', operation: 'Update' }] }] })])).toEqual([{ type: 'apply', key }]);
  });
});

test('a refusal is a step with its reason', () => {
  const key = keyOf('/ConfigMap');
  expect(plan([{ type: 'invalid', key, origin: 'a', message: 'no such kind' }])).toEqual([{ type: 'hold', key, why: 'no such kind' }]);
  expect(plan([{ type: 'unknown', key, origin: 'a', code: 'Forbidden', message: 'no' }])).toEqual([{ type: 'hold', key, why: 'not compared: no' }]);
});

test('half a commit is not applied', () => {
  const findings: Finding[] = [{ severity: 'error', origin: 'b.yaml#1', message: 'broken' }];
  expect(plan([missing(keyOf('/ConfigMap'))], findings)).toMatchObject([{ type: 'hold', why: expect.stringContaining('b.yaml#1') as string }]);
});

test('a warning holds nothing back', () => {
  expect(plan([missing(keyOf('/ConfigMap'))], [{ severity: 'warning', origin: 'b', message: 'odd' }])).toMatchObject([{ type: 'apply' }]);
});

describe('fields that others hold', () => {
  test.each(['kubectl', 'kubectl-edit', 'kubectl-client-side-apply', 'before-first-apply', 'k9s', 'Lens', 'Mozilla'])('%s writes for a person: taken', (manager) => {
    expect(takeOver([{ field: '.spec.replicas', manager }])).toEqual({ type: 'take' });
  });

  test.each(['kube-controller-manager', 'helm', 'argocd-controller', 'kustomize-controller', 'keda-operator', 'kubectlish'])('%s is software: left, and named', (manager) => {
    expect(takeOver([{ field: '.spec.paused', manager: 'kubectl' }, { field: '.spec.replicas', manager }])).toEqual({
      type: 'leave',
      why: expect.stringContaining(`.spec.replicas (${manager})`) as string,
    });
  });
});
