import { expect, test } from 'vitest';
import { emptyStatus, plainApplication, resourceKey, type KubeObject, type Operation } from '../../../src/model/index.ts';
import type { Observation } from '../../../src/reconcile/observe.ts';
import type { PlannedLook } from '../../../src/reconcile/plan-look.ts';
import type { Ports, Target } from '../../../src/reconcile/ports.ts';
import { recorded } from '../../../src/reconcile/record-look.ts';

const application = plainApplication({ name: 'web', sources: [] });
const ports = { now: () => new Date('2026-01-01T00:00:00Z'), newId: () => 'e1' } as unknown as Ports;
const key = resourceKey({ group: '', kind: 'ConfigMap', namespace: 'shop', name: 'a' });
const object: KubeObject = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'a', namespace: 'shop', uid: 'u1' } };
const target = { manifest: { key, object, origin: 'a.yaml#1' } } as unknown as Target;

function looked(targets: readonly Target[]): Observation {
  const judgement = { verdict: { status: 'Synced' as const }, commit: null, resources: [], findings: [] };
  return { judgement, commits: [], compared: [], targets, hooks: [], health: () => undefined, agreed: undefined, trouble: undefined, retrySoon: false };
}

test('what an apply without an answer may have taken over stays ours when Git has dropped it by the look after', () => {
  const before = { ...emptyStatus(application.id), inventory: { [key]: { uid: '', version: 'v1' } } };
  const planned = { plan: { steps: [] }, objects: new Map([[key, object]]), left: [] } as unknown as PlannedLook;
  const operation = { id: 'o1', type: 'deploy', revision: null, state: 'running', startedAt: '2026-01-01T00:00:00Z', hooks: {} } as unknown as Operation;
  const done = { since: before, observation: looked([]), planned, operation, acted: looked([target]), written: new Map() };
  expect(recorded(before, { application, ports, recordings: [done] }).inventory).toEqual(before.inventory);
});
