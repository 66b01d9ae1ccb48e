import type { DispatchPorts } from '../../../src/dispatch/index.ts';
import type { createReferences, Ports, WorkQueue } from '../../../src/reconcile/index.ts';

type ReferencesOptions = Parameters<typeof createReferences>[0];

/** Ways to break an agent on purpose, one part each: the simulation has to notice. */
export interface Spoils {
  readonly queue?: (queue: WorkQueue) => WorkQueue;
  readonly status?: (status: Ports['status']) => Ports['status'];
  readonly cluster?: (cluster: Ports['cluster']) => Ports['cluster'];
  readonly mayWrite?: (mayWrite: () => void) => () => void;
  readonly dispatch?: (ports: DispatchPorts) => DispatchPorts;
  readonly references?: (options: ReferencesOptions) => ReferencesOptions;
}
