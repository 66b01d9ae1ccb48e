import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { loadKubeconfig } from '../../src/cluster/index.ts';
import { compileSchemas } from '../../src/cluster/compile-schema.ts';
import { schemasFromText, schemasToText } from '../../src/cluster/schema-text.ts';
import { createSchemas, type Schemas } from '../../src/cluster/schemas.ts';
import { createTransport, type Transport } from '../../src/cluster/transport.ts';
import { parseJson, type JsonObject, type Schema, type ServedKind } from '../../src/model/index.ts';
import { sameSchema } from '../support/same-schema.ts';
import { sharedCluster } from '../support/test-run/index.ts';
import { tempFolder } from '../support/temp-folder.ts';

const admin = sharedCluster();
const signal = new AbortController().signal;
let transport: Transport;
let group: string;

const quantity = { anyOf: [{ type: 'integer' }, { type: 'string' }], 'x-kubernetes-int-or-string': true, pattern: String.raw`^(\+|-)?(([0-9]+(\.[0-9]*)?)|(\.[0-9]+))(([KMGTPE]i)|[numkMGTPE]|([eE](\+|-)?(([0-9]+(\.[0-9]*)?)|(\.[0-9]+))))?$` };

function definition(kind: string, schema: object): JsonObject {
  const plural = `${kind.toLowerCase()}s`;
  const version = { name: 'v1', served: true, storage: true, schema: { openAPIV3Schema: schema } };
  return {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: `${plural}.${group}` },
    spec: { group, scope: 'Cluster', names: { kind, plural }, versions: [version] } as unknown as JsonObject,
  };
}

const names = ['opens', 'sizes'];

beforeAll(async () => {
  transport = createTransport(await loadKubeconfig({ file: admin.kubeconfig }));
  group = `s${Date.now().toString(36)}.example.org`;
  const open = definition('Open', { type: 'object', 'x-kubernetes-preserve-unknown-fields': true });
  const size = definition('Size', { type: 'object', properties: { spec: { type: 'object', properties: { size: quantity, when: { type: 'string' } } } } });
  await admin.apply(JSON.stringify({ apiVersion: 'v1', kind: 'List', items: [open, size] }));
  await admin.kubectl(['wait', '--for=condition=Established', ...names.map((name) => `crd/${name}.${group}`), '--timeout=50s']);
});

afterAll(async () => {
  await admin.kubectl(['delete', 'crd', ...names.map((name) => `${name}.${group}`), '--wait=false']);
  await transport.close();
});

const kindOf = (of: string, version: string, kind: string): ServedKind => ({ group: of, version, kind, resource: '', namespaced: true, hasStatus: false });
const builtIn = [kindOf('apps', 'v1', 'Deployment'), kindOf('', 'v1', 'Service'), kindOf('apiextensions.k8s.io', 'v1', 'CustomResourceDefinition')];

/** Definitions are published a moment after they are established. */
async function custom(schemas: Schemas, kind: string): Promise<Schema> {
  let found: Schema | undefined;
  await expect
    .poll(async () => {
      schemas.refresh();
      found = (await schemas.find(kindOf(group, 'v1', kind), signal))?.schema;
      return found;
    })
    .toBeDefined();
  return found ?? { type: 'any' };
}

function at(schema: Schema | undefined, ...path: readonly string[]): Schema | undefined {
  return path.reduce((inner: Schema | undefined, key) => (inner?.type === 'struct' ? inner.fields.get(key)?.schema : undefined), schema);
}

test('every document of the server, with types that contain themselves, is the same after it was written and read', async () => {
  await custom(createSchemas(transport), 'Size');
  const index = parseJson((await transport.send({ method: 'GET', path: '/openapi/v3', signal })).text) as { paths: Record<string, { serverRelativeURL: string }> };
  const paths = Object.keys(index.paths);
  expect(paths.length).toBeGreaterThan(20);
  let kinds = 0;
  for (const path of paths) {
    const { text } = await transport.send({ method: 'GET', path: `/openapi/v3/${path}`, signal });
    const compiled = compileSchemas(parseJson(text));
    const back = schemasFromText(schemasToText(compiled));
    expect([...(back?.keys() ?? [])]).toEqual([...compiled.keys()]);
    for (const [kind, schema] of compiled) expect(sameSchema(schema, back?.get(kind) ?? { type: 'any' }), `${path} ${kind}`).toBe(true);
    kinds += compiled.size;
  }
  expect(kinds).toBeGreaterThan(100);
});

