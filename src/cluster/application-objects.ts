import { applicationKind, cascadeFinalizer, fieldManager, isList, parseJson, stringifyJson, type ErrorCode, type Json, type JsonObject, type KubeObject, type Refusal } from '../model/index.ts';
import type { Log } from '../telemetry/index.ts';
import { applicationRefusal, definitionMissing } from './application-refusal.ts';
import { collectionPath } from './collection-path.ts';
import { listApplications, type ApplicationQuery } from './list-applications.ts';
import { refusal, statusBody } from './refusal.ts';
import type { ApiAnswer, Transport } from './transport.ts';
import { defaultPacing, type WatchPacing } from './watch/pacing.ts';
import type { Place } from './watch/place.ts';
import type { Observer } from './watch/place-view.ts';
import { createReflector } from './watch/reflector.ts';
import { resourceVersionOf } from './watch/resource-version.ts';
import { createTurns } from './watch/turns.ts';
import { createWatchHealth, type WatchHealth, type WatchTrouble } from './watch/watch-health.ts';

export type ApplicationEvent =
  /** All that there are in a namespace, or in all of them where none is named: comes once for each, before anything else from there. */
  | { readonly type: 'listed'; readonly namespace: string | undefined; readonly objects: readonly KubeObject[] }
  | { readonly type: 'changed'; readonly object: KubeObject }
  | { readonly type: 'deleted'; readonly id: string; readonly uid: string }
  /** What was told says nothing about now. It is no reason to forget any of it. */
  | { readonly type: 'out-of-sight'; readonly namespace: string | undefined; readonly code: ErrorCode; readonly message: string }
  | { readonly type: 'in-sight'; readonly namespace: string | undefined };

export interface ApplicationWatchOptions {
  readonly namespaces: 'all' | readonly string[];
  readonly onChange: (event: ApplicationEvent) => void;
  readonly log: Pick<Log, 'info' | 'warn' | 'error'>;
  readonly now: () => Date;
  readonly pacing?: Partial<WatchPacing>;
  /** In [0, 1). */
  readonly random?: () => number;
}

export interface ApplicationWatch {
  /** Whether a change in any of the namespaces would be noticed now. */
  inSight(): boolean;
  /** Why not, for each namespace where it would not. */
  troubles(): readonly (WatchTrouble & { readonly namespace: string | undefined })[];
  close(): Promise<void>;
}

export type ApplicationWritten =
  | { readonly type: 'written'; readonly object: KubeObject }
  /** It is no longer as it was at that version: it is to be read again first. */
  | { readonly type: 'conflict' }
  /** There is no such Application any more. */
  | { readonly type: 'gone' }
  | Refusal;

/** The Applications in the cluster, by `namespace/name`. Methods throw only when the cluster is out of reach or refuses the user. */
export interface ApplicationObjects {
  /** Keeps them in sight from now on. Ends with the cluster, if not before. */
  watch(options: ApplicationWatchOptions): ApplicationWatch;
  list(query: ApplicationQuery, signal: AbortSignal): Promise<readonly KubeObject[]>;
  /** Undefined: the server says that there is none. */
  get(id: string, signal: AbortSignal): Promise<KubeObject | undefined>;
  /** The whole status of an Application, in place of the one that it had at a version. The server is done with it sooner than with a patch. */
  putStatus(id: string, status: JsonObject, options: { readonly resourceVersion: string; readonly signal: AbortSignal }): Promise<ApplicationWritten>;
  /** Sets or removes our finalizer, and leaves those of others. */
  hold(id: string, options: { readonly isHeld: boolean }, signal: AbortSignal): Promise<ApplicationWritten>;
  /** Sets annotations, and removes those that are null. */
  annotate(id: string, annotations: Readonly<Record<string, string | null>>, signal: AbortSignal): Promise<ApplicationWritten>;
  close(): Promise<void>;
}

