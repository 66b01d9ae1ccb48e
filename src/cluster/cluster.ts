import {
  fieldManager,
  isSecretKind,
  parseJson,
  stringifyJson,
  type KubeObject,
  type LiveObject,
  type Manifest,
  type Patch,
  type Refusal,
  type ResourceKey,
  type ServedKind,
} from '../model/index.ts';
import { collectionPath } from './collection-path.ts';
import { agentKey, type AgentKeyOptions } from './agent-key.ts';
import { createApplicationObjects, type ApplicationObjects } from './application-objects.ts';
import { askServer, type ServerFacts } from './ask-server.ts';
import { createDefinitions, type Definitions } from './definitions.ts';
import { discover, type KindTable } from './discovery.ts';
import { createEvents, type Events, type EventsOptions } from './events.ts';
import type { Connection } from './kubeconfig.ts';
import { createLease, type Lease, type LeasePlace } from './lease.ts';
import type { ApplicationQuery } from './list-applications.ts';
import { listKind } from './list-kind.ts';
import { listObjects } from './list-objects.ts';
import { may, type Right } from './may.ts';
import { applyRefusal, readRefusal } from './object-refusal.ts';
import { podsOf } from './pods-of.ts';
import { createSchemas, type KindSchema } from './schemas.ts';
import { createSilences, type Silences, type SilencesOptions } from './silences.ts';
import { createTransport, type ApiAnswer } from './transport.ts';
import { userName } from './user-name.ts';
import { createLiveCache, type LiveCache, type LiveCacheOptions } from './watch/live-cache.ts';
import { objectPath, placePath } from './write/target-path.ts';
import { createWrites, type Writes } from './write/writes.ts';

/** An object to ask about: what Git wants of it, and the kind that the server serves it as. */
export interface Target {
  readonly manifest: Manifest;
  readonly kind: ServedKind;
}

/** As much of it as a watch needs. */
export interface Followable {
  readonly manifest: Pick<Manifest, 'key'>;
  readonly kind: ServedKind;
}

export type Reading =
  | { readonly type: 'live'; readonly live: LiveObject }
  | { readonly type: 'absent' }
  | Extract<Refusal, { type: 'unknown' }>;
export type Prediction = { readonly type: 'predicted'; readonly object: KubeObject } | Refusal;

interface ClusterOptions {
  /** Where compiled schemas are kept, so that the next process need not fetch them. */
  readonly schemaCache?: string;
}

/** Methods throw only when the cluster as a whole is out of reach or refuses the user. */
export interface Cluster extends Writes {
  discover(signal: AbortSignal): Promise<KindTable>;
  /** The schema of a kind as the last discovery saw it; undefined where the cluster has none. */
  schemaOf(kind: ServedKind, signal: AbortSignal): Promise<KindSchema | undefined>;
  read(target: Target, signal: AbortSignal): Promise<Reading>;
  /** Reads many objects in few requests, where that pays. What it does not answer for is to be read one by one. */
  readMany(targets: readonly Target[], signal: AbortSignal): Promise<ReadonlyMap<ResourceKey, Reading>>;
  /** All objects of a kind in a namespace; none where they may not be listed. */
  list(kind: ServedKind, namespace: string, signal: AbortSignal): Promise<readonly KubeObject[]>;
  /** Tries the manifest on the server without changing anything: what would the object be? */
  predict(target: Target, signal: AbortSignal): Promise<Prediction>;
  /** Likewise, for a patch of the live object (RFC 6902). */
  predictPatch(target: Target, patch: Patch, signal: AbortSignal): Promise<Prediction>;
  /** Some of the pods that a workload selects; none where they may not be seen. */
  podsOf(workload: KubeObject, signal: AbortSignal): Promise<readonly KubeObject[]>;
  /** Keeps objects in sight from now on. Ends with the cluster, if not before. */
  watch(options: Omit<LiveCacheOptions, 'transport'>): LiveCache;
  /** Discovery for a process that stays. Ended by `close`. */
  watchDefinitions(options: { readonly log: LiveCacheOptions['log']; readonly now: () => Date }): Definitions;
  /** On connections of its own: a lease must not wait behind other requests. */
  lease(place: LeasePlace): Lease;
  events(options: EventsOptions): Events;
  /** The key that agents of this namespace share; made where there is none. */
  agentKey(options: AgentKeyOptions, signal: AbortSignal): Promise<string>;
  /** The Applications that it holds. Their watches end with the cluster. */
  applications(): ApplicationObjects;
  /** All objects of a kind, such as those of another tool. Throws where they may not be listed. */
  listKind(kind: ServedKind & Pick<ApplicationQuery, 'namespaces'>, signal: AbortSignal): Promise<readonly KubeObject[]>;
  /** What keeps alerts of the agent in a namespace quiet. */
  silences(options: SilencesOptions): Silences;
  /** Who the user of this connection is; undefined where the server does not tell. */
  userName(signal: AbortSignal): Promise<string | undefined>;
  /** Whether the user of this connection has a right. Changes nothing. */
  may(right: Right, signal: AbortSignal): Promise<boolean>;
  /** What the server says of itself, and how far away it is. */
  askServer(signal: AbortSignal): Promise<ServerFacts>;
  close(): Promise<void>;
}

