import { isList, isObject, parseJson, SetpointError, type Json, type JsonObject, type ServedKind } from '../model/index.ts';
import { refusal } from './refusal.ts';
import type { Transport } from './transport.ts';

export interface KindTable {
  lookUp(
    apiVersion: string,
    kind: string,
  ):
    | { readonly type: 'served'; readonly kind: ServedKind }
    | { readonly type: 'not-served'; readonly servedAs: readonly string[] }
    | { readonly type: 'unavailable' };
  /** `apps/v1` and `apps/v1/Deployment` alike, sorted. A group whose server is down counts: it is there. */
  readonly apiVersions: readonly string[];
  /** Such as `v1.36.3`; asked once. */
  kubeVersion(signal: AbortSignal): Promise<string>;
}

const accept = ['v2', 'v2beta1'].map((version) => `application/json;g=apidiscovery.k8s.io;v=${version};as=APIGroupDiscoveryList`);

/** Everything the cluster serves, in two requests (aggregated discovery, Kubernetes 1.27 or newer). */
export async function discover(transport: Transport, signal: AbortSignal): Promise<KindTable> {
  const groups = await Promise.all(['/api', '/apis'].map((path) => readGroups({ transport, path, signal })));
  const kinds = new Map<string, ServedKind>();
  const unavailable = new Set<string>();
  const versions = new Set<string>();
  for (const group of groups.flat()) {
    const groupName = text(group['metadata'], 'name');
    for (const version of list(group, 'versions')) {
      const versionName = text(version, 'version');
      const apiVersion = groupName === '' ? versionName : `${groupName}/${versionName}`;
      versions.add(apiVersion);
      // An aggregated API whose server is down: what it serves is not known, which is not the same as nothing.
      if (text(version, 'freshness') === 'Stale') unavailable.add(apiVersion);
      for (const resource of list(version, 'resources')) {
        const kind = text(resource['responseKind'], 'kind');
        if (kind !== '') kinds.set(`${apiVersion}/${kind}`, servedKind({ resource, group: groupName, version: versionName, kind }));
      }
    }
  }
  let known: string | undefined;
  return {
    apiVersions: [...versions, ...kinds.keys()].toSorted(),
    async kubeVersion(asking) {
      known ??= await readVersion(transport, asking);
      return known;
    },
    lookUp(apiVersion, kind) {
      const served = kinds.get(`${apiVersion}/${kind}`);
      if (served !== undefined) return { type: 'served', kind: served };
      if (unavailable.has(apiVersion)) return { type: 'unavailable' };
      const elsewhere = [...kinds.values()].filter((other) => other.kind === kind);
      return { type: 'not-served', servedAs: elsewhere.map(({ group, version }) => (group === '' ? version : `${group}/${version}`)) };
    },
  };
}

async function readVersion(transport: Transport, signal: AbortSignal): Promise<string> {
  const answer = await transport.send({ method: 'GET', path: '/version', accept: 'application/json', signal });
  if (answer.status !== 200) throw refusal(answer, 'the version of the cluster');
  const version = text(parseJson(answer.text), 'gitVersion');
  if (version === '') throw new SetpointError('ClusterError', 'the cluster does not say its version');
  return version;
}

interface DiscoveryRequest {
  readonly transport: Transport;
  readonly path: string;
  readonly signal: AbortSignal;
}

async function readGroups({ transport, path, signal }: DiscoveryRequest): Promise<readonly JsonObject[]> {
  const answer = await transport.send({ method: 'GET', path, accept: accept.join(','), signal });
  if (answer.status !== 200) throw refusal(answer, `discovery of ${path}`);
  const body = parseJson(answer.text);
  if (!isObject(body) || body['kind'] !== 'APIGroupDiscoveryList') {
    throw new SetpointError('ClusterError', 'the cluster has no aggregated discovery: Kubernetes 1.27 or newer is needed');
  }
  return list(body, 'items');
}

interface DiscoveredResource {
  readonly resource: JsonObject;
  readonly group: string;
  readonly version: string;
  readonly kind: string;
}

function servedKind({ resource, group, version, kind }: DiscoveredResource): ServedKind {
  const hasStatus = list(resource, 'subresources').some((subresource) => text(subresource, 'subresource') === 'status');
  const namespaced = text(resource, 'scope') === 'Namespaced';
  return { group, version, kind, resource: text(resource, 'resource'), namespaced, hasStatus };
}

function list(parent: Json | undefined, key: string): readonly JsonObject[] {
  const value = isObject(parent) ? parent[key] : undefined;
  return isList(value) ? value.filter(isObject) : [];
}

function text(parent: Json | undefined, key: string): string {
  const value = isObject(parent) ? parent[key] : undefined;
  return typeof value === 'string' ? value : '';
}
