import { plainApplication, resourceKey, trackingAnnotation, type Application, type Diff, type Health, type JudgedResource, type KubeObject, type Manifest, type Operation, type Plan, type ResourceKey } from '../../../src/model/index.ts';
import { liveFacts, planSync, trackingId, type LiveFacts, type PlanInput } from '../../../src/plan/index.ts';

export const now = new Date('2026-03-02T12:00:00Z');

/** `apps/Deployment shop/web`, `Namespace shop`, `ConfigMap shop/env`. */
export function keyOf(text: string): ResourceKey {
  const [groupKind = '', place = ''] = text.split(' ');
  const [group = '', kind = groupKind] = groupKind.includes('/') ? groupKind.split('/') : ['', groupKind];
  const [namespace = '', name = place] = place.includes('/') ? place.split('/') : ['', place];
  return resourceKey({ group, kind, namespace, name });
}

export function objectOf(key: ResourceKey, annotations: Readonly<Record<string, string>> = {}): KubeObject {
  const [group = '', kind = '', namespace = '', name = ''] = key.split('/');
  return { apiVersion: group === '' ? 'v1' : `${group}/v1`, kind, metadata: { name, ...(namespace !== '' && { namespace }), annotations } };
}

const remarks = { foreign: [], ignored: [], sideEffects: [], adopted: true, warnings: [] };

/** One thing that Git declares, by what was found out about it. */
export interface Declared {
  readonly is?: 'same' | 'missing' | 'changed' | 'drifted' | 'deleted' | 'terminating' | 'invalid' | 'unknown' | 'hook';
  readonly annotations?: Readonly<Record<string, string>>;
  readonly health?: Health['status'] | undefined;
  readonly message?: string;
  readonly diff?: Partial<Extract<Diff, { readonly type: 'changed' }>> & { readonly waitsFor?: string };
  readonly live?: Partial<LiveFacts>;
  /** Git has it, and it could not be given its place in the cluster. */
  readonly isUnplaced?: boolean;
}

export interface Scene extends Partial<Omit<PlanInput, 'judged' | 'manifests' | 'live' | 'application' | 'inventory'>> {
  readonly application?: Partial<Application>;
  /** By what `keyOf` reads. */
  readonly git?: Readonly<Record<string, Declared>>;
  /** What was applied and is live, and Git no longer has. */
  readonly gone?: Readonly<Record<string, Partial<LiveFacts> & { readonly annotations?: Readonly<Record<string, string>>; readonly recorded?: string }>>;
}

export const automatic = { deploy: 'automatic', drift: 'Heal', foreignFields: 'Report', prune: true } as const;

export function inputOf({ application, git = {}, gone = {}, ...rest }: Scene): PlanInput {
  const app = plainApplication({ name: 'checkout', id: 'setpoint/checkout', namespace: 'setpoint', sources: [], policy: automatic, ...application });
  const declared = Object.entries(git).map(([text, item]) => ({ key: keyOf(text), item }));
  const facts = new Map<ResourceKey, LiveFacts>();
  for (const { key, item } of declared) {
    const isThere = item.live !== undefined || !['missing', 'deleted', 'hook', 'invalid'].includes(item.is ?? 'same');
    if (isThere) facts.set(key, factsOf(app, key, item));
  }
  for (const [text, item] of Object.entries(gone)) facts.set(keyOf(text), factsOf(app, keyOf(text), { annotations: item.annotations ?? {}, live: item }));
  return {
    application: app,
    commit: 'c1',
    commits: ['c1'],
    manifests: declared.flatMap(({ key, item }): readonly Manifest[] => (item.isUnplaced === true ? [] : [{ key, object: objectOf(key, item.annotations), origin: `${key}.yaml#1` }])),
    judged: new Map(declared.flatMap(({ key, item }) => (item.is === 'hook' ? [] : [[key, judgedOf(key, item)]]))),
    findings: [],
    live: (key) => facts.get(key),
    inventory: Object.fromEntries([
      ...declared.flatMap(({ key, item }) => (item.is === 'hook' ? [] : [[key, { uid: `uid of ${key}` }]])),
      ...Object.entries(gone).map(([text, { recorded }]) => [keyOf(text), { uid: recorded ?? `uid of ${keyOf(text)}` }]),
    ]) as PlanInput['inventory'],
    operation: undefined,
    request: undefined,
    render: { isWhole: true, isSettled: true },
    namespace: { name: 'shop', state: 'there' },
    fights: new Set(),
    now,
    ...rest,
  };
}

function factsOf({ id }: Application, key: ResourceKey, { annotations, health = 'Healthy', message, live }: Declared): LiveFacts {
  const object = objectOf(key, { ...annotations, [trackingAnnotation]: trackingId(id, key) });
  const facts = liveFacts({ ...object, metadata: { ...object.metadata, uid: `uid of ${key}` } }, { status: health, ...(message !== undefined && { message }) });
  return { ...facts, ...live };
}

function judgedOf(key: ResourceKey, { is = 'same', diff = {}, annotations }: Declared): JudgedResource {
  const object = objectOf(key, annotations);
  const compared = { key, origin: `${key}.yaml#1` };
  const change = { display: 'data.a', path: '/data/a', live: '1', desired: '2', owners: [{ manager: 'kubectl-edit', operation: 'Update' }] };
  switch (is) {
    case 'same':
    case 'hook':
      return { diff: { ...compared, type: 'same', ...remarks } };
    case 'missing':
      return { diff: { ...compared, type: 'missing', patch: [], after: object, ...(diff.waitsFor !== undefined && { waitsFor: diff.waitsFor }) }, cause: 'git-ahead' };
    case 'deleted':
      return { diff: { ...compared, type: 'missing', patch: [], after: object }, cause: 'live-changed' };
    case 'changed':
    case 'drifted':
      return { diff: { ...compared, type: 'changed', patch: [], changes: [change], before: object, after: object, ...remarks, ...diff }, cause: is === 'drifted' ? 'live-changed' : 'git-ahead' };
    case 'terminating':
      return { diff: { ...compared, type: 'terminating', message: 'it is being deleted' }, cause: 'live-changed' };
    case 'invalid':
      return { diff: { ...compared, type: 'invalid', message: 'no such kind' }, cause: 'git-ahead' };
    case 'unknown':
      return { diff: { ...compared, type: 'unknown', code: 'Forbidden', message: 'may not be read' } };
  }
}

export function operationOf(more: Partial<Operation> = {}): Operation {
  return { id: 'op1', type: 'deploy', revision: 'c1', startedAt: now.toISOString(), hooks: {}, state: 'running', ...more };
}

export function planOf(scene: Scene): Plan {
  return planSync(inputOf(scene));
}

/** `apply web`, `wait web`, `hold Denied web`: a plan at a glance. */
export function shown({ steps }: Pick<Plan, 'steps'>): readonly string[] {
  return steps.map((step) => [step.type, ...(step.type === 'hold' ? [step.code] : []), step.key.split('/')[3]].join(' '));
}
