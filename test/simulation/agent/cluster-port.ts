import type { KubeObject, ResourceKey, ServedKind } from '../../../src/model/index.ts';
import type { Ports } from '../../../src/reconcile/index.ts';
import type { Fields } from '../world/git-server.ts';
import type { Network, Request, Sender } from '../world/network.ts';
import type { ApplyResult, Declaration, ObjectServer, PruneResult } from '../world/object-server.ts';

const configMap: ServedKind = { group: '', version: 'v1', kind: 'ConfigMap', resource: 'configmaps', namespaced: true, hasStatus: false };

const refusal = { type: 'unknown', code: 'ClusterError', message: 'the server is busy' } as const;

const notAsked = (): never => {
  throw new RangeError('nothing here asks for this');
};

interface Options {
  readonly sender: Sender;
  readonly network: Network;
  readonly server: ObjectServer;
  /** Told of an apply when it leaves the process; what is returned is told of it when it is carried out. */
  readonly sent: (key: ResourceKey, declared: Declaration) => (result: ApplyResult) => void;
  /** Likewise, of a deletion. */
  readonly pruned: (key: ResourceKey, doomed: { readonly uid: string; readonly seen: KubeObject }) => (result: PruneResult) => void;
}

type Cluster = Ports['cluster'];

/** The objects of the cluster, as the flow asks for them. */
export function createClusterPort({ sender, network, server, sent, pruned }: Options): Cluster {
  const kinds: Awaited<ReturnType<Cluster['discover']>> = {
    lookUp: (_apiVersion, kind) => (kind === configMap.kind ? { type: 'served', kind: configMap } : { type: 'not-served', servedAs: [] }),
    apiVersions: ['v1'],
    kubeVersion: () => Promise.resolve('v1.36.3'),
  };
  /** Undefined: the server says that it cannot. */
  const send = <T>({ carryOut, ...request }: Omit<Request<T>, 'to'>): Promise<T | undefined> =>
    network.send(sender, { to: 'cluster', ...request, carryOut: () => (network.isRefused() ? undefined : carryOut()) });
  const declaredBy = ({ manifest: { object } }: Parameters<Cluster['applyPerField']>[0]): Declaration => ({
    data: object['data'] as Fields,
    annotations: (object.metadata['annotations'] ?? {}) as Fields,
  });
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
    list: () => Promise.resolve([]),
    async predict(target, signal) {
      const { key } = target.manifest;
      const object = await send({ type: 'read', what: `try ${key}`, carryOut: () => server.tryApply(key, declaredBy(target)), signal });
      return object === undefined ? refusal : { type: 'predicted', object };
    },
    predictPatch: () => Promise.resolve({ type: 'unconfirmed', scope: 'kind', code: 'KindNotServed', message: 'there are no schemas here' }),
    async applyPerField(target, { onConflict, mayWrite, signal }) {
      const { key } = target.manifest;
      const declared = declaredBy(target);
      const tryOnce = async (force: boolean): Promise<ApplyResult | undefined> => {
        mayWrite();
        const carriedOut = sent(key, declared);
        const carryOut = (): ApplyResult => {
          const result = server.apply(key, declared, force);
          carriedOut(result);
          return result;
        };
        return send({ type: 'write', what: `${force ? 'apply by force' : 'apply'} ${key}`, carryOut, signal });
      };
      let result = await tryOnce(false);
      if (result?.type === 'conflict') {
        const left = result.conflicts.flatMap((conflict) => {
          const decision = onConflict(conflict);
          return decision.type === 'leave' ? [{ ...conflict, why: decision.why }] : [];
        });
        if (left.length > 0) return { type: 'contested', left };
        result = await tryOnce(true);
      }
      if (result === undefined || result.type === 'conflict') return refusal;
      const { content } = result.version;
      if (content === undefined) throw new RangeError('what was applied is there');
      return { type: 'applied', object: content.object };
    },
    async remove({ key }, { mayWrite, uid, asSeen, signal }) {
      if (asSeen === undefined) throw new RangeError('nothing here is deleted unseen');
      for (let seen = asSeen.live; ; ) {
        mayWrite();
        const carriedOut = pruned(key, { uid, seen: asSeen.live });
        const carryOut = (): PruneResult => {
          const result = server.prune(key, { uid, resourceVersion: seen.metadata['resourceVersion'] });
          carriedOut(result);
          return result;
        };
        const result = await send({ type: 'write', what: `delete ${key}`, carryOut, signal });
        if (result === undefined) return refusal;
        if (result.type === 'removed') return { type: 'deleted', left: null };
        if (result.type !== 'changed') return { type: result.type };
        const now = await send({ type: 'read', what: `read ${key}`, carryOut: () => server.latest(key).content?.object, signal });
        if (now === undefined || !asSeen.isAlike(now)) return { ...refusal, code: 'ObjectUnsettled' };
        seen = now;
      }
    },
    podsOf: () => Promise.resolve([]),
    put: notAsked,
    create: notAsked,
    recreate: notAsked,
    removeOrphanedFields: notAsked,
    untilEstablished: notAsked,
  };
}
