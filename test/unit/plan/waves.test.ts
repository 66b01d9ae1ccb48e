import { describe, expect, test } from 'vitest';
import { operationOf, planOf, shown, type Declared, type Scene } from './scene.ts';

const wave = (number: number): NonNullable<Declared['annotations']> => ({ 'argocd.argoproj.io/sync-wave': String(number) });
const hook = (phase: string, more: Record<string, string> = {}): Declared => ({ is: 'hook', annotations: { 'argocd.argoproj.io/hook': phase, ...more } });

describe('order', () => {
  test.each<[string, Scene, readonly string[]]>([
    ['kinds that others need come first', { git: { 'apps/Deployment shop/web': { is: 'missing' }, 'ConfigMap shop/env': { is: 'missing' }, 'Namespace shop': { is: 'missing' } } }, ['apply shop', 'apply env', 'apply web']],
    [
      'policies come before what they are about, and what serves or judges others last, as in Argo CD but for definitions',
      { git: Object.fromEntries(['admissionregistration.k8s.io/ValidatingWebhookConfiguration w', 'example.com/Thing shop/thing', 'apiregistration.k8s.io/APIService api', 'networking.k8s.io/Ingress shop/in', 'networking.k8s.io/IngressClass class', 'batch/CronJob shop/cron', 'batch/Job shop/job', 'apps/StatefulSet shop/db', 'autoscaling/HorizontalPodAutoscaler shop/scale', 'apps/Deployment shop/web', 'apps/DaemonSet shop/node', 'Service shop/svc', 'ConfigMap shop/env', 'ServiceAccount shop/sa', 'policy/PodDisruptionBudget shop/pdb', 'networking.k8s.io/NetworkPolicy shop/deny', 'apiextensions.k8s.io/CustomResourceDefinition crd', 'Namespace shop'].map((key) => [key, { is: 'missing' as const }])) },
      ['shop', 'crd', 'deny', 'pdb', 'sa', 'env', 'svc', 'node', 'web', 'scale', 'db', 'job', 'cron', 'class', 'in', 'thing', 'api', 'w'].map((name) => `apply ${name}`),
    ],
    ['then names', { git: { 'ConfigMap shop/b': { is: 'missing' }, 'ConfigMap shop/a': { is: 'missing' } } }, ['apply a', 'apply b']],
    ['but waves before kinds, negative ones first', { git: { 'Namespace shop': { is: 'missing', annotations: wave(1) }, 'ConfigMap shop/a': { is: 'missing' }, 'ConfigMap shop/b': { is: 'missing', annotations: wave(-1) } } }, ['apply b', 'wait b', 'apply a', 'wait a', 'apply shop']],
    [
      'and phases before waves',
      { git: { 'ConfigMap shop/a': { is: 'changed', annotations: wave(-9) }, 'batch/Job shop/before': hook('PreSync', wave(5)), 'batch/Job shop/with': hook('Sync', wave(-9)), 'batch/Job shop/after': hook('PostSync', wave(-20)) } },
      ['hook before', 'wait before', 'apply a', 'hook with', 'wait a', 'wait with', 'hook after', 'wait after'],
    ],
    ['what is in sync has no step', { git: { 'ConfigMap shop/a': {} } }, []],
  ])('%s', (_name, scene, wanted) => {
    expect(shown(planOf(scene))).toEqual(wanted);
  });
});

