import { fieldManager, resourceKey, type Json, type JsonObject, type KubeObject, type ResourceKey } from '../../../src/model/index.ts';
import type { Fields } from './git-server.ts';

/** An object from one write to the next. */
export interface Version {
  /** Of all versions of this object, from 0. */
  readonly index: number;
  readonly by: string;
  readonly resourceVersion: string;
  /** Undefined: there is no such object. */
  readonly content: Content | undefined;
}

export interface Content {
  readonly uid: string;
  readonly data: Fields;
  readonly owners: Owners;
  /** All of them are ours: nobody else writes any. */
  readonly annotations: Fields;
  readonly object: KubeObject;
  /** Names what a comparison looks at: the mark that says whose an object is is not among that. */
  readonly digest: string;
}

/** What an apply says of an object. */
export type Declaration = Pick<Content, 'data' | 'annotations'>;

type Owners = Readonly<Record<string, readonly string[]>>;

export interface ApplyConflict {
  readonly field: string;
  readonly manager: string;
}

export type ApplyResult = { readonly type: 'applied'; readonly version: Version } | { readonly type: 'conflict'; readonly conflicts: readonly ApplyConflict[] };

export interface Seen {
  readonly uid: string;
  /** Undefined: whatever it is by now. */
  readonly resourceVersion: Json | undefined;
}

export type PruneResult = { readonly type: 'removed'; readonly content: Content } | { readonly type: 'gone' | 'replaced' | 'changed' };

/** ConfigMaps as the API server keeps them, as far as applies, edits and deletions go; and each of their versions for ever. */
export interface ObjectServer {
  latest(key: ResourceKey): Version;
  versions(key: ResourceKey): readonly Version[];
  byResourceVersion(key: ResourceKey, resourceVersion: Json | undefined): Version | undefined;
  /** As our agents do. */
  apply(key: ResourceKey, declared: Declaration, force: boolean): ApplyResult;
  /** What an apply by force would make of the object, without doing it. */
  tryApply(key: ResourceKey, declared: Declaration): KubeObject;
  /** As others do. Undefined takes a field away; an object that is not there is made. */
  edit(key: ResourceKey, changes: Readonly<Record<string, string | undefined>>, by: string): void;
  remove(key: ResourceKey, by: string): void;
  /** As our agents do: that very one, as it was seen. */
  prune(key: ResourceKey, seen: Seen): PruneResult;
}

export interface ObjectServerOptions {
  /** Another one for each write to the cluster. */
  readonly nextVersion: () => string;
  readonly changed: (key: ResourceKey, version: Version) => void;
}

export function configMapKey(namespace: string, name: string): ResourceKey {
  return resourceKey({ group: '', kind: 'ConfigMap', namespace, name });
}

const never: Version = { index: 0, by: '', resourceVersion: '0', content: undefined };

export function createObjectServer({ nextVersion, changed }: ObjectServerOptions): ObjectServer {
  const histories = new Map<ResourceKey, Version[]>();
  const historyOf = (key: ResourceKey): Version[] => {
    const history = histories.get(key) ?? [never];
    histories.set(key, history);
    return history;
  };
  const latest = (key: ResourceKey): Version => historyOf(key).at(-1) ?? never;

  function store(key: ResourceKey, made: Made | undefined, by: string): Version {
    const before = latest(key);
    if (made === undefined ? before.content === undefined : sameContent(before.content, made)) return before;
    const resourceVersion = nextVersion();
    const uid = before.content?.uid ?? `uid-${resourceVersion}`;
    const content = made === undefined ? undefined : contentOf(key, made, { uid, resourceVersion });
    const version = { index: before.index + 1, by, resourceVersion, content };
    historyOf(key).push(version);
    changed(key, version);
    return version;
  }

  return {
    latest,
    versions: historyOf,
    byResourceVersion: (key, resourceVersion) => historyOf(key).findLast((version) => version.resourceVersion === resourceVersion),
    apply(key, declared, force) {
      const { content } = latest(key);
      const conflicts = force ? [] : conflictsWith(content, declared.data);
      if (conflicts.length > 0) return { type: 'conflict', conflicts };
      return { type: 'applied', version: store(key, applied(content, declared), fieldManager) };
    },
    tryApply(key, declared) {
      const { content, resourceVersion } = latest(key);
      return contentOf(key, applied(content, declared), { uid: content?.uid ?? '', resourceVersion }).object;
    },
    edit(key, changes, by) {
      const { content } = latest(key);
      const data: Record<string, string> = { ...content?.data };
      const owners: Record<string, readonly string[]> = { ...content?.owners };
      for (const [field, value] of Object.entries(changes)) {
        if (data[field] === value) continue;
        delete data[field];
        delete owners[field];
        if (value === undefined) continue;
        data[field] = value;
        owners[field] = [by];
      }
      store(key, { data, owners, annotations: content?.annotations ?? {} }, by);
    },
    remove: (key, by) => void store(key, undefined, by),
    prune(key, { uid, resourceVersion }) {
      const { content, resourceVersion: current } = latest(key);
      if (content === undefined) return { type: 'gone' };
      if (content.uid !== uid) return { type: 'replaced' };
      if (resourceVersion !== undefined && resourceVersion !== current) return { type: 'changed' };
      store(key, undefined, fieldManager);
      return { type: 'removed', content };
    },
  };
}

