import { describe, expect, test } from 'vitest';
import { describePlace, keyIn, placeFor, placeId, queryOf, type Declared, type Place } from '../../../../src/cluster/watch/place.ts';
import { createSpread, type Spread } from '../../../../src/cluster/watch/spread.ts';
import { resourceKey, type KubeObject, type ServedKind } from '../../../../src/model/index.ts';

const kind = (more: Partial<ServedKind>): ServedKind => ({ group: '', version: 'v1', kind: 'ConfigMap', resource: 'configmaps', namespaced: true, hasStatus: false, ...more });
const configMaps = kind({});
const secrets = kind({ kind: 'Secret', resource: 'secrets' });
const deployments = kind({ group: 'apps', kind: 'Deployment', resource: 'deployments' });
const clusterRoles = kind({ group: 'rbac.authorization.k8s.io', kind: 'ClusterRole', resource: 'clusterroles', namespaced: false });

const declared = (of: ServedKind, namespace: string, name: string): Declared => ({ kind: of, key: resourceKey({ group: of.group, kind: of.kind, namespace, name }) });

describe('objects of a kind are watched', () => {
  const inNamespaces = (spread: Spread, count: number): Spread => {
    for (const key of spread.keys) spread.remove(key);
    for (let at = 0; at < count; at += 1) for (const name of ['a', 'b']) spread.add(declared(configMaps, `ns-${at}`, name).key);
    return spread;
  };

  test('in their namespaces while these are few, and in the whole cluster where they are many', () => {
    const few = inNamespaces(createSpread(), 8);
    expect([few.settle(), few.scope()]).toEqual([false, 'namespace']);
    const many = inNamespaces(createSpread(), 9);
    expect([many.settle(), many.scope()]).toEqual([true, 'cluster']);
  });

  test('in the whole cluster for as long as they are not much fewer again', () => {
    const spread = inNamespaces(createSpread(), 9);
    spread.settle();
    expect([inNamespaces(spread, 5).settle(), spread.scope()]).toEqual([false, 'cluster']);
    expect([inNamespaces(spread, 4).settle(), spread.scope()]).toEqual([true, 'namespace']);
  });

  test('in their namespaces where the whole cluster may not be listed', () => {
    const spread = inNamespaces(createSpread(), 20);
    spread.settle();
    spread.confine();
    expect([spread.settle(), spread.scope()]).toEqual([true, 'namespace']);
  });
});

test.each<[Declared, 'cluster' | 'namespace', string]>([
  [declared(configMaps, 'shop', 'a'), 'namespace', '/api/v1/namespaces/shop/configmaps'],
  [declared(configMaps, 'shop', 'a'), 'cluster', '/api/v1/configmaps'],
  [declared(clusterRoles, '', 'a'), 'namespace', '/apis/rbac.authorization.k8s.io/v1/clusterroles'],
])('an object is watched with others: %#', (object, scope, path) => {
  expect(placeId(placeFor(object, scope))).toBe(path);
});

test('a Secret is watched by itself', () => {
  const place = placeFor(declared(secrets, 'ns-0', 'b'), 'cluster');
  expect([placeId(place), queryOf(place)]).toEqual(['/api/v1/namespaces/ns-0/secrets/b', { fieldSelector: 'metadata.name=b' }]);
});

test.each<[Place, string]>([
  [{ kind: deployments, namespace: 'shop' }, 'deployments.apps in namespace shop'],
  [{ kind: deployments }, 'deployments.apps in all namespaces'],
  [{ kind: clusterRoles }, 'clusterroles.rbac.authorization.k8s.io'],
  [{ kind: secrets, namespace: 'shop', name: 'keys' }, 'secrets keys in namespace shop'],
])('a place is described for people: %#', (place, text) => {
  expect(describePlace(place)).toBe(text);
});

test('an object has the key that its kind gives it, whatever version it is shown in', () => {
  const object = { apiVersion: 'apps/v1beta1', kind: 'Deployment', metadata: { name: 'web', namespace: 'shop' } } as KubeObject;
  expect(keyIn({ kind: deployments }, object)).toBe('apps/Deployment/shop/web');
});
