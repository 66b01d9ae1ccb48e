import { expect, test } from 'vitest';
import { healthOf } from '../../../src/health/index.ts';
import { resourceKey, type Health, type JsonObject, type KubeObject, type UnhealthyResource } from '../../../src/model/index.ts';
import { explainHealth } from '../../../src/reconcile/explain-health.ts';
import type { Ports, Target } from '../../../src/reconcile/ports.ts';

const now = new Date('2026-01-31T12:00:00Z');
const minutesAgo = (minutes: number): string => new Date(now.getTime() - minutes * 60_000).toISOString();
const { signal } = new AbortController();

const subject = (apiVersion: string, kind: string, more: JsonObject): KubeObject => ({ apiVersion, kind, metadata: { name: 'a', namespace: 'shop' }, ...more });
const job = subject('batch/v1', 'Job', { status: { active: 1 } });
const balancer = subject('v1', 'Service', { spec: { type: 'LoadBalancer' } });
const slow = subject('apps/v1', 'Deployment', { spec: { replicas: 3, progressDeadlineSeconds: 3600 }, status: { observedGeneration: 1, replicas: 3, updatedReplicas: 1, conditions: [{ type: 'Progressing', status: 'True', reason: 'ReplicaSetUpdated' }] } });
const broken = subject('apps/v1', 'Deployment', { spec: { replicas: 3 }, status: { observedGeneration: 1, replicas: 3, updatedReplicas: 3, availableReplicas: 1, conditions: [{ type: 'Progressing', status: 'True', reason: 'NewReplicaSetAvailable' }] } });
const unplaced = subject('v1', 'Pod', { metadata: { name: 'a-1' }, status: { phase: 'Pending', conditions: [{ type: 'PodScheduled', status: 'False', reason: 'Unschedulable', message: 'no room' }] } });

async function explained(object: KubeObject, before: Partial<UnhealthyResource>, pods: readonly KubeObject[] = []): Promise<Health | undefined> {
  const [group, version] = object.apiVersion.includes('/') ? object.apiVersion.split('/') : ['', object.apiVersion];
  const key = resourceKey({ group: group ?? '', kind: object.kind, namespace: 'shop', name: 'a' });
  const kind = { group: group ?? '', version: version ?? '', kind: object.kind, resource: '', namespaced: true, hasStatus: true };
  const targets: readonly Target[] = [{ manifest: { key, object, origin: '' }, kind }];
  const health = healthOf(object, { now });
  const ports = {
    cluster: { podsOf: () => Promise.resolve(pods) },
    standing: { of: () => ({ watch: { sight: () => ({ reading: () => ({ type: 'live', live: { key, object, resourceVersion: '1' } }) }) } }) },
    healthOf: (of: KubeObject, facts = {}) => healthOf(of, { now, ...facts }),
    now: () => now,
  } as unknown as Ports;
  const unhealthy = [{ key, status: 'Progressing' as const, since: minutesAgo(0), ...before }];
  return (await explainHealth({ applicationId: 'shop', unhealthy, targets, health: () => health }, ports, signal))(key);
}

test.each<[string, KubeObject, number, Health['status']]>([
  ['a Job runs as long as it runs', job, 90, 'Progressing'],
  ['a roll-out has the deadline of its controller', slow, 30, 'Progressing'],
  ['one whose pods fail after it has ours', broken, 9, 'Progressing'],
  ['and no longer', broken, 11, 'Degraded'],
  ['a load balancer without an address has its time', balancer, 9, 'Progressing'],
  ['and no longer than that', balancer, 11, 'Degraded'],
])('%s', async (_name, object, minutes, expected) => {
  expect((await explained(object, { since: minutesAgo(minutes) }))?.status).toBe(expected);
});

test('what took too long before still does, and says for how long', async () => {
  const late = { status: 'Degraded' as const, isOverdue: true as const, since: minutesAgo(30) };
  expect(await explained(balancer, late)).toEqual({ status: 'Degraded', isOverdue: true, message: 'for 30 min: no load balancer has given it an address' });
});

test('what failed by itself and is on its way again has all of its time', async () => {
  expect(await explained(balancer, { status: 'Degraded', since: minutesAgo(30) })).toMatchObject({ status: 'Progressing' });
});

test('a Job whose pods cannot start does not run', async () => {
  expect(await explained(job, { since: minutesAgo(11) }, [unplaced])).toMatchObject({ status: 'Degraded', isOverdue: true, message: expect.stringContaining('no room') as string });
});
