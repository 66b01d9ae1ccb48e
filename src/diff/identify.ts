import {
  childOf,
  groupOf,
  isList,
  namespaceOf,
  resourceKey,
  valueAt,
  type Diff,
  type KubeObject,
  type Manifest,
  type ResourceKey,
  type ServedKind,
  type SourceDocument,
} from '../model/index.ts';
import { canonicalise } from './canonicalise.ts';

/** What the server serves under a kind's name; a group that does not answer is not the same as a kind that is not there. */
export type KindLookup = (
  apiVersion: string,
  kind: string,
) =>
  | { readonly type: 'served'; readonly kind: ServedKind }
  | { readonly type: 'not-served'; readonly servedAs: readonly string[] }
  | { readonly type: 'unavailable' };

export interface Identified {
  readonly manifests: readonly { readonly manifest: Manifest; readonly kind: ServedKind }[];
  /** Documents that cannot be compared, each with its reason. */
  readonly refused: readonly Diff[];
}

/** Gives every document its identity in the cluster; one that has none, or shares it with another, is refused. */
export function identify(documents: readonly SourceDocument[], lookUp: KindLookup, defaultNamespace: string): Identified {
  const manifests: { manifest: Manifest; kind: ServedKind }[] = [];
  const refused: Diff[] = [];
  const definitions = definedKinds(documents);
  const originsByKey = Map.groupBy(
    documents.map((document) => ({ ...document, ...place(document.object, lookUp, defaultNamespace) })),
    ({ key }) => key,
  );
  for (const [key, sharers] of originsByKey) {
    const origins = sharers.map(({ origin }) => origin).join(' and ');
    for (const { origin, object, found, namespace } of sharers) {
      const refuse = (message: string): void => void refused.push({ type: 'invalid', key, origin, message });
      if (sharers.length > 1) {
        refuse(`declared more than once, in ${origins}: keep one of them`);
      } else if (found.type === 'unavailable') {
        const message = `the API group of ${object.apiVersion} does not answer: see kubectl get apiservices`;
        refused.push({ type: 'unknown', key, origin, code: 'ClusterError', message });
      } else if (found.type === 'not-served') {
        const definition = definitions.get(`${groupOf(object.apiVersion)}/${object.kind}`);
        if (definition?.serves.includes(object.apiVersion) === true) refused.push(waiting({ key, origin, object }, definition.name));
        else refuse(notServed(object, found.servedAs, definition));
      } else {
        const canonical = canonicalise(object, { namespace, kind: found.kind });
        if (canonical.type === 'refused') refuse(canonical.message);
        else manifests.push({ manifest: { key, origin, object: canonical.object }, kind: found.kind });
      }
    }
  }
  return { manifests, refused };
}

function place(object: KubeObject, lookUp: KindLookup, defaultNamespace: string): Placement {
  const found = lookUp(object.apiVersion, object.kind);
  const clusterScoped = found.type === 'served' && !found.kind.namespaced;
  const namespace = clusterScoped ? '' : namespaceOf(object, defaultNamespace);
  const key = resourceKey({ group: groupOf(object.apiVersion), kind: object.kind, namespace, name: object.metadata.name });
  return { found, namespace, key };
}

interface Placement {
  readonly found: ReturnType<KindLookup>;
  readonly namespace: string;
  readonly key: ResourceKey;
}

interface Definition {
  readonly name: string;
  /** API versions, with their group. */
  readonly serves: readonly string[];
}

/** The kinds that documents of the same set define, by group and kind. */
function definedKinds(documents: readonly SourceDocument[]): ReadonlyMap<string, Definition> {
  const definitions = documents.filter(({ object }) => object.kind === 'CustomResourceDefinition');
  return new Map(
    definitions.flatMap(({ object }): [string, Definition][] => {
      const [group, kind] = [valueAt(object, ['spec', 'group']), valueAt(object, ['spec', 'names', 'kind'])];
      if (typeof group !== 'string' || group === '' || typeof kind !== 'string') return [];
      return [[`${group}/${kind}`, { name: object.metadata.name, serves: servedVersions(object).map((version) => `${group}/${version}`) }]];
    }),
  );
}

function servedVersions(definition: KubeObject): readonly string[] {
  const versions = valueAt(definition, ['spec', 'versions']);
  const served = (isList(versions) ? versions : []).filter((version) => childOf(version, 'served') !== false);
  return served.map((version) => childOf(version, 'name')).filter((name) => typeof name === 'string');
}

/** Nothing is wrong with it: its definition is in Git too, and comes first. */
function waiting({ key, origin, object }: Manifest, definition: string): Diff {
  const waitsFor = `CustomResourceDefinition ${definition}`;
  return { type: 'missing', key, origin, patch: [{ op: 'add', path: '', value: object }], after: object, waitsFor };
}

function notServed({ apiVersion, kind }: KubeObject, servedAs: readonly string[], definition: Definition | undefined): string {
  if (servedAs.length > 0) return `the cluster does not serve kind ${kind} in ${apiVersion}: it serves ${kind} as ${servedAs.join(', ')}`;
  const advice =
    definition === undefined
      ? 'install its CustomResourceDefinition, or correct apiVersion and kind'
      : `its CustomResourceDefinition ${definition.name} in Git serves ${definition.serves.length === 0 ? 'no version' : `it as ${definition.serves.join(', ')}`}`;
  return `the cluster does not serve kind ${kind} in ${apiVersion}: ${advice}`;
}
