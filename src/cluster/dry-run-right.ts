import { SetpointError } from '../model/index.ts';
import type { Cluster, Target } from './cluster.ts';
import type { Right } from './may.ts';
import { createSharedWork } from './shared-work.ts';

export interface DryRunRight {
  /** Asks once for a kind in a namespace; where it is given by name only, once for each dry run. */
  isGiven(target: Target, signal: AbortSignal): Promise<boolean>;
}

/**
 * The right to dry runs of a kind in a namespace, asked for before the first of them: in an audit log a request that was refused
 * looks like somebody who tries doors.
 */
export function createDryRunRight({ may }: Pick<Cluster, 'may'>, { kind, manifest }: Target): DryRunRight {
  const { namespace } = manifest.object.metadata;
  const right: Right = { verb: 'patch', group: kind.group, resource: kind.resource, ...(kind.namespaced && namespace !== undefined ? { namespace } : {}) };
  const ofAll = createSharedWork((signal) => allowed(may(right, signal)));
  return {
    isGiven: async (target, signal) => (await ofAll(signal)) || allowed(may({ ...right, name: target.manifest.object.metadata.name }, signal)),
  };
}

/** A server that does not say what one may do is tried: it says so then. */
function allowed(answer: Promise<boolean>): Promise<boolean> {
  return answer.catch((error: unknown) => {
    if (error instanceof SetpointError && (error.code === 'Forbidden' || error.code === 'ClusterError')) return true;
    throw error;
  });
}
