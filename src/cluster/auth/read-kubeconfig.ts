import { existsSync, readFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { delimiter, dirname, isAbsolute, join, resolve } from 'node:path';
import type { Cluster, Context, User } from '@kubernetes/client-node';
// Not from the whole library: its API of a thousand modules, none of which is used here, takes 85 MB and half a second.
import { newClusters, newContexts, newUsers } from '@kubernetes/client-node/dist/config_types.js';
import { parseDocument } from 'yaml';
import { isList, isObject, SetpointError, valueAt, whyUnreadable, type Json, type JsonObject } from '../../model/index.ts';

export interface KubeconfigOptions {
  readonly file?: string | undefined;
  readonly context?: string | undefined;
  readonly env?: Readonly<Record<string, string | undefined>>;
  /** Stands before the folder where a pod finds its account. */
  readonly podRoot?: string;
}

/** What @kubernetes/client-node makes of an entry, and the entry itself: there is more in it than the library keeps. */
export interface ClusterEntry extends Omit<Cluster, 'caFile'> {
  readonly caFile?: string | undefined;
  readonly raw: JsonObject;
}

export interface UserEntry extends Omit<User, 'certFile' | 'keyFile'> {
  readonly certFile?: string | undefined;
  readonly keyFile?: string | undefined;
  readonly tokenFile: string | undefined;
  readonly raw: JsonObject;
}

/** One context of the kubeconfig, with what it refers to. */
export interface Kubeconfig {
  readonly context: string;
  readonly namespace: string | undefined;
  readonly cluster: ClusterEntry;
  /** Undefined where the context names none: then we are nobody in particular. */
  readonly user: UserEntry | undefined;
}

interface Entries {
  readonly contexts: readonly Context[];
  readonly clusters: readonly ClusterEntry[];
  readonly users: readonly UserEntry[];
  readonly currentContext: string | undefined;
}

/** Finds the kubeconfig as kubectl does: the flag, KUBECONFIG, ~/.kube/config, the pod's own account. */
export function readKubeconfig({ file, context, env = process.env, podRoot = '' }: KubeconfigOptions): Kubeconfig {
  const listed = file === undefined ? (env['KUBECONFIG'] ?? '').split(delimiter).filter((name) => name !== '') : [file];
  const files = listed.length === 0 ? [join(homedir(), '.kube', 'config')] : listed;
  if (file !== undefined && !existsSync(file)) {
    throw new SetpointError('KubeconfigInvalid', `no kubeconfig at ${file}: check --kubeconfig`);
  }
  const where = files.join(delimiter);
  const present = files.filter((name) => existsSync(name));
  if (present.length > 0) return select(merge(present.map(readFile)), { where, context });
  const pod = readPodAccount(env, podRoot);
  if (pod !== undefined) return select(pod, { where: 'the pod', context });
  throw new SetpointError('KubeconfigInvalid', `no kubeconfig found (${where}): give --kubeconfig, or set KUBECONFIG`);
}

function readFile(file: string): Entries {
  try {
    const raw = parseYaml(readFileSync(file, 'utf8'));
    if (raw === null) return { contexts: [], clusters: [], users: [], currentContext: undefined };
    // What another context than ours lacks is no concern of ours.
    const options = { onInvalidEntry: 'filter' } as const;
    const entries = (list: string): Json | undefined => valueAt(raw, [list]);
    const folder = dirname(file);
    const currentContext = entries('current-context');
    return {
      contexts: newContexts(entries('contexts'), options),
      clusters: newClusters(entries('clusters'), options).map((cluster) => clusterEntry(cluster, rawEntry({ raw, list: 'clusters', key: 'cluster', name: cluster.name }), folder)),
      users: newUsers(entries('users'), options).map((user) => userEntry(user, rawEntry({ raw, list: 'users', key: 'user', name: user.name }), folder)),
      currentContext: typeof currentContext === 'string' ? currentContext : undefined,
    };
  } catch (error) {
    // An alias without its anchor is quoted, and may be a token.
    const cause = (error as Error).name === 'ReferenceError' ? new Error('it is no YAML') : (error as Error);
    const why = 'syscall' in cause ? whyUnreadable(cause) : cause.message;
    throw new SetpointError('KubeconfigInvalid', `the kubeconfig ${file} cannot be read: ${why}`, { cause });
  }
}

function parseYaml(text: string): Json {
  const document = parseDocument(text, { merge: true, prettyErrors: false, logLevel: 'error' });
  const [mistake] = document.errors;
  if (mistake !== undefined) throw new Error(`it is no YAML, see line ${text.slice(0, mistake.pos[0]).split('\n').length}`);
  return document.toJS() as Json;
}

interface RawEntry {
  readonly raw: Json;
  readonly list: string;
  readonly key: string;
  readonly name: string;
}

function rawEntry({ raw, list, key, name }: RawEntry): JsonObject {
  const entries = valueAt(raw, [list]);
  const entry = isList(entries) ? entries.find((candidate) => valueAt(candidate, ['name']) === name) : undefined;
  const value = valueAt(entry, [key]);
  return isObject(value) ? value : {};
}

/** Paths in a kubeconfig are relative to it. */
function absolutePath(folder: string): (path: string | undefined) => string | undefined {
  // What is not given is null for the library, whatever its types say.
  return (path) => (typeof path !== 'string' || path === '' ? undefined : isAbsolute(path) ? path : resolve(folder, path));
}

function clusterEntry(cluster: Cluster, raw: JsonObject, folder: string): ClusterEntry {
  return { ...cluster, caFile: absolutePath(folder)(cluster.caFile), raw };
}

/** A command is a path only where it has a separator. */
function userEntry(user: User, raw: JsonObject, folder: string): UserEntry {
  const { tokenFile, exec } = raw;
  const absolute = absolutePath(folder);
  const command = isObject(exec) ? exec['command'] : undefined;
  const isPath = typeof command === 'string' && command.includes('/');
  return {
    ...user,
    certFile: absolute(user.certFile),
    keyFile: absolute(user.keyFile),
    tokenFile: typeof tokenFile === 'string' ? absolute(tokenFile) : undefined,
    raw: isObject(exec) && isPath ? { ...raw, exec: { ...exec, command: absolute(command) ?? command } } : raw,
  };
}

/** Of several files the first that has a name, or a current context, says what it is. */
function merge(files: readonly Entries[]): Entries {
  const first = <T extends { readonly name: string }>(entries: readonly T[]): readonly T[] =>
    entries.filter(({ name }, at) => entries.findIndex((other) => other.name === name) === at);
  return {
    contexts: first(files.flatMap(({ contexts }) => contexts)),
    clusters: first(files.flatMap(({ clusters }) => clusters)),
    users: first(files.flatMap(({ users }) => users)),
    currentContext: files.map(({ currentContext }) => currentContext).find((name) => name !== undefined && name !== ''),
  };
}

function readPodAccount(env: Readonly<Record<string, string | undefined>>, podRoot: string): Entries | undefined {
  const host = env['KUBERNETES_SERVICE_HOST'] ?? '';
  const account = join(podRoot, '/var/run/secrets/kubernetes.io/serviceaccount');
  const tokenFile = join(account, 'token');
  if (host === '' || !existsSync(tokenFile)) return undefined;
  const server = `https://${host.includes(':') ? `[${host}]` : host}:${env['KUBERNETES_SERVICE_PORT'] ?? '443'}`;
  const name = 'in-cluster';
  const namespaceFile = join(account, 'namespace');
  const namespace = existsSync(namespaceFile) ? readFileSync(namespaceFile, 'utf8').trim() : '';
  return {
    contexts: [{ name, cluster: name, user: name, ...(namespace !== '' && { namespace }) }],
    clusters: [{ name, server, caFile: join(account, 'ca.crt'), skipTLSVerify: false, raw: {} }],
    users: [{ name, tokenFile, raw: {} }],
    currentContext: name,
  };
}

function select({ contexts, clusters, users, currentContext }: Entries, { where, context }: { readonly where: string; readonly context: string | undefined }): Kubeconfig {
  const invalid = (problem: string): SetpointError => new SetpointError('KubeconfigInvalid', problem);
  const name = context ?? currentContext;
  if (name === undefined || name === '') throw invalid(`${where} names no current context: give --context, or kubectl config use-context`);
  const names = (entries: readonly { readonly name: string }[]): string => entries.map((entry) => entry.name).join(', ') || 'none';
  const chosen = contexts.find((entry) => entry.name === name);
  if (chosen === undefined) throw invalid(`${where} has no context ${name}; it has ${names(contexts)}`);
  const cluster = clusters.find((entry) => entry.name === chosen.cluster);
  if (cluster === undefined) throw invalid(`context ${name} of ${where} is for cluster ${chosen.cluster}, which is not in it; it has ${names(clusters)}`);
  const user = users.find((entry) => entry.name === chosen.user);
  // The library gives undefined for a context without a user, whatever its types say.
  if (user === undefined && chosen.user as string | undefined !== undefined) {
    throw invalid(`context ${name} of ${where} is for user ${chosen.user}, who is not in it; it has ${names(users)}`);
  }
  return { context: name, namespace: chosen.namespace, cluster, user };
}
