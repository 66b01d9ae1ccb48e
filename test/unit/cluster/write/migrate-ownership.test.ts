import { describe, expect, test } from 'vitest';
import { ownershipPatch } from '../../../../src/cluster/write/migrate-ownership.ts';
import type { JsonObject, KubeObject } from '../../../../src/model/index.ts';

const record = 'kubectl.kubernetes.io/last-applied-configuration';
const applied = { apiVersion: 'apps/v1', kind: 'Deployment', metadata: { name: 'web', annotations: { team: 'a' }, labels: { app: 'web' } }, spec: { replicas: 1, strategy: { type: 'Recreate' } } };

function entry(manager: string, fieldsV1: JsonObject, more: JsonObject = {}): JsonObject {
  return { manager, operation: 'Update', apiVersion: 'apps/v1', fieldsType: 'FieldsV1', time: '2026-01-01T00:00:00Z', fieldsV1, ...more };
}

const clientSide = entry('kubectl-client-side-apply', {
  'f:metadata': { 'f:annotations': { '.': {}, [`f:${record}`]: {}, 'f:team': {} }, 'f:labels': { '.': {}, 'f:app': {} } },
  'f:spec': { 'f:replicas': {}, 'f:revisionHistoryLimit': {}, 'f:strategy': { 'f:type': {}, 'f:rollingUpdate': { '.': {}, 'f:maxSurge': {} } } },
});

function live(managedFields: readonly JsonObject[], metadata: JsonObject = {}): KubeObject {
  return { ...applied, metadata: { name: 'web', resourceVersion: '7', annotations: { [record]: JSON.stringify(applied) }, managedFields, ...metadata } };
}

function movedOf(object: KubeObject): { readonly ours: JsonObject | undefined; readonly others: readonly JsonObject[] } {
  const [fields, version] = ownershipPatch(object) ?? [];
  expect(version).toEqual({ op: 'replace', path: '/metadata/resourceVersion', value: '7' });
  expect(fields).toMatchObject({ op: 'replace', path: '/metadata/managedFields' });
  const entries = (fields as unknown as { readonly value: readonly JsonObject[] }).value;
  return { ours: entries.find(({ manager }) => manager === 'setpoint'), others: entries.filter(({ manager }) => manager !== 'setpoint') };
}

describe('what the record names', () => {
  test('becomes ours, with all below it, and the rest stays with kubectl', () => {
    const { ours, others } = movedOf(live([clientSide]));
    expect(ours).toMatchObject({
      operation: 'Apply',
      apiVersion: 'apps/v1',
      fieldsType: 'FieldsV1',
      fieldsV1: {
        'f:metadata': { 'f:annotations': { '.': {}, [`f:${record}`]: {}, 'f:team': {} }, 'f:labels': { '.': {}, 'f:app': {} } },
        'f:spec': { 'f:replicas': {}, 'f:strategy': { 'f:type': {}, 'f:rollingUpdate': { '.': {}, 'f:maxSurge': {} } } },
      },
    });
    expect(others).toEqual([{ ...clientSide, fieldsV1: { 'f:spec': { 'f:revisionHistoryLimit': {} } } }]);
  });

  test('a map stays with kubectl where something in it does', () => {
    const labels = { '.': {}, 'f:app': {}, 'f:added': {} };
    const { ours, others } = movedOf(live([entry('kubectl-replace', { 'f:metadata': { 'f:labels': labels } })]));
    expect(ours?.['fieldsV1']).toEqual({ 'f:metadata': { 'f:labels': { 'f:app': {} } } });
    expect(others).toMatchObject([{ fieldsV1: { 'f:metadata': { 'f:labels': { '.': {}, 'f:added': {} } } } }]);
  });

  test('an entry of which nothing stays is gone', () => {
    const only = entry('kubectl-client-side-apply', { 'f:spec': { 'f:replicas': {} } });
    expect(movedOf(live([only])).others).toEqual([]);
  });

  test('what several whole writes hold is joined, and entries of others stay as they are', () => {
    const created = entry('kubectl-create', { 'f:spec': { 'f:replicas': {} } });
    const patched = entry('kubectl-client-side-apply', { 'f:spec': { 'f:strategy': { 'f:type': {} } } });
    const edited = entry('kubectl-edit', { 'f:spec': { 'f:paused': {} } });
    const status = entry('kubectl-client-side-apply', { 'f:status': {} }, { subresource: 'status' });
    const controller = entry('kube-controller-manager', { 'f:status': { 'f:replicas': {} } }, { subresource: 'status' });
    const { ours, others } = movedOf(live([created, patched, edited, status, controller]));
    expect(ours?.['fieldsV1']).toEqual({ 'f:spec': { 'f:replicas': {}, 'f:strategy': { 'f:type': {} } } });
    expect(others).toEqual([edited, status, controller]);
  });

  test('an old kubectl, which goes by that name alone, is known by the record that it keeps', () => {
    const old = entry('kubectl', { 'f:metadata': { 'f:annotations': { [`f:${record}`]: {} } }, 'f:spec': { 'f:replicas': {} } });
    expect(movedOf(live([old])).ours?.['fieldsV1']).toMatchObject({ 'f:spec': { 'f:replicas': {} } });
  });
});

describe('nothing is to be done', () => {
  test.each<[string, KubeObject]>([
    ['without a record', live([clientSide], { annotations: {} })],
    ['with a record that cannot be read', live([clientSide], { annotations: { [record]: '{' } })],
    ['where nobody applied client-side', live([entry('kubectl-edit', { 'f:spec': { 'f:replicas': {} } })])],
    ['where we have applied before', live([clientSide, entry('setpoint', { 'f:spec': {} }, { operation: 'Apply' })])],
    ['where Argo CD holds something', live([clientSide, entry('argocd-controller', { 'f:spec': {} })])],
    ['where Flux holds something', live([clientSide, entry('kustomize-controller', { 'f:spec': {} }, { operation: 'Apply' })])],
    ['where another of us holds something', live([clientSide, entry('setpoint-staging', { 'f:spec': {} }, { operation: 'Apply' })])],
    ['where Argo CD has left its mark', live([clientSide], { annotations: { [record]: JSON.stringify(applied), 'argocd.argoproj.io/tracking-id': 'x' } })],
    ['where Flux has left its mark', live([clientSide], { labels: { 'kustomize.toolkit.fluxcd.io/name': 'x' } })],
    ['where the record is of another version', live([entry('kubectl-client-side-apply', { 'f:spec': { 'f:replicas': {} } }, { apiVersion: 'extensions/v1beta1' })])],
    ['where the server keeps no managed fields', live([])],
    ['where nothing of what is held is in the record', live([entry('kubectl-create', { 'f:spec': { 'f:paused': {} } })])],
  ])('%s', (_where, object) => {
    expect(ownershipPatch(object)).toBeUndefined();
  });
});
