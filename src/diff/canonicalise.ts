import { entriesOf, isObject, type Json, type KubeObject, type ServedKind } from '../model/index.ts';
import { canonicalBase64 } from './base64.ts';
import { applyBuiltInRules } from './built-in-rules.ts';
import { comparable } from './comparable.ts';
import { isSecret } from './mask.ts';

interface Destination {
  readonly namespace: string;
  readonly kind: ServedKind;
}

type Canonical =
  | { readonly type: 'canonical'; readonly object: KubeObject }
  | { readonly type: 'refused'; readonly message: string };

/** The one form of a desired object: this is what is hashed, compared, tried on the server, and applied. */
export function canonicalise(object: KubeObject, { namespace, kind }: Destination): Canonical {
  const { namespace: _written, ...metadata } = object.metadata;
  const placed = { ...object, metadata: namespace === '' ? metadata : { ...metadata, namespace } } as KubeObject;
  const cleaned = applyBuiltInRules(comparable(placed, { hasStatus: kind.hasStatus }));
  return isSecret(cleaned) ? canonicaliseSecret(cleaned) : { type: 'canonical', object: cleaned };
}

const secretFields = new Set(['apiVersion', 'kind', 'metadata', 'data', 'stringData', 'immutable', 'type']);

/** Secrets are never tried on the server, so what the server would refuse is refused here. Messages name keys, never values. */
function canonicaliseSecret(secret: KubeObject): Canonical {
  const { stringData, data, ...rest } = secret;
  const unknown = Object.keys(secret).find((field) => !secretFields.has(field));
  if (unknown !== undefined) return refused(`a Secret has no field ${unknown}`);
  for (const [field, values] of Object.entries({ data, stringData })) {
    if (values !== undefined && values !== null && !isObject(values)) return refused(`${field} of a Secret is a map of keys to strings`);
  }
  const merged: [string, Json][] = [];
  for (const [key, value] of entriesOf(data)) {
    const decoded = typeof value === 'string' ? canonicalBase64(value) : value === null ? '' : undefined;
    if (decoded === undefined) return refused(`data.${key} is not base64; put plain text under stringData`);
    merged.push([key, decoded]);
  }
  for (const [key, value] of entriesOf(stringData)) {
    if (value !== null && typeof value !== 'string') return refused(`stringData.${key} is not a string: quote it`);
    merged.push([key, Buffer.from(value ?? '', 'utf8').toString('base64')]);
  }
  const object = merged.length === 0 ? rest : { ...rest, data: Object.fromEntries(merged) };
  return { type: 'canonical', object };
}

function refused(message: string): Canonical {
  return { type: 'refused', message };
}