export function createApplicationObjects(transport: Transport): ApplicationObjects {
  const watches: ApplicationWatch[] = [];
  const write = async (place: WritePlace, request: { readonly method: 'PATCH' | 'PUT'; readonly contentType: string; readonly body: Json }, signal: AbortSignal): Promise<ApplicationWritten> => {
    const answer = await transport.send({ ...request, path: pathOf(place), query: { fieldManager }, body: stringifyJson(request.body), signal });
    if (answer.status === 200) return { type: 'written', object: parseJson(answer.text) as KubeObject };
    return refusedWrite(answer, place, request.method === 'PUT' ? 'update' : 'patch');
  };
  const patch = (place: WritePlace, body: Json, signal: AbortSignal): Promise<ApplicationWritten> => write(place, { method: 'PATCH', contentType: 'application/merge-patch+json', body }, signal);
  const get = async (id: string, signal: AbortSignal): Promise<KubeObject | undefined> => {
    const place = placeOf(id);
    const answer = await transport.send({ method: 'GET', path: pathOf(place), signal });
    if (answer.status === 200) return parseJson(answer.text) as KubeObject;
    const said = statusBody(answer);
    if (answer.status === 404 && said?.reason === 'NotFound' && said.details['name'] === place.name) return undefined;
    throw applicationRefusal(answer, 'get', place.namespace);
  };
  return {
    watch(options) {
      const watch = watchApplications(transport, options);
      watches.push(watch);
      return watch;
    },
    list: (query, signal) => listApplications(transport, query, signal),
    get,
    putStatus(id, status, { resourceVersion, signal }) {
      const { namespace, name } = placeOf(id);
      const { group, version, kind } = applicationKind;
      // The server takes nothing but the status from it.
      const body = { apiVersion: `${group}/${version}`, kind, metadata: { namespace, name, resourceVersion }, status };
      return write({ namespace, name, subresource: 'status' }, { method: 'PUT', contentType: 'application/json', body }, signal);
    },
    async hold(id, { isHeld }, signal) {
      const object = await get(id, signal);
      if (object === undefined) return { type: 'gone' };
      const { finalizers, resourceVersion = '' } = object.metadata;
      const others = (isList(finalizers) ? finalizers : []).filter((finalizer) => finalizer !== cascadeFinalizer);
      return patch(placeOf(id), { metadata: { resourceVersion, finalizers: isHeld ? [...others, cascadeFinalizer] : others } }, signal);
    },
    annotate: (id, annotations, signal) => patch(placeOf(id), { metadata: { annotations } }, signal),
    async close() {
      await Promise.all(watches.map((watch) => watch.close()));
    },
  };
}

interface WritePlace {
  readonly namespace: string;
  readonly name: string;
  readonly subresource?: 'status';
}

function placeOf(id: string): WritePlace {
  const [namespace = '', name = ''] = id.split('/', 2);
  if (namespace === '' || name === '') throw new RangeError(`an Application in the cluster is known as namespace/name, got ${id}`);
  return { namespace, name };
}

function pathOf({ namespace, name, subresource }: WritePlace): string {
  return `${collectionPath(applicationKind, namespace)}/${encodeURIComponent(name)}${subresource === undefined ? '' : `/${subresource}`}`;
}

function refusedWrite(answer: ApiAnswer, { namespace, name, subresource }: WritePlace, verb: 'patch' | 'update'): ApplicationWritten {
  const status = statusBody(answer);
  const resource = `${applicationKind.resource}.${applicationKind.group}`;
  const what = `${verb} ${resource}${subresource === undefined ? '' : `/${subresource}`} in namespace ${namespace}`;
  const message = status?.message ?? `the cluster answered ${answer.status}`;
  switch (answer.status) {
    case 401:
      throw refusal(answer, what);
    case 403:
      return { type: 'unknown', code: 'Forbidden', message: `not allowed to ${what}: ask for that right` };
    case 404:
      // Absence is said by the API server about this very object.
      if (status?.reason === 'NotFound' && status.details['name'] === name) return { type: 'gone' };
      return status === undefined ? { type: 'unknown', code: 'ClusterError', message } : { type: 'unknown', code: 'KindNotServed', message: `the cluster does not serve ${resource}` };
    case 409:
      return { type: 'conflict' };
    case 400:
    case 413:
    case 422:
      return { type: 'invalid', message };
    default:
      return { type: 'unknown', code: 'ClusterError', message };
  }
}

