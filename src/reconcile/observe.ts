import { judge, type ComparedResource } from '../diff/index.ts';
import { retryOf, toSetpointError, type AgreedStates, type Application, type Judgement, type Verdict } from '../model/index.ts';
import { compareAll } from './compare-all.ts';
import type { Capabilities, ClusterPort, Ports, Target, Trouble } from './ports.ts';

export interface Observation {
  readonly judgement: Judgement;
  readonly compared: readonly ComparedResource[];
  readonly targets: readonly Target[];
  /** What was compared with, of earlier looks; undefined where nothing was. */
  readonly agreed: AgreedStates | undefined;
  /** Git could not be asked: what was compared is what it said last. */
  readonly trouble: Trouble | undefined;
  /** Something failed that may heal by itself: worth another look before the next trigger. */
  readonly retrySoon: boolean;
}

/** One look: Git, then the cluster. What keeps us from looking is a verdict too: Unknown, with its reason. */
export async function observe(application: Application, ports: Ports, signal: AbortSignal): Promise<Observation> {
  let commit: string | null = null;
  let trouble: Trouble | undefined;
  try {
    const { agreed, commit: lastSeen } = await ports.status.read(application.id);
    const ignores = ports.ignoresOf(application);
    const desired = await ports.desired.at(application, lastSeen, signal);
    ({ commit, trouble } = desired);
    const { documents, findings } = await desired.documents(() => capabilitiesOf(ports.cluster, signal), signal);
    const { cluster, standing, tag, status } = ports;
    const { compared, targets } = await compareAll(documents, {
      ...{ cluster, namespace: application.destination.namespace, salt: status.salt, tag, signal, standing: { ...standing.of(application.id), agreed } },
      ...(ignores === undefined ? {} : { ignores }),
    });
    const judgement = judge({ commit, compared, findings }, agreed);
    const retrySoon = compared.some(({ diff }) => diff.type === 'unknown' && retryOf(diff.code) === 'later');
    return { judgement: { ...judgement, verdict: withTrouble(judgement.verdict, trouble, ports) }, compared, targets, agreed, trouble, retrySoon };
  } catch (error) {
    signal.throwIfAborted();
    const { code, message } = toSetpointError(error);
    const judgement: Judgement = { verdict: { status: 'Unknown', code, message }, commit, resources: [], findings: [] };
    return { judgement, compared: [], targets: [], agreed: undefined, trouble, retrySoon: retryOf(code) === 'later' };
  }
}

/** Nothing differs from what Git said last. After a while of silence that is no longer worth calling in sync. */
function withTrouble(verdict: Verdict, trouble: Trouble | undefined, { now, staleAfterMs }: Ports): Verdict {
  if (trouble === undefined || verdict.status !== 'Synced' || now().getTime() - trouble.since < staleAfterMs) return verdict;
  const since = new Date(trouble.since).toISOString();
  return { status: 'Unknown', code: trouble.code, message: `nothing differs from what Git said last, but it has not answered since ${since}: ${trouble.message}` };
}

async function capabilitiesOf({ discover }: Pick<ClusterPort, 'discover'>, signal: AbortSignal): Promise<Capabilities> {
  const { apiVersions, kubeVersion } = await discover(signal);
  return { kubeVersion: await kubeVersion(signal), apiVersions };
}
