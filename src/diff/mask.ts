import { groupOf, isObject, isSecretKind, type Json, type JsonObject, type KubeObject } from '../model/index.ts';

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
  const masked = { ...object, metadata: maskAnnotations(object.metadata, side) };
  for (const field of ['data', 'stringData'] as const) {
    if (object[field] !== undefined) Object.assign(masked, { [field]: maskValues(object[field], { ...side, others: side.other?.[field], isShown: () => false }) });
  }
  return masked;
}

/** Tools that keep no copy of an object in its annotations, as many others do; such a copy may have values that the Secret has no more. */
const shownAnnotations = /^(?:setpoint\.dev|argocd\.argoproj\.io|helm\.sh|meta\.helm\.sh|cert-manager\.io)\/|^kubernetes\.io\/service-account\.(?:name|uid)$/;

function maskAnnotations<Metadata extends JsonObject>(metadata: Metadata, side: Side): Metadata {
  const { annotations } = metadata;
  if (annotations === undefined || annotations === null) return metadata;
  const others = side.other?.metadata['annotations'];
  return { ...metadata, annotations: maskValues(annotations, { ...side, others, isShown: (key) => shownAnnotations.test(key) }) };
}

interface Values extends Side {
  readonly others: Json | undefined;
  readonly isShown: (key: string) => boolean;
}

function maskValues(values: Json, { others, isShown, side, tag }: Values): Json {
  // A Secret whose data is no object is a mistake that may itself be the secret.
  if (!isObject(values)) return '***';
  return Object.fromEntries(
    Object.entries<Json>(values).map(([key, value]) => {
      if (isShown(key)) return [key, value];
      const other = isObject(others) && Object.hasOwn(others, key) ? others[key] : undefined;
      if (other === value) return [key, '***'];
      // The side is named too: tags are short, and two values that differ must never look the same.
      return [key, other === undefined ? `*** (${tag(value)})` : `*** (${side}, ${tag(value)})`];
    }),
  );
}
