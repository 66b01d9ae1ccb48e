import { judge, type ComparedResource } from '../diff/index.ts';
import { retryOf, toSetpointError, type Application, type Judgement } from '../model/index.ts';
import { compareAll } from './compare-all.ts';
import type { Capabilities, ClusterPort, Ports, Target } from './ports.ts';

export interface Observation {
  readonly judgement: Judgement;
  readonly compared: readonly ComparedResource[];
  readonly targets: readonly Target[];
  /** Something failed that may heal by itself: worth another look before the next interval. */
  readonly retrySoon: boolean;
}

/** One look: Git, then the cluster. What keeps us from looking is a verdict too: Unknown, with its reason. */
export async function observe(application: Application, ports: Ports, signal: AbortSignal): Promise<Observation> {
  let commit: string | null = null;
  try {
    const desired = await ports.desired.at(application, signal);
    commit = desired.commit;
    const { documents, findings } = await desired.documents(() => capabilitiesOf(ports.cluster, signal), signal);
    const { namespace } = application;
    const { agreed } = await ports.status.read(application.name);
    const { cluster, watch, memory, tag, ignores, status } = ports;
    const { compared, targets } = await compareAll(documents, {
      ...{ cluster, namespace, salt: status.salt, tag, signal, standing: { watch, memory, agreed } },
      ...(ignores === undefined ? {} : { ignores }),
    });
    const judgement = judge({ commit, compared, findings }, agreed);
    const retrySoon = compared.some(({ diff }) => diff.type === 'unknown' && retryOf(diff.code) === 'later');
    return { judgement, compared, targets, retrySoon };
  } catch (error) {
    signal.throwIfAborted();
    const { code, message } = toSetpointError(error);
    const judgement: Judgement = { verdict: { status: 'Unknown', code, message }, commit, resources: [], findings: [] };
    return { judgement, compared: [], targets: [], retrySoon: retryOf(code) === 'later' };
  }
}

async function capabilitiesOf({ discover }: Pick<ClusterPort, 'discover'>, signal: AbortSignal): Promise<Capabilities> {
  const { apiVersions, kubeVersion } = await discover(signal);
  return { kubeVersion: await kubeVersion(signal), apiVersions };
}