type Made = Pick<Content, 'data' | 'owners' | 'annotations'>;

/** What is no longer declared goes, unless somebody else holds it too. */
function applied(content: Made | undefined, { data: wanted, annotations }: Declaration): Made {
  const data: Record<string, string> = {};
  const owners: Record<string, readonly string[]> = {};
  for (const [field, value] of Object.entries(content?.data ?? {})) {
    const others = (content?.owners[field] ?? []).filter((manager) => manager !== fieldManager);
    if (wanted[field] === undefined && others.length === 0) continue;
    data[field] = value;
    owners[field] = others;
  }
  for (const [field, value] of Object.entries(wanted)) {
    owners[field] = data[field] === value ? [...(owners[field] ?? []), fieldManager] : [fieldManager];
    data[field] = value;
  }
  return { data, owners, annotations };
}

function conflictsWith(content: Made | undefined, wanted: Fields): readonly ApplyConflict[] {
  return Object.entries(wanted).flatMap(([field, value]) => {
    if (content?.data[field] === undefined || content.data[field] === value) return [];
    const others = (content.owners[field] ?? []).filter((manager) => manager !== fieldManager);
    return others.map((manager) => ({ field: `.data.${field}`, manager }));
  });
}

function sameContent(before: Content | undefined, made: Made): boolean {
  return before !== undefined && before.digest === digestOf(before.uid, made) && sameFields(before.annotations, made.annotations);
}

function sameFields(one: Fields, other: Fields): boolean {
  const fields = Object.keys(one);
  return fields.length === Object.keys(other).length && fields.every((field) => one[field] === other[field]);
}

function digestOf(uid: string, { data, owners }: Made): string {
  return [uid, ...Object.keys(data).toSorted().map((field) => `${field}=${data[field]} ${owners[field]?.toSorted().join(',')}`)].join(';');
}

function contentOf(key: ResourceKey, made: Made, { uid, resourceVersion }: { readonly uid: string; readonly resourceVersion: string }): Content {
  const [, , namespace = '', name = ''] = key.split('/');
  const isMarked = Object.keys(made.annotations).length > 0;
  const owned = (fields: readonly string[]): JsonObject => Object.fromEntries(fields.map((field) => [`f:${field}`, {}]));
  const managers = [...new Set(Object.values(made.owners).flat())].toSorted();
  const managedFields = managers.map((manager) => {
    const fields = Object.keys(made.data).filter((field) => made.owners[field]?.includes(manager) === true);
    const operation = manager === fieldManager ? 'Apply' : 'Update';
    const marks = manager === fieldManager && isMarked ? { 'f:metadata': { 'f:annotations': owned(Object.keys(made.annotations)) } } : {};
    return { manager, operation, apiVersion: 'v1', fieldsV1: { 'f:data': owned(fields), ...marks } };
  });
  const metadata = { name, namespace, uid, resourceVersion, managedFields, ...(isMarked ? { annotations: made.annotations } : {}) };
  const object = { apiVersion: 'v1', kind: 'ConfigMap', metadata, data: made.data };
  return { uid, ...made, object, digest: digestOf(uid, made) };
}
