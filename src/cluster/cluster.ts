import {
  fieldManager,
  isSecretKind,
  parseJson,
  stringifyJson,
  type ErrorCode,
  type KubeObject,
  type LiveObject,
  type Manifest,
  type ResourceKey,
  type Schema,
  type ServedKind,
} from '../model/index.ts';
import { discover, type KindTable } from './discovery.ts';
import type { Connection } from './kubeconfig.ts';
import { listObjects } from './list-objects.ts';
import { applyRefusal, conflictsOf, readRefusal, type Conflict } from './object-refusal.ts';
import { createSchemas } from './schemas.ts';
import { createTransport, type ApiAnswer } from './transport.ts';

/** An object to ask about: what Git wants of it, and the kind that the server serves it as. */
export interface Target {
  readonly manifest: Manifest;
  readonly kind: ServedKind;
}

/** Why one object could not be read, tried or applied. Its own trouble, not the cluster's. */
export type Trouble =
  | { readonly type: 'invalid'; readonly message: string }
  | { readonly type: 'unknown'; readonly code: ErrorCode; readonly message: string };

export type Reading = { readonly type: 'live'; readonly live: LiveObject } | { readonly type: 'absent' } | Trouble;
export type Prediction = { readonly type: 'predicted'; readonly object: KubeObject } | Trouble;
export type Applied =
  | { readonly type: 'applied'; readonly object: KubeObject }
  | { readonly type: 'conflict'; readonly conflicts: readonly Conflict[] }
  | Trouble;

/** Methods throw only when the cluster as a whole is out of reach or refuses the user. */
export interface Cluster {
  discover(signal: AbortSignal): Promise<KindTable>;
  /** The schema of a kind as the last discovery saw it; undefined where the cluster has none. */
  schemaOf(kind: ServedKind, signal: AbortSignal): Promise<Schema | undefined>;
  read(target: Target, signal: AbortSignal): Promise<Reading>;
  /** Reads many objects in few requests, where that pays. What it does not answer for is to be read one by one. */
  readMany(targets: readonly Target[], signal: AbortSignal): Promise<ReadonlyMap<ResourceKey, Reading>>;
  /** Tries the manifest on the server without changing anything: what would the object be? */
  predict(target: Target, signal: AbortSignal): Promise<Prediction>;
  apply(target: Target, options: { readonly force: boolean; readonly signal: AbortSignal }): Promise<Applied>;
  close(): Promise<void>;
}

export function createCluster(connection: Connection): Cluster {
  const transport = createTransport(connection);
  const schemas = createSchemas(transport);
  const patch = (target: Target, query: Readonly<Record<string, string>>, signal: AbortSignal): Promise<ApiAnswer> =>
    transport.send({
      method: 'PATCH',
      path: objectPath(target),
      query: { fieldManager, fieldValidation: 'Strict', ...query },
      contentType: 'application/apply-patch+yaml',
      body: stringifyJson(target.manifest.object),
      signal,
    });
  return {
    discover(signal) {
      schemas.refresh();
      return discover(transport, signal);
    },
    schemaOf: (kind, signal) => schemas.of(kind, signal),
    async read(target, signal) {
      const answer = await transport.send({ method: 'GET', path: objectPath(target), signal });
      if (answer.status !== 200) return readRefusal(answer, target);
      return liveReading(target, parseJson(answer.text) as KubeObject);
    },
    async readMany(targets, signal) {
      const readings = new Map<ResourceKey, Reading>();
      for (const [path, group] of Map.groupBy(targets.filter(mayBeListed), collectionPath)) {
        const [first] = group;
        if (first === undefined || group.length < listFrom) continue;
        const objects = await listObjects({ transport, path, kind: first.kind, signal });
        if (objects === undefined) continue;
        for (const target of group) {
          const object = objects.get(target.manifest.object.metadata.name);
          readings.set(target.manifest.key, object === undefined ? { type: 'absent' } : liveReading(target, object));
        }
      }
      return readings;
    },
    async predict(target, signal) {
      const answer = await patch(target, { force: 'true', dryRun: 'All' }, signal);
      if (answer.status === 200) return { type: 'predicted', object: parseJson(answer.text) as KubeObject };
      if (answer.status === 201) return { type: 'unknown', code: 'ObjectUnsettled', message: 'it was deleted while it was compared' };
      return applyRefusal(answer, target);
    },
    async apply(target, { force, signal }) {
      const answer = await patch(target, { force: String(force) }, signal);
      if (answer.status === 200 || answer.status === 201) {
        return { type: 'applied', object: parseJson(answer.text) as KubeObject };
      }
      const conflicts = conflictsOf(answer);
      return conflicts.length > 0 ? { type: 'conflict', conflicts } : applyRefusal(answer, target);
    },
    close: () => transport.close(),
  };
}

// From here on one list costs less than as many single reads.
const listFrom = 8;

/** Secrets are read by name only: a list would bring in those of others. */
function mayBeListed({ kind }: Target): boolean {
  return !isSecretKind(kind);
}

function collectionPath({ manifest, kind }: Target): string {
  const { namespace } = manifest.object.metadata;
  const root = kind.group === '' ? `/api/${kind.version}` : `/apis/${kind.group}/${kind.version}`;
  const scope = kind.namespaced && namespace !== undefined ? `/namespaces/${encodeURIComponent(namespace)}` : '';
  return `${root}${scope}/${kind.resource}`;
}

function objectPath(target: Target): string {
  return `${collectionPath(target)}/${encodeURIComponent(target.manifest.object.metadata.name)}`;
}

function liveReading({ manifest }: Target, object: KubeObject): Reading {
  return { type: 'live', live: { key: manifest.key, object, resourceVersion: resourceVersionOf(object) } };
}

function resourceVersionOf({ metadata }: KubeObject): string {
  const { resourceVersion } = metadata;
  return typeof resourceVersion === 'string' ? resourceVersion : '';
}
