import { describe, expect, test } from 'vitest';
import { trackingAnnotation, type KubeObject } from '../../../src/model/index.ts';
import { hookRunAnnotation, liveFacts, trackingId } from '../../../src/plan/index.ts';
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
