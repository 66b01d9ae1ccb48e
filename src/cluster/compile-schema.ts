import {
  entriesOf,
  isList,
  isObject,
  valueAt,
  type Json,
  type JsonObject,
  type Schema,
  type SchemaField,
  type SchemaStruct,
} from '../model/index.ts';
import { constantOf, zeroOf } from './go-types.ts';

/** To be raised whenever the same document compiles to something else: what was compiled before is kept on disk. */
export const compilerVersion = 2;

/** The schemas of all kinds in an OpenAPI v3 document of one group and version, by the name of the kind. */
export function compileSchemas(document: Json): ReadonlyMap<string, Schema> {
  const definitions = valueAt(document, ['components', 'schemas']);
  if (!isObject(definitions)) return new Map();
  const compiler = createCompiler(definitions);
  return new Map(entriesOf(definitions).flatMap(([name, source]) => kindsOf(source).map((kind) => [kind, compiler.definition(name)] as const)));
}

function kindsOf(definition: Json): readonly string[] {
  const kinds = isObject(definition) ? definition['x-kubernetes-group-version-kind'] : undefined;
  // A definition that names many kinds (DeleteOptions, WatchEvent) is the schema of none of them.
  if (!isList(kinds) || kinds.length !== 1) return [];
  const kind = valueAt(kinds[0], ['kind']);
  return typeof kind === 'string' ? [kind] : [];
}

const quantityName = 'io.k8s.apimachinery.pkg.api.resource.Quantity';
// What controller-gen writes for a resource.Quantity.
const quantityPattern = String.raw`^(\+|-)?(([0-9]+(\.[0-9]*)?)|(\.[0-9]+))(([KMGTPE]i)|[numkMGTPE]|([eE](\+|-)?(([0-9]+(\.[0-9]*)?)|(\.[0-9]+))))?$`;
const any: Schema = { type: 'any' };

/** For what makes no sense to us: no object is proven equal there, the server is asked. */
const unknown: Schema = { type: 'struct', fields: new Map(), atomic: false, open: false, builtIn: false };

// Far more than any API nests.
const deepest = 200;

function createCompiler(definitions: JsonObject): { definition(name: string): Schema } {
  const compiled = new Map<string, Schema>();
  let depth = 0;

  const definition = (name: string): Schema => {
    const known = compiled.get(name);
    if (known !== undefined) return known;
    if (name === quantityName) return { type: 'scalar', format: 'quantity' };
    const source = valueAt(definitions, [name]);
    if (!isObject(source)) return unknown;
    const fields = new Map<string, SchemaField>();
    const shell = isObject(source['properties']) ? { ...struct(source, fields), builtIn: name.startsWith('io.k8s.') } : undefined;
    // Known before its fields are: a definition may contain itself. Without fields there would be no end to it.
    compiled.set(name, shell ?? unknown);
    if (shell === undefined) compiled.set(name, inline(source));
    else fillDefinition(fields, name, source);
    return compiled.get(name) ?? unknown;
  };

  const fill = (fields: Map<string, SchemaField>, { properties }: JsonObject): void => {
    for (const [key, property] of entriesOf(properties)) fields.set(key, field(property));
  };

  const fillDefinition = (fields: Map<string, SchemaField>, name: string, source: JsonObject): void => {
    fill(fields, source);
    for (const [key, known] of fields) {
      const constant = constantOf(name, key) ?? known.default;
      const zero = zeroOf(name, key);
      fields.set(key, { schema: known.schema, ...(constant === undefined ? {} : { default: constant }), ...(zero === undefined ? {} : { zero }) });
    }
  };

  const field = (source: Json | undefined): SchemaField => {
    if (!isObject(source)) return { schema: source === undefined ? any : unknown };
    const schema = inline(source);
    return source['default'] === undefined ? { schema } : { schema, default: source['default'] };
  };

  const inline = (source: JsonObject): Schema => {
    if (depth === deepest) return unknown;
    depth += 1;
    const reference = referenceOf(source);
    const schema = reference === undefined ? typed(source) : withMapType(definition(reference), source);
    depth -= 1;
    return schema;
  };

  const typed = (source: JsonObject): Schema => {
    const { type, format, pattern } = source;
    const isIntOrString = source['x-kubernetes-int-or-string'] === true || format === 'int-or-string';
    if (pattern === quantityPattern && (isIntOrString || type === 'string')) return { type: 'scalar', format: 'quantity-text' };
    if (isIntOrString || type === 'integer' || type === 'number' || type === 'boolean') return { type: 'scalar', format: 'plain' };
    if (type === 'string') return { type: 'scalar', format: format === 'byte' ? 'bytes' : 'plain' };
    if (source['x-kubernetes-preserve-unknown-fields'] === true && !isObject(source['properties'])) return any;
    if (type === 'array') return { type: 'list', ...relation(source), element: field(source['items']) };
    if (type === 'object') return object(source);
    return type === undefined && composites.every((key) => source[key] === undefined) ? any : unknown;
  };

  const object = (source: JsonObject): Schema => {
    const { properties, additionalProperties } = source;
    if (isObject(properties)) {
      const fields = new Map<string, SchemaField>();
      fill(fields, source);
      return struct(source, fields);
    }
    return isObject(additionalProperties) ? { type: 'map', element: field(additionalProperties), atomic: isAtomicMap(source) } : any;
  };

  return { definition };
}

const composites = ['$ref', 'allOf', 'anyOf', 'oneOf'];

function struct(source: JsonObject, fields: ReadonlyMap<string, SchemaField>): SchemaStruct {
  const open = source['x-kubernetes-preserve-unknown-fields'] === true;
  return { type: 'struct', fields, atomic: isAtomicMap(source), open, builtIn: false };
}

/** What the server decides list by list: the newer markers first, then those of the older strategic merge, else replaced whole. */
function relation(source: JsonObject): { relation: 'atomic' | 'set' | 'map'; keys: readonly string[] } {
  const listType = source['x-kubernetes-list-type'];
  const mapKeys = source['x-kubernetes-list-map-keys'];
  const keys = isList(mapKeys) ? mapKeys.filter((key) => typeof key === 'string') : [];
  if (listType === 'map') return keys.length === 0 ? { relation: 'atomic', keys } : { relation: 'map', keys };
  if (listType === 'set') return { relation: 'set', keys: [] };
  const strategy = source['x-kubernetes-patch-strategy'];
  if (listType === undefined && typeof strategy === 'string' && strategy.split(',').includes('merge')) {
    const mergeKey = source['x-kubernetes-patch-merge-key'];
    return typeof mergeKey === 'string' ? { relation: 'map', keys: [mergeKey] } : { relation: 'set', keys: [] };
  }
  return { relation: 'atomic', keys: [] };
}

function referenceOf(source: JsonObject): string | undefined {
  const { allOf } = source;
  const direct = source['$ref'] ?? (isList(allOf) && allOf.length === 1 ? valueAt(allOf[0], ['$ref']) : undefined);
  const prefix = '#/components/schemas/';
  return typeof direct === 'string' && direct.startsWith(prefix) ? direct.slice(prefix.length) : undefined;
}

/** The marker on a field outweighs that of the type it refers to. */
function withMapType(schema: Schema, source: JsonObject): Schema {
  const mapType = source['x-kubernetes-map-type'];
  if (mapType === undefined || (schema.type !== 'struct' && schema.type !== 'map')) return schema;
  return { ...schema, atomic: mapType === 'atomic' };
}

function isAtomicMap(source: JsonObject): boolean {
  return source['x-kubernetes-map-type'] === 'atomic';
}
