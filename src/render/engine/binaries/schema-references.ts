import { entriesOf, isList, isObject, type Json } from '../../../model/index.ts';

/** Where Helm takes the schema to be, so where its relative references go from. */
const home = 'file:///values.schema.json';
/** The validator carries these with it. */
const known = /^https?:\/\/json-schema\.org\/(?:draft-(?:04|06|07)|draft\/(?:2019-09|2020-12))\//;
const references = new Set(['$ref', '$dynamicRef', '$recursiveRef', '$schema']);

/** A reference of a values schema that Helm would fetch, or read from this machine's disk. */
export function foreignReference(schema: Json): string | undefined {
  const bases = new Set([home]);
  eachObject(schema, home, (base) => bases.add(base));
  let foreign: string | undefined;
  eachObject(schema, home, (base, object) => {
    for (const [key, value] of entriesOf(object)) {
      if (!references.has(key) || typeof value !== 'string') continue;
      const target = absolute(value, base);
      if (!bases.has(target) && !known.test(target) && !target.startsWith('urn:')) foreign ??= value;
    }
  });
  return foreign;
}

type Visit = (base: string, object: Readonly<Record<string, Json>>) => void;

function eachObject(value: Json, base: string, visit: Visit): void {
  if (isList(value)) for (const item of value) eachObject(item, base, visit);
  if (!isObject(value)) return;
  const id = value['$id'] ?? value['id'];
  const own = typeof id === 'string' ? absolute(id, base) : base;
  visit(own, value);
  for (const [, item] of entriesOf(value)) eachObject(item, own, visit);
}

function absolute(reference: string, base: string): string {
  const resolved = URL.parse(reference, base) ?? URL.parse(reference);
  if (resolved === null) return reference;
  resolved.hash = '';
  return resolved.href;
}