describe('a later wave waits', () => {
  const later = { 'apps/Deployment shop/web': { is: 'changed', annotations: wave(1) } } as const;
  test.each<[string, Record<string, Declared>, readonly string[]]>([
    ['not for what is healthy', { 'ConfigMap shop/a': {} }, ['apply web']],
    ['not for what is suspended', { 'ConfigMap shop/a': { health: 'Suspended' } }, ['apply web']],
    ['for what is applied just now', { 'ConfigMap shop/a': { is: 'changed' } }, ['apply a', 'wait a', 'apply web']],
    ['for what progresses', { 'ConfigMap shop/a': { health: 'Progressing' } }, ['wait a', 'apply web']],
    ['for what is degraded', { 'ConfigMap shop/a': { health: 'Degraded' } }, ['wait a', 'apply web']],
    ['for what is not known', { 'ConfigMap shop/a': { health: 'Unknown' } }, ['wait a', 'apply web']],
    ['for what cannot be made', { 'ConfigMap shop/a': { is: 'missing', live: { health: { status: 'Missing' }, trackedBy: 'setpoint/other:/ConfigMap/shop/a' } } }, ['hold Shared a', 'wait a', 'apply web']],
    ['not for what has no place', { 'ConfigMap shop/a': { is: 'invalid', isUnplaced: true } }, ['hold Invalid a', 'apply web']],
    ['not for what is held and healthy', { 'ConfigMap shop/a': { is: 'changed', diff: { obstacle: { type: 'denied', message: 'no' } } } }, ['hold Denied a', 'apply web']],
  ])('%s', (_name, earlier, wanted) => {
    expect(shown(planOf({ git: { ...earlier, ...later } }))).toEqual(wanted);
  });

  test('and says why, in the words of what it waits for', () => {
    const plan = planOf({ git: { 'ConfigMap shop/a': { health: 'Degraded', message: 'no image' }, ...later } });
    expect(plan.steps[0]).toEqual({ type: 'wait', key: '/ConfigMap/shop/a', phase: 'Sync', wave: 0, why: 'is Degraded: no image', limitMs: 600_000 });
  });

  test.each<[string, Declared, number | undefined]>([
    ['as long as the application says', { health: 'Degraded' }, 30_000],
    ['also for what nothing is known of', { health: 'Unknown' }, 30_000],
    ['also for what cannot be compared', { is: 'unknown', health: 'Unknown' }, 30_000],
    ['without a limit for what makes progress, which has one of its own', { health: 'Progressing' }, undefined],
  ])('%s', (_name, declared, limitMs) => {
    const { steps } = planOf({ application: { syncTimeoutMs: 30_000 }, git: { 'ConfigMap shop/a': declared, ...later } });
    expect(steps.find(({ type }) => type === 'wait')).toHaveProperty('key', '/ConfigMap/shop/a');
    expect(steps.flatMap((step) => (step.type === 'wait' ? [step.limitMs] : []))).toEqual([limitMs]);
  });

  test('and is stuck where what it waits for is refused', () => {
    const plan = planOf({ git: { 'ConfigMap shop/a': { is: 'changed', health: 'Degraded', diff: { obstacle: { type: 'denied', message: 'no' } } }, ...later } });
    expect(plan.steps[1]).toMatchObject({ type: 'wait', why: 'is held: no', isStuck: true });
  });

  test('but where nothing follows, nothing waits', () => {
    expect(shown(planOf({ git: { 'ConfigMap shop/a': { is: 'changed', health: 'Degraded' }, 'ConfigMap shop/b': { health: 'Degraded', annotations: wave(1) } } }))).toEqual(['apply a']);
  });
});

describe('hooks after the resources', () => {
  const running = operationOf();
  test.each<[string, Record<string, Declared>, readonly string[]]>([
    ['run when all is healthy', { 'ConfigMap shop/a': {} }, ['hook after', 'wait after']],
    ['wait for the last wave too', { 'ConfigMap shop/a': { health: 'Progressing', annotations: wave(7) } }, ['wait a', 'hook after', 'wait after']],
    ['do not run where something was refused', { 'ConfigMap shop/a': { is: 'changed', diff: { obstacle: { type: 'denied', message: 'no' } } } }, ['hold Denied a', 'wait a', 'hook after', 'wait after']],
    ['wait where something could not be compared', { 'ConfigMap shop/a': { is: 'unknown' } }, ['hold NotCompared a', 'wait a', 'hook after', 'wait after']],
  ])('%s', (_name, git, wanted) => {
    expect(shown(planOf({ operation: running, git: { ...git, 'batch/Job shop/after': hook('PostSync') } }))).toEqual(wanted);
  });
});

test('what nobody may read is not waited for in vain', () => {
  const plan = planOf({ operation: operationOf(), git: { 'ConfigMap shop/a': { is: 'unknown' }, 'batch/Job shop/after': hook('PostSync') } });
  expect(plan.steps[1]).toMatchObject({ type: 'wait', isStuck: true });
});