test('the second process asks for no document', async () => {
  await using folder = await tempFolder();
  // Other tests read schemas at the same time: the audit log is asked about this user only.
  const as = `reader-of-${group}`;
  const config = JSON.parse(await readFile(admin.kubeconfig, 'utf8')) as { users: [{ name: string; user: object }] };
  const [{ name, user }] = config.users;
  const file = join(folder.path, 'config');
  await writeFile(file, JSON.stringify({ ...config, users: [{ name, user: { ...user, as, 'as-groups': ['system:masters'] } }] }));
  const cacheFolder = join(folder.path, 'cache');
  const process = async (): Promise<readonly (string | undefined)[]> => {
    const own = createTransport(await loadKubeconfig({ file }));
    const schemas = createSchemas(own, { cacheFolder });
    const found = await Promise.all(builtIn.map((kind) => schemas.find(kind, signal)));
    await own.close();
    return found.map((schema) => schema?.hash);
  };
  const documents = async (work: () => Promise<unknown>): Promise<number> => {
    const log = await admin.auditLog();
    await work();
    const events = (await log.events()).filter(({ impersonatedUser }) => impersonatedUser?.username === as);
    expect(events.filter(({ requestURI }) => requestURI === '/openapi/v3')).toHaveLength(1);
    return events.filter(({ requestURI }) => requestURI.startsWith('/openapi/v3/')).length;
  };
  let [first, second]: (readonly (string | undefined)[])[] = [];
  expect(await documents(async () => (first = await process()))).toBe(3);
  expect(await readdir(cacheFolder)).toHaveLength(3);
  expect(await documents(async () => (second = await process()))).toBe(0);
  expect(second).toEqual(first);
  expect(new Set(first).size).toBe(3);
});

describe('custom resources', () => {
  test('one without a type below its root is open', async () => {
    const schema = await custom(createSchemas(transport), 'Open');
    expect(schema.type === 'any' || (schema.type === 'struct' && schema.open)).toBe(true);
  });

  test('an amount is text that stands for a quantity: the server keeps it as it was written', async () => {
    const schema = await custom(createSchemas(transport), 'Size');
    expect(at(schema, 'spec', 'size')).toEqual({ type: 'scalar', format: 'quantity-text' });
    expect(at(schema, 'spec', 'when')).toEqual({ type: 'scalar', format: 'plain' });
    await admin.apply(JSON.stringify({ apiVersion: `${group}/v1`, kind: 'Size', metadata: { name: 's' }, spec: { size: '1000m' } }));
    expect(await admin.kubectl(['get', `sizes.${group}`, 's', '-o', 'jsonpath={.spec.size}'])).toBe('1000m');
  });

  test('a definition that changes has another hash after a refresh', async () => {
    const schemas = createSchemas(transport);
    await custom(schemas, 'Size');
    const hash = async (): Promise<string | undefined> => (await schemas.find(kindOf(group, 'v1', 'Size'), signal))?.hash;
    const before = await hash();
    await admin.apply(JSON.stringify(definition('Size', { type: 'object', properties: { spec: { type: 'object', properties: { size: quantity, when: { type: 'string' }, more: { type: 'string' } } } } })));
    expect(await hash()).toBe(before);
    await expect
      .poll(async () => {
        schemas.refresh();
        return at((await schemas.find(kindOf(group, 'v1', 'Size'), signal))?.schema, 'spec', 'more');
      })
      .toBeDefined();
    expect(await hash()).not.toBe(before);
  });
});

test('an API whose server is down has no schema, and takes none from others', async () => {
  const service = { group: `down.${group}`, version: 'v1', groupPriorityMinimum: 1000, versionPriority: 1, insecureSkipTLSVerify: true, service: { name: 'none', namespace: 'default' } };
  const name = `v1.down.${group}`;
  await admin.apply(JSON.stringify({ apiVersion: 'apiregistration.k8s.io/v1', kind: 'APIService', metadata: { name }, spec: service }));
  try {
    const schemas = createSchemas(transport);
    expect(await schemas.find(kindOf(`down.${group}`, 'v1', 'Thing'), signal)).toBeUndefined();
    expect(await schemas.find(builtIn[0] ?? kindOf('', 'v1', 'Pod'), signal)).toBeDefined();
  } finally {
    await admin.kubectl(['delete', 'apiservice', name]);
  }
});
