import type { ClusterPort } from './ports.ts';

type Reads = Pick<ClusterPort, 'discover' | 'schemaOf' | 'read' | 'readMany' | 'list' | 'predict' | 'predictPatch' | 'podsOf'>;

/** Does the work, or fails at once while that is not worth trying. */
type Run = <T>(work: () => Promise<T>, signal: AbortSignal) => Promise<T>;

/**
 * What looks ask of a cluster: nothing for a while where it does not answer, and then one question by one of them. Watches and the lease
 * ask for themselves.
 */
export function leftAlone(cluster: Reads, run: Run): Reads {
  return {
    discover: (signal) => run(() => cluster.discover(signal), signal),
    schemaOf: (kind, signal) => run(() => cluster.schemaOf(kind, signal), signal),
    read: (target, signal) => run(() => cluster.read(target, signal), signal),
    readMany: (targets, signal) => run(() => cluster.readMany(targets, signal), signal),
    list: (kind, namespace, signal) => run(() => cluster.list(kind, namespace, signal), signal),
    predict: (target, signal) => run(() => cluster.predict(target, signal), signal),
    predictPatch: (target, patch, signal) => run(() => cluster.predictPatch(target, patch, signal), signal),
    podsOf: (workload, signal) => run(() => cluster.podsOf(workload, signal), signal),
  };
}
