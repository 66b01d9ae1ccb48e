import { describe, expect, test } from 'vitest';
import { isOf, podsOf, selectorText } from '../../../src/cluster/pods-of.ts';
import type { Json, KubeObject } from '../../../src/model/index.ts';

describe('a selector', () => {
  test.each<[string, Json | undefined, string | undefined]>([
    ['by labels', { matchLabels: { app: 'web', tier: 'front' } }, 'app=web,tier=front'],
    ['by expressions', { matchExpressions: [{ key: 'app', operator: 'In', values: ['web', 'shop'] }, { key: 'old', operator: 'DoesNotExist' }, { key: 'tier', operator: 'Exists' }, { key: 'zone', operator: 'NotIn', values: ['a'] }] }, 'app in (web,shop),!old,tier,zone notin (a)'],
    ['by both', { matchLabels: { app: 'web' }, matchExpressions: [{ key: 'tier', operator: 'Exists' }] }, 'app=web,tier'],
    ['that is empty', {}, undefined],
    ['that is not there', undefined, undefined],
    ['of which some cannot be read', { matchLabels: { app: 'web' }, matchExpressions: [{ key: 'tier', operator: 'Gt', values: ['1'] }] }, undefined],
  ])('%s', (_name, selector, expected) => {
    expect(selectorText(selector)).toBe(expected);
  });
});

const workload = (kind: string, name = 'web', apiVersion = 'apps/v1'): KubeObject => ({ apiVersion, kind, metadata: { name, namespace: 'shop', uid: `uid of ${name}` }, spec: { selector: { matchLabels: { app: 'web' } } } });
const pod = (owner: { readonly kind: string; readonly name: string; readonly uid?: string; readonly apiVersion?: string } | undefined, hash?: string): KubeObject => ({
  ...{ apiVersion: 'v1', kind: 'Pod' },
  metadata: {
    ...{ name: 'p', namespace: 'shop', labels: { app: 'web', ...(hash !== undefined && { 'pod-template-hash': hash }) } },
    ...(owner && { ownerReferences: [{ apiVersion: 'apps/v1', kind: 'Note', name: 'n', uid: 'n' }, { apiVersion: 'apps/v1', uid: `uid of ${owner.name}`, controller: true, ...owner }] }),
  },
});

describe('a pod', () => {
  test.each<[string, KubeObject, KubeObject, boolean]>([
    ['of a Deployment, through its ReplicaSet', pod({ kind: 'ReplicaSet', name: 'web-7c9d' }, '7c9d'), workload('Deployment'), true],
    ['of a Deployment whose name begins alike', pod({ kind: 'ReplicaSet', name: 'web-api-7c9d' }, '7c9d'), workload('Deployment'), false],
    ['of a ReplicaSet that no Deployment made', pod({ kind: 'ReplicaSet', name: 'web-old' }), workload('Deployment'), false],
    ['of a StatefulSet', pod({ kind: 'StatefulSet', name: 'web' }), workload('StatefulSet'), true],
    ['of one that had the same name', pod({ kind: 'StatefulSet', name: 'web', uid: 'earlier' }), workload('StatefulSet'), false],
    ['of a workload of another kind with the same labels', pod({ kind: 'DaemonSet', name: 'web' }), workload('StatefulSet'), false],
    ['of a Job', pod({ kind: 'Job', name: 'web', apiVersion: 'batch/v1' }), workload('Job', 'web', 'batch/v1'), true],
    ['of nobody', pod(undefined), workload('Deployment'), false],
  ])('%s', (_name, each, of, expected) => {
    expect(isOf(each, of)).toBe(expected);
  });

  test('is asked for by the whole selector, and only those of the workload are given', async () => {
    const asked: string[] = [];
    const items = [pod({ kind: 'ReplicaSet', name: 'web-7c9d' }, '7c9d'), pod({ kind: 'ReplicaSet', name: 'other-1' }, '1')];
    const transport = {
      send(request: { readonly path: string }): Promise<never> {
        asked.push(JSON.stringify(request));
        return Promise.resolve({ status: 200, headers: {}, text: JSON.stringify({ metadata: { resourceVersion: '1' }, items }), body: { metadata: { resourceVersion: '1' }, items } } as never);
      },
    };
    const found = await podsOf(workload('Deployment'), transport, new AbortController().signal);
    expect(asked).toHaveLength(1);
    expect(found).toHaveLength(1);
  });
});