// Who installs the definition, or gives the right, wants to see that it works.
const slowRetryMs = 15_000;

function watchApplications(transport: Transport, { namespaces, onChange, log, now, pacing, random = Math.random }: ApplicationWatchOptions): ApplicationWatch {
  const places: readonly Place[] = namespaces === 'all' ? [{ kind: applicationKind }] : namespaces.map((namespace) => ({ kind: applicationKind, namespace }));
  const chance = { pacing: { ...defaultPacing, slowRetryMs, ...pacing }, random };
  const takeTurn = createTurns(places.length);
  const watches = places.map((place) => {
    const { namespace } = place;
    const turned = (): void => {
      const trouble = troubleOf(health);
      onChange(trouble === undefined ? { type: 'in-sight', namespace } : { type: 'out-of-sight', namespace, ...trouble });
    };
    const health = createWatchHealth({ place, trustMs: chance.pacing.trustMs, now, turned });
    const observer = observe(namespace, onChange);
    return { namespace, health, reflector: createReflector({ place, transport, chance, now, log, health, observer, takeTurn, attempted: () => undefined }) };
  });
  return {
    inSight: () => watches.every(({ health }) => health.trouble() === undefined),
    troubles: () => watches.flatMap(({ namespace, health }) => {
      const trouble = troubleOf(health);
      return trouble === undefined ? [] : [{ namespace, ...trouble }];
    }),
    async close() {
      for (const { health } of watches) health.close();
      await Promise.all(watches.map(({ reflector }) => reflector.stop()));
    },
  };
}

/** Tells of one place: first all, then what changes. What a later list no longer has was deleted meanwhile. */
function observe(namespace: string | undefined, tell: (event: ApplicationEvent) => void): Observer {
  let known: Map<string, { readonly uid: string; readonly version: string }> | undefined;
  const changed = (object: KubeObject): void => {
    known?.set(idOf(object), { uid: uidOf(object), version: resourceVersionOf(object) });
    tell({ type: 'changed', object: withoutManagers(object) });
  };
  const deleted = (id: string, uid: string): void => {
    known?.delete(id);
    tell({ type: 'deleted', id, uid });
  };
  return {
    listing() {
      const objects = new Map<string, KubeObject>();
      return {
        item: (object) => void objects.set(idOf(object), object),
        ended() {
          if (known === undefined) {
            known = new Map([...objects].map(([id, object]) => [id, { uid: uidOf(object), version: resourceVersionOf(object) }]));
            tell({ type: 'listed', namespace, objects: [...objects.values()].map(withoutManagers) });
            return;
          }
          for (const [id, { uid }] of [...known]) if (!objects.has(id)) deleted(id, uid);
          for (const [id, object] of objects) if (known.get(id)?.version !== resourceVersionOf(object)) changed(object);
        },
      };
    },
    changed,
    deleted: (object) => deleted(idOf(object), uidOf(object)),
  };
}

function troubleOf(health: WatchHealth): WatchTrouble | undefined {
  const trouble = health.trouble();
  if (trouble === undefined) return undefined;
  const { code, message } = trouble;
  return { code, message: code === 'KindNotServed' ? definitionMissing : message };
}

function idOf({ metadata }: KubeObject): string {
  return `${metadata.namespace ?? ''}/${metadata.name}`;
}

function uidOf({ metadata }: KubeObject): string {
  return typeof metadata['uid'] === 'string' ? metadata['uid'] : '';
}

/** Who wrote which field of an Application is of no use here, and often longer than the rest. */
function withoutManagers(object: KubeObject): KubeObject {
  const { managedFields: _managers, ...metadata } = object.metadata;
  return { ...object, metadata };
}
