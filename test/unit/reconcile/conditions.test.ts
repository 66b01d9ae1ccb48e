import { expect, test } from 'vitest';
import { plainApplication, type Application, type Condition, type Verdict } from '../../../src/model/index.ts';
import { conditionsAfter, type Situation } from '../../../src/reconcile/conditions.ts';

const at = (second: number): Date => new Date(Date.parse('2026-01-01T00:00:00Z') + second * 1000);
const synced: Verdict = { status: 'Synced' };
const drifted: Verdict = { status: 'OutOfSync', cause: 'live-changed' };

function situation(verdict: Verdict, more: Partial<Application> = {}, rest: Partial<Situation> = {}): Situation {
  return { application: plainApplication({ name: 'a', sources: [], generation: 3, ...more }), verdict, health: { status: 'Healthy' }, trouble: undefined, now: at(0), ...rest };
}

const shown = (conditions: readonly Condition[]): readonly string[] => conditions.map(({ type, status, reason }) => `${type}=${status} ${reason}`);

const heals = { deploy: 'manual', drift: 'Heal', foreignFields: 'Report', prune: false } as const;
const deploys = { ...heals, deploy: 'automatic', drift: 'Alert' } as const;

test.each<[string, Situation, readonly string[]]>([
  ['in sync', situation(synced), ['Synced=True InSync', 'Healthy=True Healthy', 'Reconciling=False Idle', 'Stalled=False Progressing']],
  ['drift that nobody heals', situation(drifted), ['Synced=False LiveChanged', 'Healthy=True Healthy', 'Reconciling=False Idle', 'Stalled=False Progressing']],
  ['drift that is healed', situation(drifted, { policy: heals }), ['Synced=False LiveChanged', 'Healthy=True Healthy', 'Reconciling=True Syncing', 'Stalled=False Progressing']],
  ['drift of one that only deploys', situation(drifted, { policy: deploys }), ['Synced=False LiveChanged', 'Healthy=True Healthy', 'Reconciling=False Idle', 'Stalled=False Progressing']],
  ['a deploy', situation({ status: 'OutOfSync', cause: 'git-ahead' }, { policy: deploys }), ['Synced=False GitAhead', 'Healthy=True Healthy', 'Reconciling=True Syncing', 'Stalled=False Progressing']],
  ['a pause', situation(drifted, { policy: heals, pause: { until: undefined, reason: 'incident 7' } }), ['Synced=False LiveChanged', 'Healthy=True Healthy', 'Reconciling=False Idle', 'Stalled=False Progressing', 'Paused=True Requested']],
  ['a pause that is over', situation(synced, { pause: { until: at(-1).toISOString(), reason: undefined } }), ['Synced=True InSync', 'Healthy=True Healthy', 'Reconciling=False Idle', 'Stalled=False Progressing']],
  ['what may heal by itself', situation({ status: 'Unknown', code: 'ClusterUnreachable', message: 'gone' }), ['Synced=Unknown ClusterUnreachable', 'Healthy=True Healthy', 'Reconciling=False Idle', 'Stalled=False Progressing']],
  ['what needs somebody', situation({ status: 'Unknown', code: 'PathNotFound', message: 'no path' }), ['Synced=Unknown PathNotFound', 'Healthy=True Healthy', 'Reconciling=False Idle', 'Stalled=True PathNotFound']],
  ['fields without effect', situation(synced, { warnings: ['spec.project: x', 'spec.info: y'] }), ['Synced=True InSync', 'Healthy=True Healthy', 'Reconciling=False Idle', 'Stalled=False Progressing', 'NotSupported=True FieldsWithoutEffect']],
  ['what autoscalers chose', situation(synced, {}, { autoscaled: ['apps/Deployment shop/web: spec.replicas is left'] }), ['Synced=True InSync', 'Healthy=True Healthy', 'Reconciling=False Idle', 'Stalled=False Progressing', 'Autoscaled=True WithinLimits']],
  ['Git that does not answer', situation(synced, {}, { trouble: { since: at(-60).getTime(), code: 'RepositoryUnreachable', message: 'gone' } }), ['Synced=True InSync', 'Healthy=True Healthy', 'Reconciling=False Idle', 'Stalled=False Progressing', 'SourceStale=True RepositoryUnreachable']],
])('%s', (_name, given, expected) => {
  expect(shown(conditionsAfter([], given))).toEqual(expected);
});

test.each([
  [null, 'Unknown Unknown'],
  [{ status: 'Unknown', message: 'not allowed' }, 'Unknown Unknown'],
  [{ status: 'Healthy' }, 'True Healthy'],
  [{ status: 'Suspended' }, 'True Suspended'],
  [{ status: 'Progressing' }, 'False Progressing'],
  [{ status: 'Missing' }, 'False Missing'],
  [{ status: 'Degraded', message: 'web: crash loop' }, 'False Degraded'],
] as const)('an application whose health is %o is Healthy=%s', (health, wanted) => {
  const condition = conditionsAfter([], situation(synced, {}, { health })).find(({ type }) => type === 'Healthy');
  expect(`${condition?.status} ${condition?.reason}`).toBe(wanted);
  expect(condition?.message).toBe(health !== null && 'message' in health ? health.message : '');
});

test('what could not be told is not for a look to say, and stays', () => {
  const undelivered = { type: 'AlertsNotDelivered', status: 'True', reason: 'DestinationFails', message: 'chat', lastTransitionTime: '2026-11-16T10:15:00Z' } as const;
  expect(conditionsAfter([undelivered], situation(synced)).at(-1)).toEqual(undelivered);
});

test('a condition whose status stays keeps its time, and one that turns gets a new one', () => {
  const first = conditionsAfter([], situation(synced));
  const second = conditionsAfter(first, situation(synced, { generation: 4 }, { now: at(60) }));
  expect(second[0]).toMatchObject({ lastTransitionTime: '2026-01-01T00:00:00Z', observedGeneration: 4 });
  const third = conditionsAfter(second, situation(drifted, {}, { now: at(120) }));
  expect(third.map(({ lastTransitionTime }) => lastTransitionTime)).toEqual(['2026-01-01T00:02:00Z', ...Array<string>(3).fill('2026-01-01T00:00:00Z')]);
});

test('what is said of a thousand fields is bounded', () => {
  const warnings = Array.from({ length: 1000 }, (_, index) => `spec.field${index}: no effect`);
  expect(conditionsAfter([], situation(synced, { warnings })).at(-1)?.message).toHaveLength(1024);
});
