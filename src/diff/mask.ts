import { groupOf, isObject, isSecretKind, type Json, type KubeObject } from '../model/index.ts';

export function isSecret(object: Pick<KubeObject, 'apiVersion' | 'kind'>): boolean {
  return isSecretKind({ group: groupOf(object.apiVersion), kind: object.kind });
}

/** A short mark that is the same for equal values, keyed anew in every process: it cannot be guessed from, nor linked later. */
export type Tag = (value: Json) => string;

interface Side {
  readonly other: KubeObject | undefined;
  readonly side: 'before' | 'after';
  readonly tag: Tag;
}

/** Shows which keys of a Secret differ and nothing of their values, not even their length. */
export function maskSecret(object: KubeObject, side: Side): KubeObject {
  if (!isSecret(object)) return object;
  const masked = { ...object };
  for (const field of ['data', 'stringData'] as const) {
    if (object[field] !== undefined) Object.assign(masked, { [field]: maskValues(object[field], side.other?.[field], side) });
  }
  return masked;
}

function maskValues(values: Json, others: Json | undefined, { side, tag }: Side): Json {
  // A Secret whose data is no object is a mistake that may itself be the secret.
  if (!isObject(values)) return '***';
  return Object.fromEntries(
    Object.entries<Json>(values).map(([key, value]) => {
      const other = isObject(others) && Object.hasOwn(others, key) ? others[key] : undefined;
      if (other === value) return [key, '***'];
      // The side is named too: tags are short, and two values that differ must never look the same.
      return [key, other === undefined ? `*** (${tag(value)})` : `*** (${side}, ${tag(value)})`];
    }),
  );
}
