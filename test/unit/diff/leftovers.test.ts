import { describe, expect, test } from 'vitest';
import { leftoversIn, leftoversOf, revertible } from '../../../src/diff/index.ts';
import type { JsonObject, KubeObject } from '../../../src/model/index.ts';

const restartedAt = 'kubectl.kubernetes.io/restartedAt';

function object(parts: JsonObject, entries: readonly JsonObject[] = [], metadata: JsonObject = {}): KubeObject {
  return { apiVersion: 'apps/v1', kind: 'Deployment', metadata: { name: 'a', namespace: 'shop', ...metadata, managedFields: entries }, ...parts };
}

const held = (manager: string, fieldsV1: JsonObject, operation = 'Update'): JsonObject => ({ manager, operation, fieldsV1 });
const labels = (...names: readonly string[]): JsonObject => ({ 'f:metadata': { 'f:labels': { '.': {}, ...Object.fromEntries(names.map((name) => [`f:${name}`, {}])) } } });
const podAnnotations = (...names: readonly string[]): JsonObject => ({ 'f:spec': { 'f:template': { 'f:metadata': { 'f:annotations': { '.': {}, ...Object.fromEntries(names.map((name) => [`f:${name}`, {}])) } } } } });
const desired = object({ spec: { template: { metadata: {} } } });

describe('what people added may go', () => {
  test.each<[string, KubeObject, readonly string[]]>([
    ['a label', object({}, [held('kubectl-label', labels('x'))], { labels: { x: '1' } }), ['/metadata/labels']],
    ['of a map that others write to, only what is theirs', object({}, [held('kubectl-label', labels('x')), held('operator', labels('y'))], { labels: { x: '1', y: '2' } }), ['/metadata/labels/x']],
    ['not what a controller holds too', object({}, [held('kubectl-label', labels('x')), held('operator', labels('x'))], { labels: { x: '1' } }), []],
    ['not what another applies too', object({}, [held('kubectl-label', labels('x')), held('helm', labels('x'), 'Apply')], { labels: { x: '1' } }), []],
    ['not what we hold', object({}, [held('kubectl-label', labels('x')), held('setpoint', labels('x'), 'Apply')], { labels: { x: '1' } }), []],
    ['not a restart', object({ spec: { template: { metadata: { annotations: { [restartedAt]: 'now' } } } } }, [held('kubectl-rollout', podAnnotations(restartedAt))]), []],
    ['what is beside a restart', object({ spec: { template: { metadata: { annotations: { [restartedAt]: 'now', x: '1' } } } } }, [held('kubectl-edit', podAnnotations(restartedAt, 'x'))]), ['/spec/template/metadata/annotations/x']],
    ['not a finalizer', object({}, [held('kubectl-edit', { 'f:metadata': { 'f:finalizers': { '.': {}, 'v:"example.com/x"': {} } } })], { finalizers: ['example.com/x'] }), []],
    ['not an owner', object({}, [held('kubectl-edit', { 'f:metadata': { 'f:ownerReferences': { '.': {}, 'k:{"uid":"1"}': {} } } })], { ownerReferences: [{ uid: '1', name: 'x' }] }), []],
  ])('%s', (_name, live, expected) => {
    expect(revertible(desired, live, { hasStatus: true })).toEqual(expected);
  });
});

describe('where leftovers are after an apply', () => {
  const env = (...names: readonly string[]): JsonObject => ({ spec: { env: names.map((name) => ({ name, value: '1' })) } });
  const owned = (manager: string): JsonObject => held(manager, { 'f:spec': { 'f:env': { '.': {}, 'k:{"name":"x"}': { '.': {}, 'f:name': {}, 'f:value': {} } } } });
  const leftovers = leftoversOf(object(env('a', 'x')), ['/spec/env/1']);

  test.each<[string, KubeObject, readonly string[]]>([
    ['where they were', object(env('a', 'x'), [owned('kubectl-edit')]), ['/spec/env/1']],
    ['not where something else is by now', object(env('x', 'a'), [owned('kubectl-edit')]), []],
    ['not where nothing is', object(env('a'), [owned('kubectl-edit')]), []],
    ['not where software has come to hold it', object(env('a', 'x'), [owned('kubectl-edit'), owned('operator')]), []],
    ['not where nobody is on record', object(env('a', 'x')), []],
  ])('%s', (_name, applied, expected) => {
    expect(leftoversIn(applied, leftovers)).toEqual(expected);
  });
});
