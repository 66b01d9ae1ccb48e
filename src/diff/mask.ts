import { groupOf, isObject, isSecretKind, type Json, type KubeObject } from '../model/index.ts';

export function isSecret(object: Pick<KubeObject, 'apiVersion' | 'kind'>): boolean {
  return isSecretKind({ group: groupOf(object.apiVersion), kind: object.kind });
}

/** Shows which keys of a Secret differ and nothing of their values, not even their length. */
export function maskSecret(object: KubeObject, other: KubeObject | undefined, side: 'before' | 'after'): KubeObject {
  if (!isSecret(object)) return object;
  const masked = { ...object };
  for (const field of ['data', 'stringData'] as const) {
    if (object[field] === undefined) continue;
    Object.assign(masked, { [field]: maskValues(object[field], other?.[field], side) });
  }
  return masked;
}

function maskValues(values: Json, others: Json | undefined, side: 'before' | 'after'): Json {
  // A Secret whose data is no object is a mistake that may itself be the secret.
  if (!isObject(values)) return '***';
  return Object.fromEntries(
    Object.entries<Json>(values).map(([key, value]) => {
      const other = isObject(others) && Object.hasOwn(others, key) ? others[key] : undefined;
      return [key, other === undefined || other === value ? '***' : `*** (${side})`];
    }),
  );
}
