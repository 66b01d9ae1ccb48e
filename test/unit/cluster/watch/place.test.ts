import { describe, expect, test } from 'vitest';
import { describePlace, keyIn, placeId, planPlaces, queryOf, type Declared, type Place } from '../../../../src/cluster/watch/place.ts';
import { resourceKey, type KubeObject, type ServedKind } from '../../../../src/model/index.ts';

const kind = (more: Partial<ServedKind>): ServedKind => ({ group: '', version: 'v1', kind: 'ConfigMap', resource: 'configmaps', namespaced: true, hasStatus: false, ...more });
const configMaps = kind({});
const secrets = kind({ kind: 'Secret', resource: 'secrets' });
const deployments = kind({ group: 'apps', kind: 'Deployment', resource: 'deployments' });
const clusterRoles = kind({ group: 'rbac.authorization.k8s.io', kind: 'ClusterRole', resource: 'clusterroles', namespaced: false });

const declared = (of: ServedKind, namespace: string, name: string): Declared => ({ kind: of, key: resourceKey({ group: of.group, kind: of.kind, namespace, name }) });
const spread = (of: ServedKind, namespaces: number): readonly Declared[] => Array.from({ length: namespaces }, (_, at) => declared(of, `ns-${at}`, 'a'));
const ids = (objects: readonly Declared[], scope: { wide?: readonly string[]; confined?: readonly string[] } = {}): readonly string[] => [
  ...new Set([...planPlaces(objects, { wide: new Set(scope.wide), confined: new Set(scope.confined) }).values()].map(placeId)),
];

describe('objects are watched', () => {
  test('in their namespaces while these are few', () => {
    expect(ids([declared(configMaps, 'shop', 'a'), declared(configMaps, 'shop', 'b'), declared(deployments, 'shop', 'a'), declared(configMaps, 'bank', 'a')])).toEqual([
      '/api/v1/namespaces/shop/configmaps',
      '/api/v1/namespaces/bank/configmaps',
      '/apis/apps/v1/namespaces/shop/deployments',
    ]);
    expect(ids(spread(configMaps, 8))).toHaveLength(8);
  });

  test('in the whole cluster where these are many, and only those kinds', () => {
    expect(ids([...spread(configMaps, 9), ...spread(deployments, 1)])).toEqual(['/api/v1/configmaps', '/apis/apps/v1/namespaces/ns-0/deployments']);
  });

  test('in the whole cluster for as long as they are not much fewer again', () => {
    const wide = ['/api/v1/configmaps'];
    expect(ids(spread(configMaps, 5), { wide })).toEqual(wide);
    expect(ids(spread(configMaps, 4), { wide })).toHaveLength(4);
  });

  test('in their namespaces where the whole cluster may not be listed', () => {
    expect(ids(spread(configMaps, 20), { confined: ['/api/v1/configmaps'] })).toHaveLength(20);
  });

  test('once, where they have no namespace', () => {
    expect(ids([declared(clusterRoles, '', 'a'), declared(clusterRoles, '', 'b')])).toEqual(['/apis/rbac.authorization.k8s.io/v1/clusterroles']);
  });

  test('each by itself, where they are Secrets', () => {
    const plan = planPlaces([...spread(secrets, 10), declared(secrets, 'ns-0', 'b')], { wide: new Set(), confined: new Set() });
    expect(new Set([...plan.values()].map(placeId)).size).toBe(11);
    expect([...plan.values()].map(queryOf)).toContainEqual({ fieldSelector: 'metadata.name=b' });
  });
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
