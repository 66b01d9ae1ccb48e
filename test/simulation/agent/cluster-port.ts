import type { ResourceKey, ServedKind } from '../../../src/model/index.ts';
import type { Ports } from '../../../src/reconcile/index.ts';
import type { Fields } from '../world/git-server.ts';
import type { Network, Request, Sender } from '../world/network.ts';
import type { ObjectServer } from '../world/object-server.ts';

const configMap: ServedKind = { group: '', version: 'v1', kind: 'ConfigMap', resource: 'configmaps', namespaced: true, hasStatus: false };

const refusal = { type: 'unknown', code: 'ClusterError', message: 'the server is busy' } as const;

interface Options {
  readonly sender: Sender;
  readonly network: Network;
  readonly server: ObjectServer;
  /** Told of an apply when it leaves the process, and when it is carried out. */
  readonly sent: (key: ResourceKey, data: Fields) => void;
  readonly carriedOut: (key: ResourceKey) => void;
}

type Cluster = Ports['cluster'];

/** The objects of the cluster, as the flow asks for them. */
export function createClusterPort({ sender, network, server, sent, carriedOut }: Options): Cluster {
  const kinds: Awaited<ReturnType<Cluster['discover']>> = {
    lookUp: (_apiVersion, kind) => (kind === configMap.kind ? { type: 'served', kind: configMap } : { type: 'not-served', servedAs: [] }),
    apiVersions: ['v1'],
    kubeVersion: () => Promise.resolve('v1.36.3'),
  };
  /** Undefined: the server says that it cannot. */
  const send = <T>({ carryOut, ...request }: Omit<Request<T>, 'to'>): Promise<T | undefined> =>
    network.send(sender, { to: 'cluster', ...request, carryOut: () => (network.isRefused() ? undefined : carryOut()) });
  const dataOf = ({ manifest }: Parameters<Cluster['apply']>[0]): Fields => manifest.object['data'] as Fields;
  return {
    discover: () => Promise.resolve(kinds),
    schemaOf: () => Promise.resolve(undefined),
    async read({ manifest: { key } }, signal) {
      const found = await send({ type: 'read', what: `read ${key}`, carryOut: () => server.latest(key), signal });
      if (found === undefined) return refusal;
      const { content, resourceVersion } = found;
      return content === undefined ? { type: 'absent' } : { type: 'live', live: { key, object: content.object, resourceVersion } };
    },
    readMany: () => Promise.resolve(new Map()),
    async predict(target, signal) {
      const { key } = target.manifest;
      const object = await send({ type: 'read', what: `try ${key}`, carryOut: () => server.tryApply(key, dataOf(target)), signal });
      return object === undefined ? refusal : { type: 'predicted', object };
    },
    predictPatch: () => Promise.resolve({ type: 'unconfirmed', scope: 'kind', code: 'KindNotServed', message: 'there are no schemas here' }),
    async apply(target, { force, signal }) {
      const { key } = target.manifest;
      const data = dataOf(target);
      sent(key, data);
      const carryOut = (): ReturnType<ObjectServer['apply']> => {
        carriedOut(key);
        return server.apply(key, data, force);
      };
      const result = await send({ type: 'write', what: `${force ? 'apply by force' : 'apply'} ${key}`, carryOut, signal });
      if (result === undefined) return refusal;
      if (result.type === 'conflict') return result;
      const { content } = result.version;
      if (content === undefined) throw new RangeError('what was applied is there');
      return { type: 'applied', object: content.object };
    },
  };
}
