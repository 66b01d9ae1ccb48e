import { plainApplication, resourceKey, trackingAnnotation, type Health, type HealthStatus, type Inventory, type JudgedResource, type KubeObject, type Manifest, type Operation, type Phase, type Plan, type ResourceKey, type Step, type StepOutcome } from '../../../src/model/index.ts';
import { beginOperation, foldOperation, hookRunAnnotation, liveFacts, planSync, readMarks, trackingId, type PlanInput } from '../../../src/plan/index.ts';
import type { SeededRandom } from '../../support/seeded-random.ts';
import { automatic, now } from './scene.ts';

interface Live {
  readonly object: KubeObject;
  readonly uid: string;
  readonly version: string;
  health: HealthStatus;
  isDeleting: boolean;
}

type Act = Exclude<Step, { readonly type: 'hold' | 'wait' }>;
const application = plainApplication({ name: 'app', id: 'ns/app', namespace: 'ns', sources: [], policy: automatic });
const phaseOrder: readonly Phase[] = ['PreSync', 'Sync', 'PostSync', 'SyncFail'];

/** A cluster, a repository and an agent that may lose what it was about to write down at any step. Each write is checked against the rules. */
export function createSimulatedSync(random: SeededRandom) {
  const live = new Map<ResourceKey, Live>();
  const begun = new Map<string, number>();
  const broken: string[] = [];
  const history: Operation[] = [];
  let inventory: Inventory;
  let operation: Operation | undefined;
  let ids = 0;
  const { manifests, gone } = inventGit(random);
  for (const manifest of gone) place(manifest, 'v0', 'Healthy');
  inventory = Object.fromEntries([...live].map(([key, { uid }]) => [key, { uid, version: 'v1' }]));
  const chance = (percent: number): boolean => random.below(100) < percent;

  function place({ key, object }: Manifest, version: string, health: HealthStatus, run?: string): void {
    ids += 1;
    const annotations = { ...(object.metadata['annotations'] as Record<string, string>), [trackingAnnotation]: trackingId(application.id, key), ...(run !== undefined && { [hookRunAnnotation]: run }) };
    live.set(key, { object: { ...object, metadata: { ...object.metadata, annotations, uid: `u${ids}` } }, uid: `u${ids}`, version, health, isDeleting: false });
  }

  function inputOf(render: PlanInput['render']): PlanInput {
    const resources = manifests.filter(({ object }) => readMarks(object).role === 'resource');
    return {
      application,
      commit: 'c1',
      commits: ['c1'],
      manifests,
      judged: new Map(resources.map((manifest) => [manifest.key, judgedOf(manifest, live.get(manifest.key))])),
      findings: [],
      live: (key) => {
        const found = live.get(key);
        return found === undefined ? undefined : { ...liveFacts(found.object, { status: found.health } satisfies Health), isDeleting: found.isDeleting };
      },
      inventory,
      operation,
      request: undefined,
      render,
      namespace: { name: 'shop', state: 'there' },
      fights: new Set(),
      now,
    };
  }

  /** One look. With trouble, the agent may die after any write, and writes may fail. */
  function look(trouble: boolean): Plan {
    const render = { isWhole: !trouble || chance(70), isSettled: !trouble || chance(70) };
    let plan = planSync(inputOf(render));
    if (operation === undefined) {
      ids += 1;
      operation = beginOperation(plan, { id: `op${ids}`, spec: 's1', now });
      if (operation === undefined || (trouble && chance(10))) return plan;
      plan = planSync(inputOf(render));
    }
    const outcomes: StepOutcome[] = [];
    for (const step of plan.steps) {
      if (step.type === 'wait') break;
      if (step.type === 'hold') continue;
      if (trouble && chance(12)) return plan;
      outcomes.push(trouble && chance(8) ? { type: 'failed', key: step.key, why: 'trouble', retry: chance(80) ? 'soon' : 'later' } : write(step, plan, render));
    }
    if (trouble && chance(12)) return plan;
    const next = foldOperation(operation, { plan, outcomes, now });
    operation = next.endedAt === undefined ? next : undefined;
    if (next.endedAt !== undefined) history.push(next);
    if (next.state === 'succeeded') checkEnd(next);
    return plan;
  }

  function write(step: Act, plan: Plan, render: PlanInput['render']): StepOutcome {
    checkOrder(step);
    const manifest = manifests.find(({ key }) => key === step.key);
    const found = live.get(step.key);
    switch (step.type) {
      case 'apply':
        if (manifest === undefined) return complain(step, 'is applied and not declared');
        place(manifest, 'v1', 'Progressing');
        inventory = { ...inventory, [step.key]: { uid: live.get(step.key)?.uid ?? '' } };
        return { type: 'applied', key: step.key };
      case 'hook': {
        if (manifest === undefined || step.run === undefined) return complain(step, 'is a hook without a run');
        if (step.replaces !== undefined && found?.uid === step.replaces) live.delete(step.key);
        if (live.has(step.key)) return { type: 'failed', key: step.key, why: 'it is there', retry: 'soon' };
        const run = `${step.run} ${step.key}`;
        begun.set(run, (begun.get(run) ?? 0) + 1);
        if (begun.get(run) !== 1) complain(step, 'was begun twice');
        place(manifest, 'v1', 'Progressing', step.run);
        return { type: 'applied', key: step.key };
      }
      case 'delete-hook':
        if (found?.uid === step.uid) live.delete(step.key);
        return { type: 'pruned', key: step.key };
      case 'prune': {
        if (manifest !== undefined) complain(step, 'is declared, and pruned');
        if (!render.isWhole || !render.isSettled) complain(step, 'was pruned by half a render');
        if (plan.steps.filter(({ type }) => type === 'prune').length > 5) complain(step, 'was pruned above the budget');
        if (found !== undefined && found.uid === step.uid) found.isDeleting = true;
        return { type: 'pruned', key: step.key };
      }
      case 'recreate':
        return complain(step, 'is recreated');
    }
  }

  /** All that comes before it has to be there: applied, healthy, run to its end. */
  function checkOrder({ key, phase, wave, type }: Act): void {
    if (phase === 'SyncFail' || type === 'delete-hook') return;
    for (const manifest of manifests) {
      const marks = readMarks(manifest.object);
      for (const before of marks.role === 'hook' ? marks.phases : (['Sync'] as const)) {
        const isEarlier = phaseOrder.indexOf(before) < phaseOrder.indexOf(phase) || (before === phase && marks.wave < wave);
        if (!isEarlier) continue;
        const found = live.get(manifest.key);
        const isReady = marks.role === 'hook' ? operation?.hooks[`${before} ${manifest.key}`] === 'succeeded' : found?.version === 'v1' && found.health === 'Healthy';
        if (!isReady) broken.push(`${type} ${key} (${phase} ${wave}) before ${manifest.key} (${before} ${marks.wave}) was ready`);
      }
    }
  }

  /** A success is one of the whole commit. */
  function checkEnd({ id, hooks }: Operation): void {
    for (const { key, object } of manifests) {
      const marks = readMarks(object);
      const missed = marks.phases.filter((phase) => phase !== 'SyncFail' && hooks[`${phase} ${key}`] !== 'succeeded');
      if (missed.length > 0) broken.push(`${id} succeeded without ${missed.join()} ${key}`);
      if (marks.role === 'resource' && live.get(key)?.version !== 'v1') broken.push(`${id} succeeded without ${key}`);
      const isLeft = marks.deletePolicies.includes('HookSucceeded') && marks.phases.some((phase) => hooks[`${phase} ${key}`] === 'succeeded' && runOf(key) === `${id} ${phase}`);
      if (isLeft) broken.push(`${id} succeeded and left ${key}`);
    }
  }

  function runOf(key: ResourceKey): string | undefined {
    const found = live.get(key);
    return found === undefined ? undefined : liveFacts(found.object, { status: found.health }).hookRun;
  }

  function complain({ type, key }: Act, what: string): StepOutcome {
    broken.push(`${type} ${key} ${what}`);
    return { type: 'failed', key, why: what, retry: 'later' };
  }

  /** What others do meanwhile. */
  function passTime(trouble: boolean): void {
    for (const [key, found] of live) {
      // Finished jobs may be cleared away by others, too.
      const isEnded = Object.entries(operation?.hooks ?? {}).some(([name, state]) => name.endsWith(` ${key}`) && state !== 'running' && runOf(key) === `${operation?.id} ${name.split(' ')[0]}`);
      if ((found.isDeleting && chance(60)) || (isEnded && chance(10))) live.delete(key);
      else if (found.health === 'Progressing' && chance(60)) found.health = trouble && readMarks(found.object).role === 'hook' && chance(15) ? 'Degraded' : 'Healthy';
      else if (trouble && found.health === 'Healthy' && readMarks(found.object).role === 'resource' && chance(5)) found.health = 'Progressing';
    }
  }

  const isConverged = (): boolean =>
    operation === undefined && manifests.every(({ key, object }) => readMarks(object).role === 'hook' || live.get(key)?.version === 'v1') && gone.every(({ key }) => live.get(key)?.isDeleting !== false);
  return { look, passTime, broken, history, isConverged, begun };
}

