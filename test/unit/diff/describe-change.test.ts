import { expect, test } from 'vitest';
import { describeChange } from '../../../src/diff/index.ts';
import type { Json, JsonObject, KubeObject } from '../../../src/model/index.ts';

interface Entry {
  readonly manager: string;
  readonly fields: JsonObject;
  readonly time?: string;
  readonly subresource?: string;
}

function object(spec: JsonObject, entries: readonly Entry[], more: JsonObject = {}): KubeObject {
  const managedFields = entries.map(({ manager, fields, time, subresource }): Json => ({
    ...{ manager, operation: 'Update', fieldsV1: { 'f:spec': fields } },
    ...(time === undefined ? {} : { time }),
    ...(subresource === undefined ? {} : { subresource }),
  }));
  return { apiVersion: 'v1', kind: 'X', metadata: { name: 'a', resourceVersion: '1', managedFields }, spec, ...more };
}

const replicas: JsonObject = { 'f:replicas': {} };
const image: JsonObject = { 'f:containers': { 'k:{"name":"web"}': { 'f:image': {} } } };
const spec = (count: number, tag: string): JsonObject => ({ replicas: count, containers: [{ name: 'side' }, { name: 'web', image: tag }] });

const both: Entry = { manager: 'setpoint', fields: { ...replicas, ...image }, time: 't1' };

test.each<[string, KubeObject, KubeObject, readonly string[], readonly string[]]>([
  [
    'somebody new, and not the one who lost the field to them',
    object(spec(1, 'a'), [both]),
    object(spec(3, 'a'), [{ ...both, fields: image }, { manager: 'kubectl', fields: replicas, subresource: 'scale' }]),
    ['kubectl'],
    ['spec.replicas'],
  ],
  ['somebody again, at another time', object(spec(1, 'a'), [both]), object(spec(1, 'b'), [{ ...both, time: 't2' }]), ['setpoint'], ['spec.containers[name=web].image']],
  ['somebody again within the second: who holds the field', object(spec(1, 'a'), [both]), object(spec(1, 'b'), [both]), ['setpoint'], ['spec.containers[name=web].image']],
  ['a field that goes, by the time of the one who took it', object(spec(1, 'a'), [both]), object({ containers: spec(1, 'a')['containers'] ?? [] }, [{ ...both, fields: image, time: 't2' }]), ['setpoint'], ['spec.replicas']],
  ['a field that goes without a trace', object(spec(1, 'a'), [both]), object({ containers: spec(1, 'a')['containers'] ?? [] }, [{ ...both, fields: image }]), [], ['spec.replicas']],
  ['status alone is no change', object(spec(1, 'a'), [both], { status: { a: 1 } }), object(spec(1, 'a'), [both, { manager: 'kcm', fields: {}, time: 't3', subresource: 'status' }], { status: { a: 2 } }), [], []],
])('%s', (_name, before, after, writers, paths) => {
  const change = describeChange(before, after);
  expect(change.writers.map(({ manager }) => manager)).toEqual(writers);
  expect(change.paths).toEqual(paths);
});
