import { expect, test } from 'vitest';
import { claimPatch } from '../../../../src/cluster/write/claim-fields.ts';
import type { JsonObject, KubeObject } from '../../../../src/model/index.ts';

const wanted: KubeObject = { apiVersion: 'apps/v1', kind: 'Deployment', metadata: { name: 'web' }, spec: { strategy: { type: 'Recreate' } } };
const fields = [['spec', 'strategy', 'rollingUpdate']];
const own = { manager: 'setpoint', operation: 'Apply', apiVersion: 'apps/v1', fieldsType: 'FieldsV1', time: '2026-01-01T00:00:00Z', fieldsV1: { 'f:spec': { 'f:replicas': {} } } };
const limits = { 'f:spec': { 'f:strategy': { 'f:rollingUpdate': { 'f:maxSurge': {} } } } };
const entry = (manager: string, fieldsV1: JsonObject, more: JsonObject = {}): JsonObject => ({ ...own, manager, operation: 'Update', fieldsV1, ...more });

function live(managedFields: readonly JsonObject[], spec: JsonObject = { strategy: { type: 'RollingUpdate', rollingUpdate: { maxSurge: 1 } } }): KubeObject {
  return { ...wanted, metadata: { name: 'web', resourceVersion: '7', managedFields }, spec };
}

function entriesAfter(managedFields: readonly JsonObject[]): unknown {
  return claimPatch({ live: live(managedFields), wanted, fields })?.map(({ path, ...operation }) => [path, 'value' in operation ? operation.value : undefined]);
}

const claimed = { 'f:spec': { 'f:replicas': {}, 'f:strategy': { 'f:rollingUpdate': { '.': {} } } } };

test.each<[string, readonly JsonObject[], readonly JsonObject[]]>([
  ['what nobody holds, beside what is ours', [own], [{ ...own, fieldsV1: claimed }]],
  ['what nobody holds, where nothing is ours yet', [], [{ manager: 'setpoint', operation: 'Apply', apiVersion: 'apps/v1', fieldsType: 'FieldsV1', fieldsV1: { 'f:spec': { 'f:strategy': { 'f:rollingUpdate': { '.': {} } } } } }]],
  ['the whole of what we hold in part', [{ ...own, fieldsV1: limits }], [{ ...own, fieldsV1: { 'f:spec': { 'f:strategy': { 'f:rollingUpdate': { 'f:maxSurge': {}, '.': {} } } } } }]],
  ['what people hold, who keep what else they hold', [own, entry('kubectl-edit', { 'f:spec': { ...limits['f:spec'], 'f:paused': {} } })], [entry('kubectl-edit', { 'f:spec': { 'f:paused': {} } }), { ...own, fieldsV1: claimed }]],
  ['all that people hold', [own, entry('kubectl-edit', limits)], [{ ...own, fieldsV1: claimed }]],
  ['what nobody holds beside what software does', [own, entry('tuner', { 'f:spec': { 'f:strategy': { 'f:type': {} } } })], [entry('tuner', { 'f:spec': { 'f:strategy': { 'f:type': {} } } }), { ...own, fieldsV1: claimed }]],
])('%s is claimed, of the object as it was seen', (_name, before, after) => {
  expect(entriesAfter(before)).toEqual([
    ['/metadata/managedFields', after],
    ['/metadata/resourceVersion', '7'],
  ]);
});

test.each<[string, readonly JsonObject[]]>([
  ['software holds', [own, entry('tuner', limits)]],
  ['another tool applies', [own, entry('kubectl', limits, { operation: 'Apply' })]],
  ['somebody holds as a part of a whole', [own, entry('tuner', { 'f:spec': { 'f:strategy': {} } })]],
  ['we hold under another version', [{ ...own, apiVersion: 'apps/v1beta2' }]],
])('what %s is not', (_name, before) => {
  expect(entriesAfter(before)).toBeUndefined();
});

test.each<[string, KubeObject, KubeObject, readonly (readonly string[])[]]>([
  ['what Git has', live([own]), { ...wanted, spec: { strategy: { rollingUpdate: {} } } }, fields],
  ['what is not live', live([own], {}), wanted, fields],
  ['metadata', live([own]), wanted, [['metadata', 'resourceVersion']]],
  ['nothing', live([own]), wanted, []],
])('nor is %s', (_name, seen, git, named) => {
  expect(claimPatch({ live: seen, wanted: git, fields: named })).toBeUndefined();
});
