import { readFile } from 'node:fs/promises';
import { isList, isObject, SetpointError, valueAt, type Json, type JsonObject } from '../../model/index.ts';
import type { ClusterEntry } from './read-kubeconfig.ts';

/** The `exec` of a user in a kubeconfig. */
export interface ExecPlugin {
  /** For people: the name of the user in the kubeconfig. */
  readonly user: string;
  readonly apiVersion: string;
  readonly command: string;
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  readonly installHint: string;
  /** What it asked to be told of the cluster; null where it did not ask. */
  clusterInfo(): Promise<JsonObject | null>;
}

const apiVersions = ['v1', 'v1beta1'].map((version) => `client.authentication.k8s.io/${version}`);

export function readExecPlugin(user: string, exec: JsonObject, cluster: ClusterEntry): ExecPlugin {
  const invalid = (problem: string): SetpointError => new SetpointError('KubeconfigInvalid', `user ${user} of the kubeconfig: ${problem}`);
  const { command, apiVersion, interactiveMode, installHint } = exec;
  if (typeof command !== 'string' || command === '') throw invalid('its exec names no command');
  if (typeof apiVersion !== 'string' || !apiVersions.includes(apiVersion)) {
    const found = typeof apiVersion === 'string' ? apiVersion : 'none';
    throw invalid(`exec of ${command} must use ${apiVersions.join(' or ')}, and its apiVersion is ${found}: update the plugin`);
  }
  if (interactiveMode === 'Always') {
    throw invalid(`exec of ${command} asks questions (interactiveMode: Always), and nobody is here to answer: use a login that needs no answers`);
  }
  return {
    user,
    apiVersion,
    command,
    args: list(exec['args']).filter((arg) => typeof arg === 'string'),
    env: Object.fromEntries(list(exec['env']).flatMap(environmentEntry)),
    installHint: typeof installHint === 'string' ? installHint.trim() : '',
    clusterInfo: () => (exec['provideClusterInfo'] === true ? describe(cluster) : Promise.resolve(null)),
  };
}

function environmentEntry(entry: Json): [string, string][] {
  const [name, value] = [valueAt(entry, ['name']), valueAt(entry, ['value'])];
  return typeof name === 'string' ? [[name, typeof value === 'string' ? value : '']] : [];
}

/** `spec.cluster` of an ExecCredential. */
async function describe({ server, caData, caFile, tlsServerName, skipTLSVerify, proxyUrl, raw }: ClusterEntry): Promise<JsonObject> {
  const authority = caData || (caFile ? (await readFile(caFile)).toString('base64') : '');
  const own = list(raw['extensions']).find((extension) => valueAt(extension, ['name']) === 'client.authentication.k8s.io/exec');
  const config = valueAt(own, ['extension']);
  return {
    server,
    ...(tlsServerName && { 'tls-server-name': tlsServerName }),
    ...(skipTLSVerify && { 'insecure-skip-tls-verify': true }),
    ...(authority !== '' && { 'certificate-authority-data': authority }),
    ...(proxyUrl && { 'proxy-url': proxyUrl }),
    ...(raw['disable-compression'] === true && { 'disable-compression': true }),
    config: isObject(config) ? config : null,
  };
}

function list(value: Json | undefined): readonly Json[] {
  return isList(value) ? value : [];
}
