import type { Declared } from '../../../src/reconcile/index.ts';
import { isList, isObject, namedApplication, plainApplication, type Application, type ApplicationPause, type ApplicationPolicy, type Json, type JsonObject, type KubeObject, type SyncRequest } from '../../../src/model/index.ts';

/** What people decide about an application. */
export interface Wishes {
  /** Somebody writes what means nothing at times. */
  readonly isValid: boolean;
  readonly policy: Pick<ApplicationPolicy, 'deploy' | 'drift' | 'prune'>;
  readonly pause: ApplicationPause | undefined;
  readonly refresh: string | undefined;
  readonly sync: SyncRequest | undefined;
  /** The operation that is to end. */
  readonly terminate: string | undefined;
}

/** One Application from one write to the next. */
export interface StoredApplication {
  readonly id: string;
  readonly object: KubeObject;
  /** As it is while it is valid. */
  readonly application: Application;
  readonly declared: Declared;
  readonly wishes: Wishes;
}

export type StatusWritten = { readonly type: 'written'; readonly object: KubeObject } | { readonly type: 'conflict' | 'gone' };

/** The Applications as the API server keeps them. */
export interface ApplicationServer {
  all(): readonly StoredApplication[];
  find(id: string): StoredApplication | undefined;
  create(name: string, wishes: Wishes): void;
  change(id: string, wishes: Partial<Wishes>): void;
  /** An annotation that means nothing to us: only the version moves. */
  touch(id: string): void;
  remove(id: string): void;
  patchStatus(id: string, patch: JsonObject, resourceVersion: string): StatusWritten;
}

export interface ApplicationChange {
  readonly id: string;
  readonly version: number;
  /** Undefined: it was deleted. */
  readonly stored: StoredApplication | undefined;
}

export interface ApplicationServerOptions {
  readonly repository: string;
  readonly revision: string;
  readonly nextVersion: () => string;
  readonly changed: (change: ApplicationChange) => void;
}

const namespace = 'setpoint';

/** Objects are in a namespace that has the name of their application. */
export function applicationId(name: string): string {
  return `${namespace}/${name}`;
}

export function createApplicationServer({ repository, revision, nextVersion, changed }: ApplicationServerOptions): ApplicationServer {
  const stored = new Map<string, StoredApplication>();

  function store(name: string, { wishes, uid, generation, status }: Pick<StoredApplication, 'wishes'> & Parts): void {
    const id = applicationId(name);
    const resourceVersion = nextVersion();
    const metadata = { name, namespace, uid, generation, resourceVersion };
    const object: KubeObject = { apiVersion: 'setpoint.dev/v1alpha1', kind: 'Application', metadata, ...(status === undefined ? {} : { status }) };
    const before = stored.get(id);
    // The very same value while nobody wants anything else.
    const isSame = before?.wishes === wishes && before.application.uid === uid && before.application.generation === generation;
    const application = isSame ? before.application : applicationOf({ id, name, uid, generation, wishes });
    const declared: Declared = wishes.isValid ? { type: 'application', application } : { type: 'invalid', application: namedApplication(id, { uid, generation, refresh: application.refresh }), message: 'it makes no sense' };
    const made = { id, object, application, declared, wishes };
    stored.set(id, made);
    changed({ id, version: Number(resourceVersion), stored: made });
  }

  function applicationOf({ id, name, uid, generation, wishes: { policy, pause, refresh, sync, terminate } }: Pick<Application, 'id' | 'name' | 'uid' | 'generation'> & Pick<StoredApplication, 'wishes'>): Application {
    const source = { repository, revision, path: name, ref: undefined, options: {} };
    return plainApplication({
      ...{ id, name, namespace, uid, generation, pause, refresh, sync, terminate, sources: [source], destination: { namespace: name } },
      policy: { ...policy, foreignFields: 'Report' },
    });
  }

  function again(id: string, change: Partial<Parts & Pick<StoredApplication, 'wishes'>>): void {
    const before = stored.get(id);
    if (before !== undefined) store(before.application.name, { wishes: before.wishes, ...partsOf(before), ...change });
  }

  return {
    all: () => [...stored.values()],
    find: (id) => stored.get(id),
    create: (name, wishes) => store(name, { wishes, uid: `uid-${nextVersion()}`, generation: 1, status: undefined }),
    change(id, wishes) {
      const before = stored.get(id);
      if (before === undefined) return;
      const { generation } = partsOf(before);
      again(id, { wishes: { ...before.wishes, ...wishes }, generation: generation + ('policy' in wishes || 'isValid' in wishes ? 1 : 0) });
    },
    touch: (id) => again(id, {}),
    remove(id) {
      if (stored.delete(id)) changed({ id, version: Number(nextVersion()), stored: undefined });
    },
    patchStatus(id, patch, resourceVersion) {
      const before = stored.get(id);
      if (before === undefined) return { type: 'gone' };
      if (before.object.metadata['resourceVersion'] !== resourceVersion) return { type: 'conflict' };
      again(id, { status: merged(partsOf(before).status ?? {}, patch) });
      return { type: 'written', object: (stored.get(id) ?? before).object };
    },
  };
}

interface Parts {
  readonly uid: string;
  readonly generation: number;
  readonly status: JsonObject | undefined;
}

function partsOf({ object, application: { uid = '', generation = 0 } }: StoredApplication): Parts {
  return { uid, generation, status: object['status'] as JsonObject | undefined };
}

/** A JSON merge patch, as the server does it: null takes a field away, also one within a list. */
function merged(before: Json | undefined, patch: JsonObject): JsonObject {
  const result: Record<string, Json> = isObject(before) ? { ...before } : {};
  for (const [field, value] of Object.entries<Json>(patch)) {
    if (value === null) delete result[field];
    else result[field] = isObject(value) ? merged(result[field], value) : withoutNulls(value);
  }
  return result;
}

function withoutNulls(value: Json): Json {
  if (isList(value)) return value.map(withoutNulls);
  if (!isObject(value)) return value;
  return Object.fromEntries(Object.entries<Json>(value).flatMap(([field, item]) => (item === null ? [] : [[field, withoutNulls(item)]])));
}
