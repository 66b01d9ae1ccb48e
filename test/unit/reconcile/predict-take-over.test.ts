import { expect, test } from 'vitest';
import type { JsonObject, KubeObject, Schema } from '../../../src/model/index.ts';
import type { Comparison } from '../../../src/reconcile/comparison.ts';
import type { Prediction, Reading } from '../../../src/reconcile/ports.ts';
import { predictTakeOver } from '../../../src/reconcile/predict-take-over.ts';

const text: Schema = { type: 'scalar', format: 'plain' };
const struct = (fields: Readonly<Record<string, Schema>>): Schema => ({ type: 'struct', atomic: false, open: false, builtIn: true, fields: new Map(Object.entries(fields).map(([name, schema]) => [name, { schema }])) });
const schema = struct({ spec: struct({ one: struct({ a: text }), other: struct({ a: text }) }) });
const probe = (spec: JsonObject, metadata: JsonObject = {}): KubeObject => ({ apiVersion: 'v1', kind: 'Probe', metadata: { name: 'web', namespace: 'shop', ...metadata }, spec });
const annotations = { 'kubectl.kubernetes.io/last-applied-configuration': JSON.stringify(probe({ one: { a: '1' } })) };
const managedFields = [{ manager: 'kubectl-client-side-apply', operation: 'Update', apiVersion: 'v1', fieldsType: 'FieldsV1', fieldsV1: { 'f:spec': { 'f:one': { '.': {}, 'f:a': {} } } } }];
const live = { key: '/Probe/shop/web', object: probe({ one: { a: '1' } }, { annotations, managedFields }), resourceVersion: '7' };
const refused = { type: 'invalid', message: 'the server rejected our request due to an error in our request' } as const;
const untried: Prediction = { type: 'unknown', code: 'ClusterError', message: 'the server is away' };
const predicted: Prediction = { type: 'predicted', object: probe({ other: { a: '1' } }) };

test.each<[string, Prediction, Reading, unknown]>([
  ['what the patch gives where the server takes it', predicted, { type: 'unknown', code: 'ClusterError', message: 'nobody asks' }, { predicted: predicted.object, dropped: ['/spec/one'] }],
  ['the refusal where it is refused too and the object is the one that was read', { ...refused, message: 'canary' }, { type: 'live', live } as Reading, refused],
  ['why it is not known where the patch cannot be tried', untried, { type: 'live', live } as Reading, untried],
  ['that it is to be read again where somebody wrote in between', refused, { type: 'live', live: { ...live, resourceVersion: '8' } } as Reading, 'unsettled'],
  ['that it is to be read again where it is gone by then', refused, { type: 'absent' }, 'unsettled'],
])('what the first apply takes over of kubectl: %s', async (_name, patched, now, wanted) => {
  const cluster = { predictPatch: () => Promise.resolve(patched), read: () => Promise.resolve(now) };
  const desired = probe({ other: { a: '1' } });
  const comparison = { target: { manifest: { object: desired } }, wanted: desired, live, known: { schema }, context: { cluster, signal: new AbortController().signal }, ignores: undefined } as unknown as Comparison;
  expect(await predictTakeOver(comparison, refused)).toEqual(wanted);
});
