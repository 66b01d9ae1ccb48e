import { judge, type ComparedResource } from '../diff/index.ts';
import { retryOf, toSetpointError, type Application, type Judgement } from '../model/index.ts';
import { compareAll } from './compare-all.ts';
import type { Ports, Target } from './ports.ts';

export interface Observation {
  readonly judgement: Judgement;
  readonly compared: readonly ComparedResource[];
  readonly targets: readonly Target[];
  /** Something failed that may heal by itself: worth another look before the next interval. */
  readonly retrySoon: boolean;
}

/** One look: Git, then the cluster. What keeps us from looking is a verdict too: Unknown, with its reason. */
export async function observe(application: Application, ports: Ports, signal: AbortSignal): Promise<Observation> {
  const { source } = application;
  let commit: string | null = null;
  try {
    commit = await ports.desired.pull(source.revision, signal);
    const { documents, findings } = await ports.desired.documents(commit, source.path);
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