function judgedOf({ key, object, origin }: Manifest, found: Live | undefined): JudgedResource {
  if (found === undefined) return { diff: { type: 'missing', key, origin, patch: [], after: object }, cause: 'git-ahead' };
  const remarks = { foreign: [], ignored: [], sideEffects: [], adopted: true, warnings: [] };
  if (found.version === 'v1') return { diff: { type: 'same', key, origin, ...remarks } };
  return { diff: { type: 'changed', key, origin, patch: [], changes: [], before: object, after: object, ...remarks }, cause: 'git-ahead' };
}

function inventGit(random: SeededRandom): { readonly manifests: readonly Manifest[]; readonly gone: readonly Manifest[] } {
  const wave = (): string => String(random.below(4) - 1);
  const pick = (...texts: readonly string[]): string => texts[random.below(texts.length)] ?? '';
  const make = (kind: string, name: string, annotations: Record<string, string>): Manifest => ({
    key: resourceKey({ group: '', kind, namespace: 'shop', name }),
    object: { apiVersion: 'v1', kind, metadata: { name, namespace: 'shop', annotations } },
    origin: 'a.yaml',
  });
  const resources = Array.from({ length: 1 + random.below(5) }, (_, index) => make('ConfigMap', `r${index}`, { 'setpoint.dev/sync-wave': wave() }));
  const hooks = Array.from({ length: random.below(4) }, (_, index) =>
    make('Pod', `h${index}`, { 'setpoint.dev/sync-wave': wave(), 'setpoint.dev/hook': pick('PreSync', 'Sync', 'PostSync', 'SyncFail', 'PreSync,PostSync'), 'setpoint.dev/hook-delete-policy': pick('BeforeHookCreation', 'HookSucceeded', 'HookFailed', 'HookSucceeded,HookFailed') }),
  );
  const gone = Array.from({ length: random.below(5) }, (_, index) => make('ConfigMap', `old${index}`, { 'setpoint.dev/sync-wave': wave() }));
  return { manifests: [...resources, ...hooks], gone };
}
