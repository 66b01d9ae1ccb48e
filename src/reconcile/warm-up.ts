import type { Application } from '../model/index.ts';
import { lastSeen } from './last-seen.ts';
import type { ClusterPort, DesiredPort, StatusPort, Target } from './ports.ts';
import type { Standings } from './standings.ts';

interface Parts {
  readonly desired: DesiredPort;
  readonly cluster: Pick<ClusterPort, 'discover'>;
  readonly standings: Pick<Standings, 'expect' | 'of'>;
  readonly status: Pick<StatusPort, 'read'>;
}

const atOnce = 8;

/**
 * Has everything at hand that the first looks need: what Git wants, and the objects in sight, asked for together and not one
 * application after the other. What cannot be had is left to the looks, which say why.
 */
export async function warmUp(applications: readonly Application[], { desired, cluster, standings, status }: Parts, signal: AbortSignal): Promise<void> {
  const expected = new Map<string, readonly Target[]>();
  const queue = applications.values();
  const work = async (): Promise<void> => {
    for (const application of queue) {
      const targets = await targetsOf(application).catch(() => undefined);
      signal.throwIfAborted();
      if (targets !== undefined) expected.set(application.id, targets);
    }
  };
  await Promise.all(Array.from({ length: atOnce }, work));
  if (expected.size > 0) await standings.expect(expected, signal);

  async function targetsOf(application: Application): Promise<readonly Target[]> {
    const { id } = application;
    const { documents } = await desired.at(application, lastSeen(await status.read(id), application), signal);
    const kinds = await cluster.discover(signal);
    const rendered = await documents(async () => ({ apiVersions: kinds.apiVersions, kubeVersion: await kinds.kubeVersion(signal) }), signal);
    return standings.of(id).memory.identify(rendered.documents, kinds.lookUp, application.destination.namespace).manifests;
  }
}
