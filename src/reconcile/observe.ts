import { judge, type ComparedResource } from '../diff/index.ts';
import { retryOf, revertsForeign, staleIntervals, toSetpointError, type AgreedStates, type Application, type Health, type Judgement, type ResourceKey, type Verdict } from '../model/index.ts';
import { compareAll } from './compare-all.ts';
import { driftRulesOf } from './drift-rules.ts';
import { explainHealth } from './explain-health.ts';
import { lastSeen } from './last-seen.ts';
import type { Capabilities, ClusterPort, Ports, Target, Trouble, WatchPort } from './ports.ts';
import { StillAsking } from './still-asking.ts';

export interface Observation {
  readonly judgement: Judgement;
  /** Of each source, in their order; none where they could not be found out. */
  readonly commits: readonly string[];
  readonly compared: readonly ComparedResource[];
  readonly targets: readonly Target[];
  readonly hooks: readonly Target[];
  /** Of each declared resource that is no hook; undefined where nothing is known of it. */
  readonly health: (key: ResourceKey) => Health | undefined;
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
  let commits: readonly string[] = [];
  let trouble: Trouble | undefined;
  try {
    const before = await ports.status.read(application.id);
    const { agreed, unhealthy } = before;
    const [ignores, drift] = [ports.ignoresOf(application), driftRulesOf(application)];
    const desired = await ports.desired.at(application, lastSeen(before, application), signal);
    ({ commit, commits, trouble } = desired);
    const { documents, findings } = await desired.documents(() => capabilitiesOf(ports.cluster, signal), signal);
    const { cluster, standing, tag, status } = ports;
    const { compared, targets, hooks, notices } = await compareAll(documents, {
      ...{ cluster, namespace: application.destination.namespace, salt: status.salt, tag, signal, standing: { ...standing.of(application.id), agreed } },
      ...(ignores === undefined ? {} : { ignores }),
      revertsForeign: revertsForeign(application.policy),
      ...(drift === undefined ? {} : { drift }),
    });
    const judgement = judge({ commit, compared, findings: [...findings, ...notices] }, agreed);
    const seen = healthIn(compared, standing.of(application.id).watch);
    const health = await explainHealth({ applicationId: application.id, unhealthy, targets, health: seen }, ports, signal);
    const retrySoon = compared.some(({ diff }) => diff.type === 'unknown' && retryOf(diff.code) === 'later');
    return { judgement: { ...judgement, verdict: withTrouble(judgement.verdict, { application, trouble, ports }) }, commits, compared, targets, hooks, health, agreed, trouble, retrySoon };
  } catch (error) {
    signal.throwIfAborted();
    if (error instanceof StillAsking) throw error;
    const { code, message } = toSetpointError(error);
    const judgement: Judgement = { verdict: { status: 'Unknown', code, message }, commit, resources: [], findings: [] };
    return { judgement, commits, compared: [], targets: [], hooks: [], health: () => undefined, agreed: undefined, trouble, retrySoon: retryOf(code) === 'later' };
  }
}

function healthIn(compared: readonly ComparedResource[], watch: Pick<WatchPort, 'sight'>): Observation['health'] {
  const absent = new Set(compared.filter(({ diff }) => diff.type === 'missing').map(({ diff }) => diff.key));
  return (key) => (absent.has(key) ? { status: 'Missing' } : watch.sight(key)?.health);
}

/** Whether nothing could be compared. */
export function isBlind({ judgement: { verdict, resources } }: Pick<Observation, 'judgement'>): boolean {
  return verdict.status === 'Unknown' && resources.length === 0;
}

/** Nothing differs from what Git said last. After a while of silence that is no longer worth calling in sync. */
function withTrouble(verdict: Verdict, { application, trouble, ports }: { readonly application: Application; readonly trouble: Trouble | undefined; readonly ports: Ports }): Verdict {
  const worthMs = application.intervalMs === undefined ? ports.staleAfterMs : staleIntervals * application.intervalMs;
  if (trouble === undefined || verdict.status !== 'Synced' || ports.now().getTime() - trouble.since < worthMs) return verdict;
  const since = new Date(trouble.since).toISOString();
  return { status: 'Unknown', code: trouble.code, message: `nothing differs from what Git said last, but it has not answered since ${since}: ${trouble.message}` };
}

export async function capabilitiesOf({ discover }: Pick<ClusterPort, 'discover'>, signal: AbortSignal): Promise<Capabilities> {
  const { apiVersions, kubeVersion } = await discover(signal);
  return { kubeVersion: await kubeVersion(signal), apiVersions };
}
