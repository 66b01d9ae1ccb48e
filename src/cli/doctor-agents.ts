import type { Cluster } from '../cluster/index.ts';
import type { KubeObject } from '../model/index.ts';
import { failure, fine, isDenied, warning, type Check } from './doctor-check.ts';
import { age } from './format/application-age.ts';
import { leaseOf } from './status-beats.ts';

interface AgentsOptions {
  readonly cluster: Pick<Cluster, 'lease'>;
  readonly objects: readonly KubeObject[];
  /** `namespace/name` of the lease where an agent would be that nobody has told otherwise. */
  readonly usual: string;
  readonly now: () => Date;
}

/** A leader renews its lease every two seconds, and gives up after ten. */
const aliveMs = 30_000;

/** Whether the agents that the Applications speak of are alive. */
export async function checkAgents({ cluster, objects, usual, now }: AgentsOptions, signal: AbortSignal): Promise<readonly Check[]> {
  const named = new Set(objects.flatMap((object) => leaseOf(object) ?? []));
  const names = named.size === 0 ? [usual] : [...named];
  return Promise.all(
    names.map(async (lease): Promise<Check> => {
      const [namespace = '', name = ''] = lease.split('/');
      const dead = (text: string): Check =>
        named.size === 0
          ? warning('agent', `${text}: nothing is being watched`, 'install the agent, or start setpoint run')
          : failure('agent', `${text}: the verdicts of its Applications are Unknown`, 'look at the agent’s pods and their logs');
      try {
        const record = await cluster.lease({ namespace, name }).read(signal);
        if (record === undefined) return dead(`there is no lease ${lease}`);
        const at = new Date(record.renewTime);
        const seen = `${age(Number.isNaN(at.getTime()) ? undefined : at, now())} ago`;
        if (record.holder === '') return dead(`the agent of lease ${lease} has stopped, ${seen}`);
        if (now().getTime() - at.getTime() <= aliveMs) return fine('agent', `${record.holder} leads (lease ${lease}), seen ${seen}`);
        return dead(`${record.holder} was last seen ${seen} (lease ${lease})`);
      } catch (error) {
        if (!isDenied(error)) throw error;
        const advice = 'ask for that right: without it, a verdict counts as old when its status has not changed for a while';
        return { ...warning('agent', `whether one is alive cannot be told: may not get lease ${lease}`, advice), isDenial: true };
      }
    }),
  );
}