export function createCluster(connection: Connection, { schemaCache }: ClusterOptions = {}): Cluster {
  const transport = createTransport(connection);
  const schemas = createSchemas(transport, { cacheFolder: schemaCache });
  const watches: { close(): Promise<void> }[] = [];
  const discoverAnew = (signal: AbortSignal): Promise<KindTable> => {
    schemas.refresh();
    return discover(transport, signal);
  };
  return {
    ...createWrites(transport),
    discover: discoverAnew,
    schemaOf: (kind, signal) => schemas.find(kind, signal),
    async read(target, signal) {
      const answer = await transport.send({ method: 'GET', path: objectPath(target), signal });
      if (answer.status !== 200) return readRefusal(answer, target);
      return liveReading(target, parseJson(answer.text) as KubeObject);
    },
    podsOf: (workload, signal) => podsOf(workload, transport, signal),
    async readMany(targets, signal) {
      const readings = new Map<ResourceKey, Reading>();
      for (const [path, group] of Map.groupBy(targets.filter(mayBeListed), placePath)) {
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
    async list(kind, namespace, signal) {
      const objects = await listObjects({ transport, path: collectionPath(kind, namespace), kind, signal });
      return [...(objects?.values() ?? [])];
    },
    async predict(target, signal) {
      const answer = await transport.send({
        method: 'PATCH',
        path: objectPath(target),
        query: { fieldManager, fieldValidation: 'Strict', force: 'true', dryRun: 'All' },
        contentType: 'application/apply-patch+yaml',
        body: stringifyJson(target.manifest.object),
        signal,
      });
      return predictionOf(answer, target);
    },
    async predictPatch(target, operations, signal) {
      const answer = await transport.send({
        method: 'PATCH',
        path: objectPath(target),
        query: { fieldManager, fieldValidation: 'Strict', dryRun: 'All' },
        contentType: 'application/json-patch+json',
        body: stringifyJson(operations),
        signal,
      });
      return predictionOf(answer, target);
    },
    watch(options) {
      const cache = createLiveCache({ ...options, transport });
      watches.push(cache);
      return cache;
    },
    watchDefinitions({ log, now }) {
      const definitions = createDefinitions({ transport, discover: discoverAnew, log, now });
      watches.push(definitions);
      return definitions;
    },
    lease(place) {
      const own = createTransport(connection);
      watches.push(own);
      return createLease(own, place);
    },
    events: (options) => createEvents(transport, options),
    agentKey: (options, signal) => agentKey(transport, options, signal),
    applications() {
      const applications = createApplicationObjects(transport);
      watches.push(applications);
      return applications;
    },
    listKind: (kind, signal) => listKind(transport, kind, signal),
    silences: (options) => createSilences(transport, options),
    userName: (signal) => userName(transport, signal),
    may: (right, signal) => may(transport, right, signal),
    askServer: (signal) => askServer(transport, { now: Date.now, monotonic: () => performance.now() }, signal),
    async close() {
      await Promise.all(watches.map((watch) => watch.close()));
      await transport.close();
    },
  };
}

// From here on one list costs less than as many single reads.
const listFrom = 8;

/** Secrets are read by name only: a list would bring in those of others. */
function mayBeListed({ kind }: Target): boolean {
  return !isSecretKind(kind);
}

function predictionOf(answer: ApiAnswer, target: Target): Prediction {
  if (answer.status === 200) return { type: 'predicted', object: parseJson(answer.text) as KubeObject };
  if (answer.status === 201) return { type: 'unknown', code: 'ObjectUnsettled', message: 'it was deleted while it was compared' };
  return applyRefusal(answer, target);
}

function liveReading({ manifest }: Target, object: KubeObject): Reading {
  return { type: 'live', live: { key: manifest.key, object, resourceVersion: resourceVersionOf(object) } };
}

function resourceVersionOf({ metadata }: KubeObject): string {
  const { resourceVersion } = metadata;
  return typeof resourceVersion === 'string' ? resourceVersion : '';
}
