import { applicationKind, resourceKey, type ResourceKey } from '../../model/index.ts';
import type { PruneGuard } from './doomed.ts';

const definition: ResourceKey = resourceKey({
  group: 'apiextensions.k8s.io',
  kind: 'CustomResourceDefinition',
  namespace: '',
  name: `${applicationKind.resource}.${applicationKind.group}`,
});

/** With any of these gone, nobody would be left to put them back. */
export const notOurselves: PruneGuard = ({ key }, { application, self }) => {
  const own = resourceKey({ group: applicationKind.group, kind: applicationKind.kind, namespace: application.namespace ?? '', name: application.name });
  if (key !== own && key !== definition && self?.has(key) !== true) return undefined;
  return { code: 'NotOurs', why: 'Setpoint itself needs it, and does not delete it' };
};
