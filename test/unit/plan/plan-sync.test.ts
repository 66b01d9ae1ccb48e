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
