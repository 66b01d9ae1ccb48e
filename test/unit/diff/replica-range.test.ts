import { describe, expect, test } from 'vitest';
import { isScaled, replicaRange } from '../../../src/diff/index.ts';
import type { JsonObject, KubeObject } from '../../../src/model/index.ts';

const web = (replicas?: number): KubeObject => ({ apiVersion: 'apps/v1', kind: 'Deployment', metadata: { name: 'web', namespace: 'shop' }, spec: replicas === undefined ? {} : { replicas } });

function autoscaler(target: JsonObject = {}, more: { readonly spec?: JsonObject; readonly metadata?: JsonObject } = {}): KubeObject {
  const scaleTargetRef = { apiVersion: 'apps/v1', kind: 'Deployment', name: 'web', ...target };
  return { apiVersion: 'autoscaling/v2', kind: 'HorizontalPodAutoscaler', metadata: { name: 'web-hpa', namespace: 'shop', ...more.metadata }, spec: { scaleTargetRef, minReplicas: 2, maxReplicas: 5, ...more.spec } };
}

describe('whose replicas an autoscaler chooses', () => {
  test.each([
    ['the object that it names', autoscaler(), { autoscaler: 'web-hpa', least: 2, most: 5 }],
    ['the same by another version of its group', autoscaler({ apiVersion: 'apps/v1beta1' }), { autoscaler: 'web-hpa', least: 2, most: 5 }],
    ['with no least number: one', { ...autoscaler(), spec: { scaleTargetRef: { apiVersion: 'apps/v1', kind: 'Deployment', name: 'web' }, maxReplicas: 5 } }, { autoscaler: 'web-hpa', least: 1, most: 5 }],
    ['not one of another name', autoscaler({ name: 'api' }), undefined],
    ['not one of another kind', autoscaler({ kind: 'StatefulSet' }), undefined],
    ['not one of another group', autoscaler({ apiVersion: 'example.com/v1' }), undefined],
    ['not one of another namespace', autoscaler({}, { metadata: { namespace: 'other' } }), undefined],
    ['not by one that is being deleted', autoscaler({}, { metadata: { deletionTimestamp: '2026-03-02T12:00:00Z' } }), undefined],
    ['not by one that has no limit', autoscaler({}, { spec: { maxReplicas: null } }), undefined],
  ])('%s', (_name, given, range) => {
    expect(replicaRange(web(), [autoscaler({ name: 'another' }), given])).toEqual(range);
  });
});

describe('what an autoscaler has chosen', () => {
  const range = { autoscaler: 'web-hpa', least: 2, most: 5 };
  test.each([
    { wanted: 1, live: 2, is: true },
    { wanted: 1, live: 5, is: true },
    { wanted: 9, live: 3, is: true },
    { wanted: 3, live: 3, is: false },
    { wanted: 1, live: 6, is: false },
    { wanted: 3, live: 1, is: false },
    { wanted: 3, live: 0, is: false },
    { wanted: undefined, live: 3, is: false },
    { wanted: 3, live: undefined, is: false },
  ])('Git says $wanted, live has $live: $is', ({ wanted, live, is }) => {
    expect(isScaled(web(wanted), web(live), range)).toBe(is);
  });
});
