import type { Health, HealthStatus, Json, JsonObject, KubeObject } from '../../../src/model/index.ts';

export const now = new Date('2026-03-01T12:00:00Z');

export function minutesAgo(minutes: number): Date {
  return new Date(now.getTime() - minutes * 60_000);
}

/** `apps/v1 Deployment` and what it has beside its name. */
export function object(type: string, fields: Readonly<Record<string, Json>> = {}): KubeObject {
  const [apiVersion = '', kind = ''] = type.split(' ');
  const { metadata = {}, ...rest } = fields;
  return { apiVersion, kind, ...rest, metadata: { name: 'web', namespace: 'shop', generation: 2, ...(metadata as JsonObject) } };
}

export function condition(type: string, status: 'True' | 'False' | 'Unknown', more: JsonObject = {}): JsonObject {
  return { type, status, lastTransitionTime: '2026-03-01T11:59:00Z', lastUpdateTime: '2026-03-01T11:59:00Z', ...more };
}

/** A pod as the kubelet reports it, with one container named app. */
export function pod(name: string, container: JsonObject, more: Readonly<Record<string, Json>> = {}): KubeObject {
  const { metadata = {}, spec = {}, status = {}, ...rest } = more as Readonly<Record<string, JsonObject>>;
  const isReady = container['ready'] === true;
  return {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { name, namespace: 'shop', creationTimestamp: '2026-03-01T11:58:00Z', ...metadata },
    spec: { restartPolicy: 'Always', containers: [{ name: 'app', image: 'registry.example.com/shop/web:1.4' }], ...spec },
    status: {
      phase: isReady ? 'Running' : 'Pending',
      conditions: [condition('PodScheduled', 'True'), condition('Ready', isReady ? 'True' : 'False', isReady ? {} : { reason: 'ContainersNotReady' })],
      containerStatuses: [{ name: 'app', image: 'registry.example.com/shop/web:1.4', restartCount: 0, ready: false, ...container }],
      ...status,
    },
    ...rest,
  };
}

export function waiting(reason: string, message?: string): JsonObject {
  return { state: { waiting: message === undefined ? { reason } : { reason, message } } };
}

export const runs = { ready: true, started: true, state: { running: { startedAt: '2026-03-01T11:58:10Z' } } } as const;

/** What says for how long took too long. */
export function health(status: string, message?: string): Health {
  return { status: status as HealthStatus, ...(message !== undefined && { message }), ...(message?.startsWith('for ') === true && { isOverdue: true }) };
}
