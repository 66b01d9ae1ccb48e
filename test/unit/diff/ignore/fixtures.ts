import { expect } from 'vitest';
import { neutralise, parseIgnoreRules, type IgnoreRules, type ObjectIgnores } from '../../../../src/diff/ignore/index.ts';
import { resourceKey, type Json, type JsonObject, type KubeObject } from '../../../../src/model/index.ts';

const key = resourceKey({ group: 'apps', kind: 'Deployment', namespace: 'shop', name: 'web' });

export function deployment(fields: JsonObject, metadata: JsonObject = {}): KubeObject {
  return { apiVersion: 'apps/v1', kind: 'Deployment', metadata: { name: 'web', namespace: 'shop', ...metadata }, ...fields };
}

export function rulesOf(...rules: readonly JsonObject[]): IgnoreRules {
  const parsed = parseIgnoreRules(rules);
  if (parsed.type === 'refused') throw new Error(parsed.errors.join('\n'));
  return parsed.rules;
}

export function errorsOf(rules: Json): readonly string[] {
  const parsed = parseIgnoreRules(rules);
  return parsed.type === 'refused' ? parsed.errors : [];
}

export function ignoresOf(rule: JsonObject): ObjectIgnores {
  const ignores = rulesOf(rule).for(key);
  if (ignores === undefined) throw new Error('the rule is not about the object');
  return ignores;
}

interface Case {
  readonly rule: JsonObject;
  readonly object: JsonObject;
  readonly live: JsonObject;
}

/** What becomes of the same fields as Git's wish and as the server's prediction; inputs are frozen. */
export function neutralised({ rule, object, live }: Case): { readonly desired: Json; readonly predicted: Json } {
  const ignores = ignoresOf(rule);
  const [before, actual] = [deepFreeze(deployment(object)), deepFreeze(deployment(live))];
  return {
    desired: fieldsOf(neutralise(before, actual, { ignores, fillIn: false })),
    predicted: fieldsOf(neutralise(before, actual, { ignores, fillIn: true })),
  };
}

function fieldsOf({ apiVersion, kind, metadata, ...fields }: KubeObject): Json {
  const { name, namespace, ...rest } = metadata;
  expect({ apiVersion, kind, name, namespace }).toEqual({ apiVersion: 'apps/v1', kind: 'Deployment', name: 'web', namespace: 'shop' });
  return Object.keys(rest).length === 0 ? fields : { ...fields, metadata: rest };
}

export function deepFreeze<Value extends Json>(value: Value): Value {
  if (typeof value === 'object' && value !== null) Object.values(value).forEach(deepFreeze);
  return Object.freeze(value);
}
