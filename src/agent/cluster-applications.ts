import { readApplication, readRefresh } from '../apps/index.ts';
import type { ApplicationEvent, ApplicationObjects } from '../cluster/index.ts';
import { canonicalJson, cascadeFinalizer, isList, isObject, labelsOf, namedApplication, type Application, type ApplicationSpec, type Json, type JsonObject, type KubeObject } from '../model/index.ts';
import type { Declared } from '../reconcile/index.ts';
import { mergePatch, type ApplicationStore } from '../status/index.ts';
import type { Declarations } from './declarations.ts';

export interface ClusterApplications extends ApplicationStore {
  take(event: ApplicationEvent): void;
  /** The latest term that left its mark on any of them. */
  latestEpoch(): number;
  /** Whether all that may be seen have been seen once. */
  isListed(): boolean;
}

interface Options {
  readonly objects: Pick<ApplicationObjects, 'get' | 'putStatus'>;
  readonly declarations: Declarations;
  /** How many lists make them all: one for each namespace that is watched. */
  readonly lists: number;
  readonly defaultNamespace: string;
}

/** The Applications in the cluster: what they ask for goes to the declarations, and their statuses are kept in them. */
export function createClusterApplications({ objects, declarations, lists, defaultNamespace }: Options): ClusterApplications {
  const known = new Map<string, { readonly object: KubeObject; readonly wanted: string }>();
  /** Namespaces of which all is known that there is to know. */
  const settled = new Set<string | undefined>();

  function see(object: KubeObject): void {
    const id = idOf(object);
    const wanted = wantedIn(object);
    const before = known.get(id);
    if (before !== undefined && isOlder(object, before.object)) return;
    known.set(id, { object, wanted });
    // Most changes are our own, of the status.
    if (before?.wanted !== wanted) declarations.declare(declaredIn(object, id, defaultNamespace));
  }

  /** An answer comes by another way than the watch, which may have told of the end of the object by then, and of another one in its place. */
  function refresh(object: KubeObject): void {
    if (known.get(idOf(object))?.object.metadata['uid'] === object.metadata['uid']) see(object);
  }

  return {
    find: (id) => known.get(id)?.object,
    async read(id, signal) {
      const object = await objects.get(id, signal);
      if (object !== undefined) refresh(object);
      return object;
    },
    async patchStatus(id, patch, options) {
      const object = known.get(id)?.object;
      if (object === undefined) return { type: 'gone' };
      // It has changed since: only what is on top of the latest may take its place.
      if (object.metadata['resourceVersion'] !== options.resourceVersion) return { type: 'conflict' };
      const answer = await objects.putStatus(id, mergePatch(object['status'], patch), options);
      if (answer.type === 'written') refresh(answer.object);
      return answer;
    },
    isListed: () => settled.size >= lists,
    latestEpoch: () => Math.max(0, ...known.values().map(({ object }) => epochOf(object))),
    take(event) {
      switch (event.type) {
        case 'listed': {
          settled.add(event.namespace);
          const ids = new Set(event.objects.map(idOf));
          for (const [id, { object }] of known) {
            if (ids.has(id) || (event.namespace !== undefined && object.metadata['namespace'] !== event.namespace)) continue;
            known.delete(id);
            declarations.withdraw(id);
          }
          for (const object of event.objects) see(object);
          return;
        }
        case 'changed':
          see(event.object);
          return;
        case 'deleted':
          known.delete(event.id);
          declarations.withdraw(event.id);
          return;
        case 'out-of-sight':
          // One that we may not see does not keep us from the others.
          if (event.code === 'Forbidden') settled.add(event.namespace);
          return;
        case 'in-sight':
      }
    },
  };
}

export function completed(spec: ApplicationSpec, defaultNamespace: string): Application {
  return { ...spec, destination: { namespace: spec.destination.namespace ?? defaultNamespace } };
}

function declaredIn(object: KubeObject, id: string, defaultNamespace: string): Declared {
  const read = readApplication(object);
  if (read.type === 'application') return { type: 'application', application: completed(read.spec, defaultNamespace) };
  const { uid, generation, annotations, deletionTimestamp, finalizers } = object.metadata as Readonly<Record<string, Json>>;
  const application = namedApplication(id, {
    uid: typeof uid === 'string' ? uid : undefined,
    generation: typeof generation === 'number' ? generation : undefined,
    labels: labelsOf(object),
    refresh: readRefresh(annotations),
    deleting: deletionTimestamp !== undefined,
    isHeld: isList(finalizers) && finalizers.includes(cascadeFinalizer),
  });
  return { type: 'invalid', application, message: read.messages.join('; ') };
}

function epochOf({ status }: KubeObject): number {
  const epoch = isObject(status ?? null) ? (status as JsonObject)['epoch'] : 0;
  return typeof epoch === 'number' ? epoch : 0;
}

function idOf({ metadata }: KubeObject): string {
  return `${String(metadata['namespace'])}/${metadata.name}`;
}

/** All that an Application asks for; what only its status changes is left out. */
function wantedIn({ metadata }: KubeObject): string {
  const { uid = null, generation = null, labels = null, annotations = null, deletionTimestamp = null, finalizers = null } = metadata as Readonly<Record<string, Json>>;
  return canonicalJson([uid, generation, labels, annotations, deletionTimestamp, finalizers]);
}

function isOlder(a: KubeObject, b: KubeObject): boolean {
  const [one, other] = [a, b].map(({ metadata }) => Number(metadata['resourceVersion']));
  return a.metadata['uid'] === b.metadata['uid'] && Number.isFinite(one) && Number.isFinite(other) && (one ?? 0) < (other ?? 0);
}