describe('a definition and its objects in one commit', () => {
  const crd = 'apiextensions.k8s.io/CustomResourceDefinition widgets.example.com';
  const widget = { is: 'missing', diff: { waitsFor: 'CustomResourceDefinition widgets.example.com' } } as const;
  test.each<[string, Record<string, Declared>, readonly string[]]>([
    ['the object follows when the server knows its kind, and keeps nothing else back', { [crd]: { is: 'missing' }, 'example.com/Widget shop/w': widget, 'apps/Deployment shop/z': { is: 'missing' } }, ['apply widgets.example.com', 'apply z', 'wait w', 'apply w']],
    ['it waits where the definition was applied a moment ago', { [crd]: {}, 'example.com/Widget shop/w': widget }, ['wait w', 'apply w']],
    ['it is held where the definition is in a later wave', { [crd]: { is: 'missing', annotations: wave(1) }, 'example.com/Widget shop/w': { ...widget } }, ['hold WaitsForDefinition w', 'wait w', 'apply widgets.example.com']],
    ['it is held where the definition is held', { [crd]: { is: 'changed', diff: { obstacle: { type: 'denied', message: 'no' } } }, 'example.com/Widget shop/w': widget }, ['hold Denied widgets.example.com', 'hold WaitsForDefinition w']],
    ['its own wave counts though the server does not know it', { [crd]: {}, 'example.com/Widget shop/w': { ...widget, annotations: wave(1), isUnplaced: true }, 'ConfigMap shop/a': { is: 'missing' } }, ['apply a', 'wait a', 'wait w', 'apply w']],
  ])('%s', (_name, git, wanted) => {
    expect(shown(planOf({ git }))).toEqual(wanted);
  });
});

describe('the namespace', () => {
  const create = { syncOptions: ['CreateNamespace=true'] };
  const missing = { name: 'shop', state: 'missing' } as const;
  test.each<[string, Scene, readonly string[]]>([
    ['is made before everything', { application: create, namespace: missing, git: { 'ConfigMap shop/a': { is: 'missing' }, 'batch/Job shop/before': hook('PreSync', wave(-3)) } }, ['apply shop', 'hook before', 'wait before', 'apply a']],
    ['is not made where it is declared', { application: create, namespace: missing, git: { 'ConfigMap shop/a': { is: 'missing' }, 'Namespace shop': { is: 'missing' } } }, ['apply shop', 'apply a']],
    ['is not made unasked', { namespace: missing, git: { 'ConfigMap shop/a': { is: 'missing' } } }, ['apply a']],
    ['is not made where nothing goes into it', { application: create, namespace: missing, git: { 'ConfigMap shop/a': {} } }, []],
    ['is not made where that is not known', { application: create, namespace: { name: 'shop', state: 'unknown' }, git: { 'ConfigMap shop/a': { is: 'missing' } } }, ['apply a']],
    ['in deletion holds what would be in it', { namespace: { name: 'shop', state: 'terminating' }, git: { 'ConfigMap shop/a': { is: 'missing' }, 'ConfigMap other/b': { is: 'missing' } } }, ['apply b', 'hold NamespaceTerminating a']],
    ['in deletion, another one that is declared, too', { git: { 'Namespace other': { is: 'terminating', live: { isDeleting: true } }, 'ConfigMap other/b': { is: 'missing' } } }, ['hold Terminating other', 'hold NamespaceTerminating b']],
  ])('%s', (_name, scene, wanted) => {
    expect(shown(planOf(scene))).toEqual(wanted);
  });

  test('is given what the application says', () => {
    const namespaceMetadata = { labels: { team: 'shop' }, annotations: {} };
    const [made] = planOf({ application: { ...create, namespaceMetadata }, namespace: missing, git: { 'ConfigMap shop/a': { is: 'missing' } } }).steps;
    expect(made).toMatchObject({ type: 'apply', object: { metadata: { name: 'shop', labels: { team: 'shop' } } } });
    expect(made).not.toHaveProperty('object.metadata.annotations');
  });

  test('is given as the object that nobody declares', () => {
    const plan = planOf({ application: create, namespace: missing, git: { 'ConfigMap shop/a': { is: 'missing' } } });
    expect(plan.steps[0]).toMatchObject({ type: 'apply', why: 'namespace', phase: 'PreSync', object: { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'shop' } } });
  });
});
