import { applicationKind, parseResourceKey, resourceKey, type ResourceKey } from '../model/index.ts';
import type { LiveFacts } from './live-facts.ts';
import type { PlanInput } from './plan-input.ts';

/** Why it is never deleted, whoever confirms it. */
export const neededHere = 'Setpoint itself needs it, and does not delete it';

/**
 * Whether the agent, or the application itself, would be gone with it: then nobody would be left to put it back. The definitions of our kinds, the namespaces that
 * both live in, and what is labelled as a part of Setpoint, in those namespaces or in none.
 */
export function isOfSetpoint(key: ResourceKey, facts: Pick<LiveFacts, 'partOf'> | undefined, { application, self }: Pick<PlanInput, 'application' | 'self'>): boolean {
  const { group, kind, namespace, name } = parseResourceKey(key);
  const own = resourceKey({ group: applicationKind.group, kind: applicationKind.kind, namespace: application.namespace ?? '', name: application.name });
  const isDefinition = group === 'apiextensions.k8s.io' && kind === 'CustomResourceDefinition' && name.endsWith(`.${applicationKind.group}`);
  if (key === own || isDefinition || self?.has(key) === true) return true;
  return facts?.partOf === 'setpoint' && (namespace === '' || self?.has(namespaceKey(namespace)) === true);
}

export function namespaceKey(name: string): ResourceKey {
  return resourceKey({ group: '', kind: 'Namespace', namespace: '', name });
}
