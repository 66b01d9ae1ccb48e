import type { Cluster } from '../cluster/index.ts';
import { toSetpointError, valueAt, type KubeObject } from '../model/index.ts';
import { vouchingIn } from '../status/index.ts';
import type { Beat } from './status-item.ts';

export interface Beats {
  /** Asks for all leases that these Applications name, each once. */
  look(objects: readonly KubeObject[], signal: AbortSignal): Promise<void>;
  /** As it was when last looked at. */
  of(object: KubeObject): Beat | undefined;
}

/** Which agents are alive, by the leases that they keep. */
export function createBeats(cluster: Pick<Cluster, 'lease'>): Beats {
  const known = new Map<string, { readonly read: ReturnType<Cluster['lease']>['read']; beat: Beat }>();

  async function ask(name: string, signal: AbortSignal): Promise<void> {
    const [namespace = '', lease = ''] = name.split('/');
    if (namespace === '' || lease === '') return;
    const entry = known.get(name) ?? { read: cluster.lease({ namespace, name: lease }).read, beat: { type: 'absent' } };
    try {
      const record = await entry.read(signal);
      const at = Date.parse(record?.renewTime ?? '');
      entry.beat = record === undefined || Number.isNaN(at) ? { type: 'absent' } : { type: 'seen', at: new Date(at), holder: record.holder, vouching: vouchingIn(record.says ?? '') };
    } catch (error) {
      signal.throwIfAborted();
      const { code, message } = toSetpointError(error);
      // While the cluster cannot be asked, what was seen last grows old by itself.
      if (code === 'Forbidden' || entry.beat.type !== 'seen') entry.beat = { type: 'unreadable', why: message };
    }
    known.set(name, entry);
  }

  return {
    async look(objects, signal) {
      const names = new Set(objects.flatMap((object) => leaseOf(object) ?? []));
      await Promise.all([...names].map((name) => ask(name, signal)));
    },
    of(object) {
      const name = leaseOf(object);
      return name === undefined ? undefined : known.get(name)?.beat;
    },
  };
}

/** `namespace/name`, as the agent writes it into the status. */
export function leaseOf(object: KubeObject): string | undefined {
  const lease = valueAt(object, ['status', 'lease']);
  return typeof lease === 'string' && lease !== '' ? lease : undefined;
}
