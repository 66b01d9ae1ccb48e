import type { JsonObject } from '../../src/model/index.ts';
import { waitFor } from '../support/wait-for.ts';
import { accepted, type Bench } from './bench.ts';

interface Version {
  readonly name: string;
  readonly schema: JsonObject;
  readonly hasStatus?: boolean;
  readonly served?: boolean;
}

interface Definition {
  readonly kind: string;
  /** The last one is stored. */
  readonly versions: readonly [Version, ...Version[]];
}

export interface CustomKind extends AsyncDisposable {
  readonly group: string;
  /** As kubectl names it. */
  readonly resource: string;
  /** An object of the kind: a manifest without its version's group spelled out. */
  manifest(name: string, content: JsonObject, version?: string): string;
  path(name: string, version?: string): string;
  /** Defines it anew, with other versions. */
  redefine(...versions: Definition['versions']): Promise<void>;
}

/** A kind that this test alone has: its group is named after the namespace. */
export async function defineKind(bench: Bench, { kind, versions }: Definition): Promise<CustomKind> {
  const plural = `${kind.toLowerCase()}s`;
  const group = `${bench.namespace}.example.com`;
  const path = `/apis/apiextensions.k8s.io/v1/customresourcedefinitions/${plural}.${group}`;
  const [{ name: first }] = versions;
  const redefine = async (...newVersions: Definition['versions']): Promise<void> => {
    const definition = {
      apiVersion: 'apiextensions.k8s.io/v1',
      kind: 'CustomResourceDefinition',
      metadata: { name: `${plural}.${group}` },
      spec: { group, scope: 'Namespaced', names: { kind, plural }, versions: newVersions.map((version, at) => versionOf(version, at === newVersions.length - 1)) },
    };
    accepted(await bench.api.send('PATCH', `${path}?fieldManager=test-setup&force=true`, { type: 'application/apply-patch+yaml', text: JSON.stringify(definition) }));
  };
  await redefine(...versions);
  const defined: CustomKind = {
    group,
    resource: `${plural}.${group}`,
    manifest: (name, content, version = first) => JSON.stringify({ apiVersion: `${group}/${version}`, kind, metadata: { name }, ...content }),
    path: (name, version = first) => bench.path(`${group}/${version}`, `${plural}/${name}`),
    redefine,
    async [Symbol.asyncDispose]() {
      await bench.api.send('DELETE', path);
    },
  };
  try {
    for (const { name, served = true } of versions) {
      if (served) await waitFor(() => bench.serves(`${group}/${name}`, kind), { what: `${kind} of ${group}/${name}` });
    }
  } catch (error) {
    await defined[Symbol.asyncDispose]();
    throw error;
  }
  return defined;
}

/** A schema whose `spec` has these properties; nothing else is kept. */
export function closedSpec(properties: JsonObject): JsonObject {
  return { type: 'object', properties: { spec: { type: 'object', properties } } };
}

/** A schema whose `spec` keeps whatever comes. */
export const openSpec: JsonObject = { type: 'object', properties: { spec: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true } } };

function versionOf({ name, schema, hasStatus = false, served = true }: Version, storage: boolean): JsonObject {
  return { name, served, storage, schema: { openAPIV3Schema: schema }, ...(hasStatus ? { subresources: { status: {} } } : {}) };
}
