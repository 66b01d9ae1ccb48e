import { judge, type IgnoreRules, type Tag } from '../diff/index.ts';
import type { Cluster } from '../cluster/index.ts';
import { healthOf, type HealthRules } from '../health/index.ts';
import { revertsForeign, type Application, type AppStatus, type Diff, type Plan, type ResourceKey, type SyncRequest } from '../model/index.ts';
import { planSync } from '../plan/index.ts';
import { compareAll, completedInventory, driftRulesOf, leftBehind, planInputOf, progressOf, readObjects, runsOf } from '../reconcile/index.ts';
import type { Rendered } from '../render/index.ts';

export interface PlanSubject {
  readonly application: Application;
  readonly commit: string | null;
  /** Of each source of the application, in their order. */
  readonly commits: readonly string[];
  readonly rendered: Rendered;
  readonly status: AppStatus;
  readonly ignores: IgnoreRules | undefined;
  /** Given all resources that the plan may be about. */
  readonly request: (keys: readonly ResourceKey[]) => SyncRequest;
}

interface Surroundings {
  readonly cluster: Pick<Cluster, 'discover' | 'read' | 'schemaOf' | 'readMany' | 'list' | 'predict' | 'predictPatch'>;
  readonly tag: Tag;
  readonly now: Date;
  readonly signal: AbortSignal;
  readonly onProgress: (done: number, total: number) => void;
  readonly healthRules?: HealthRules | undefined;
}

interface PlannedByHand {
  readonly plan: Plan;
  readonly diffs: readonly Diff[];
}

/** What the agent would plan if it were asked for a sync now. Only reads and dry runs. */
export async function planByHand(subject: PlanSubject, { cluster, tag, now, signal, onProgress, healthRules }: Surroundings): Promise<PlannedByHand> {
  const { application, commit, commits, rendered, status, ignores } = subject;
  const { findings } = rendered;
  const { namespace } = application.destination;
  const drift = driftRulesOf(application);
  const { compared, targets, hooks } = await compareAll(rendered.documents, { cluster, namespace, salt: '', tag, signal, onProgress, revertsForeign: revertsForeign(application.policy), ...(drift && { drift }), ...(ignores && { ignores }) });
  const { resources } = judge({ commit, compared, findings }, status.agreed);
  const declared = new Set<ResourceKey>([...[...targets, ...hooks].map(({ manifest }) => manifest.key), ...resources.map(({ diff }) => diff.key)]);
  const left = await leftBehind({ inventory: status.inventory, declared }, cluster, signal);
  const objects = await readObjects([...targets, ...hooks, ...left], cluster, signal);
  const selectable = [...resources.map(({ diff }) => diff.key), ...(Object.keys(status.inventory) as ResourceKey[]).filter((key) => !declared.has(key))].toSorted();
  const progress = progressOf(status.unhealthy);
  const since = (key: ResourceKey): { readonly progressingSince?: Date } => {
    const progressingSince = progress.get(key);
    return progressingSince === undefined ? {} : { progressingSince };
  };
  const input = await planInputOf(
    {
      ...{ application, judgement: { commit, resources, findings }, commits, targets, hooks, objects, inventory: completedInventory(status.inventory, { applicationId: application.id, objects, declared }), now },
      healthOf: (object, key) => healthOf(object, { now, ...(healthRules && { rules: healthRules }), ...since(key) }),
      // One that is under way ends first.
      operation: undefined,
      request: subject.request(selectable),
      // An agent looks twice before it deletes: by then the list is settled.
      isSettled: true,
      // They end heals, and never what somebody asks for.
      fights: new Set(),
      runs: runsOf(status),
    },
    cluster,
    signal,
  );
  return { plan: planSync(input), diffs: compared.map(({ diff }) => diff) };
}
