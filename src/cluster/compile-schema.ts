import { isList, isObject, valueAt, type Json, type JsonObject, type Schema, type SchemaField, type SchemaStruct } from '../model/index.ts';

/** The schemas of all kinds in an OpenAPI v3 document of one group and version, by the name of the kind. */
export function compileSchemas(document: Json): ReadonlyMap<string, Schema> {
  const definitions = valueAt(document, ['components', 'schemas']);
  if (!isObject(definitions)) return new Map();
  const compiler = createCompiler(definitions);
  return new Map(Object.keys(definitions).flatMap((name) => kindsOf(definitions[name]).map((kind) => [kind, compiler.definition(name)] as const)));
}

function kindsOf(definition: Json | undefined): readonly string[] {
  const kinds = isObject(definition) ? definition['x-kubernetes-group-version-kind'] : undefined;
  // A definition that names many kinds (DeleteOptions, WatchEvent) is the schema of none of them.
  if (!isList(kinds) || kinds.length !== 1) return [];
  const kind = valueAt(kinds[0], ['kind']);
  return typeof kind === 'string' ? [kind] : [];
}

const quantityName = 'io.k8s.apimachinery.pkg.api.resource.Quantity';
const any: Schema = { type: 'any' };

function createCompiler(definitions: JsonObject): { definition(name: string): Schema } {
  const compiled = new Map<string, Schema>();

  const definition = (name: string): Schema => {
    const known = compiled.get(name);
    if (known !== undefined) return known;
    if (name === quantityName) return { type: 'scalar', format: 'quantity' };
    const source = definitions[name];
    if (!isObject(source)) return any;
    const fields = new Map<string, SchemaField>();
    const shell = isObject(source['properties']) ? { ...struct(source, fields), builtIn: name.startsWith('io.k8s.') } : undefined;
    // Known before its fields are: a definition may contain itself.
    if (shell !== undefined) compiled.set(name, shell);
    const schema = shell ?? inline(source);
    compiled.set(name, schema);
    if (shell !== undefined) fill(fields, source);
    return schema;
  };

  const fill = (fields: Map<string, SchemaField>, { properties }: JsonObject): void => {
    if (!isObject(properties)) return;
    for (const [key, property] of Object.entries<Json>(properties)) fields.set(key, field(property));
  };

  const field = (source: Json | undefined): SchemaField => {
    if (!isObject(source)) return { schema: any };
    const schema = inline(source);
    return source['default'] === undefined ? { schema } : { schema, default: source['default'] };
  };

  const inline = (source: JsonObject): Schema => {
    const reference = referenceOf(source);
    if (reference !== undefined) return withMapType(definition(reference), source);
    // Also what stands for a quantity in a custom resource: there the server keeps the text as it was written.
    if (source['x-kubernetes-int-or-string'] === true) return { type: 'scalar', format: 'plain' };
    if (source['x-kubernetes-preserve-unknown-fields'] === true && !isObject(source['properties'])) return any;
    const { type, format } = source;
    if (type === 'array') return { type: 'list', ...relation(source), element: field(source['items']) };
    if (type === 'object') return object(source);
    if (type === 'string') return { type: 'scalar', format: format === 'byte' ? 'bytes' : 'plain' };
    const plain = type === 'integer' || type === 'number' || type === 'boolean' || format === 'int-or-string';
    return plain ? { type: 'scalar', format: 'plain' } : any;
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
