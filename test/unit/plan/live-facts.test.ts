import { describe, expect, test } from 'vitest';
import { trackingAnnotation, type JsonObject, type KubeObject } from '../../../src/model/index.ts';
import { hookRunAnnotation, isJudgedAlike, liveFacts, trackingId } from '../../../src/plan/index.ts';
import { trackedApplication } from '../../../src/plan/tracking-id.ts';
import { keyOf } from './scene.ts';

const object: KubeObject = {
  apiVersion: 'v1',
  kind: 'ConfigMap',
  metadata: {
    name: 'a',
    namespace: 'shop',
    uid: 'u1',
    deletionTimestamp: '2026-03-02T12:00:00Z',
    annotations: { [trackingAnnotation]: 'ns/app:/ConfigMap/shop/a', [hookRunAnnotation]: 'op1 PreSync', 'setpoint.dev/sync-wave': '2' },
    managedFields: [
      { manager: 'setpoint', operation: 'Apply' },
      { manager: 'argocd-controller', operation: 'Apply' },
      { manager: 'helm', operation: 'Update' },
      { manager: 'kubectl-edit', operation: 'Update' },
      { manager: 'helm', operation: 'Update', subresource: 'status' },
    ],
  },
};

test('what a live object tells', () => {
  expect(liveFacts(object, { status: 'Healthy' })).toMatchObject({ uid: 'u1', isDeleting: true, trackedBy: 'ns/app:/ConfigMap/shop/a', hookRun: 'op1 PreSync', marks: { wave: 2 }, holders: ['argocd-controller', 'helm'], health: { status: 'Healthy' } });
});

test('what a bare one does not', () => {
  const bare = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'a' } };
  expect(liveFacts(bare, { status: 'Unknown' })).toMatchObject({ uid: '', isDeleting: false, trackedBy: undefined, hookRun: undefined, holders: [] });
});

describe('what was decided about an object', () => {
  const annotated = (more: Readonly<Record<string, string>>): KubeObject => ({ ...object, metadata: { ...object.metadata, annotations: { ...(object.metadata['annotations'] as JsonObject), ...more } } });
  test.each<[string, KubeObject, boolean]>([
    ['holds where only its status, its version and what nobody asks about is new', { ...annotated({ 'example.com/renewed': 'now' }), metadata: { ...annotated({ 'example.com/renewed': 'now' }).metadata, resourceVersion: '9' }, status: { ready: true }, data: { a: '1' } }, true],
    ['does not where another application has marked it', annotated({ [trackingAnnotation]: 'ns/other:/ConfigMap/shop/a' }), false],
    ['does not where another tool applies it by then', { ...object, metadata: { ...object.metadata, managedFields: [{ manager: 'kustomize-controller', operation: 'Apply' }] } }, false],
    ['does not where it says something else of its deletion', annotated({ 'argocd.argoproj.io/sync-options': 'Prune=false' }), false],
    ['does not where it is another object', { ...object, metadata: { ...object.metadata, uid: 'u2' } }, false],
  ])('%s', (_name, now, wanted) => {
    expect(isJudgedAlike(object, now)).toBe(wanted);
  });
});

describe('the tracking annotation', () => {
  const role = keyOf('rbac.authorization.k8s.io/ClusterRole system:reader');
  test('names the application and the object', () => {
    expect(trackingId('ns/app', keyOf('ConfigMap shop/a'))).toBe('ns/app:/ConfigMap/shop/a');
    expect(trackedApplication(trackingId('ns/app', role), role)).toBe('ns/app');
  });

  test.each([undefined, '', 'ns/app', ':/ConfigMap/shop/a', 'ns/app:/ConfigMap/shop/b', 'ns/app:'])('"%s" names no application on another object', (text) => {
    expect(trackedApplication(text, keyOf('ConfigMap shop/a'))).toBeUndefined();
  });
});

describe('marks of other tools', () => {
  const role = { apiVersion: 'rbac.authorization.k8s.io/v1', kind: 'ClusterRole', metadata: { name: 'system:shop' } };
  const web = { apiVersion: 'apps/v1', kind: 'Deployment', metadata: { name: 'web', namespace: 'prod' } };
  const argo = (id: string): JsonObject => ({ annotations: { 'argocd.argoproj.io/tracking-id': id } });
  test.each<[string, KubeObject, JsonObject, string | undefined]>([
    ['Argo CD’s', web, argo('shop:apps/Deployment:prod/web'), 'Argo CD (shop)'],
    ['Argo CD’s, of what has no namespace', role, argo('shop:rbac.authorization.k8s.io/ClusterRole:prod/system:shop'), 'Argo CD (shop)'],
    ['Argo CD’s, copied from another object', web, argo('shop:apps/Deployment:prod/api'), undefined],
    ['Argo CD’s, copied from another namespace', web, argo('shop:apps/Deployment:test/web'), undefined],
    ['Flux’s, of a Kustomization', web, { labels: { 'kustomize.toolkit.fluxcd.io/name': 'shop', 'kustomize.toolkit.fluxcd.io/namespace': 'flux-system' } }, 'Flux (flux-system/shop)'],
    ['Flux’s, of a HelmRelease', web, { labels: { 'helm.toolkit.fluxcd.io/name': 'shop', 'helm.toolkit.fluxcd.io/namespace': 'flux-system' } }, 'Flux (flux-system/shop)'],
    ['half of Flux’s', web, { labels: { 'helm.toolkit.fluxcd.io/name': 'shop' } }, undefined],
    ['a label that everybody uses', web, { labels: { 'app.kubernetes.io/instance': 'shop' } }, undefined],
  ])('%s', (_name, bare, metadata, wanted) => {
    expect(liveFacts({ ...bare, metadata: { ...bare.metadata, ...metadata } }, { status: 'Healthy' }).toolMark).toBe(wanted);
  });
});
