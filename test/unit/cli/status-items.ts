// Applications as the cluster and the state folder show them, written by the agent's own code.
import { clusterItem, type Beat, type StatusItem } from '../../../src/cli/status-item.ts';
import { emptyStatus, plainApplication, resourceKey, type AppStatus, type Episode, type JsonObject, type KubeObject, type ResourceStatus } from '../../../src/model/index.ts';
import { applicationStatus } from '../../../src/status/application-status.ts';

export const now = new Date('2026-03-01T12:00:00Z');

export function ago(seconds: number): string {
  return new Date(now.getTime() - seconds * 1000).toISOString();
}

export const alive: Beat = { type: 'seen', at: new Date(ago(4)), holder: 'pod-1' };

export const deployment = resourceKey({ group: 'apps', kind: 'Deployment', namespace: 'prod', name: 'checkout' });

export function changed(parts: Partial<ResourceStatus> = {}): ResourceStatus {
  return { key: deployment, origin: 'web.yaml#1', type: 'changed', cause: 'live-changed', since: ago(360), fields: ['spec.replicas'], by: 'kubectl-edit', ...parts };
}

export function drifted(...resources: readonly ResourceStatus[]): Partial<AppStatus> {
  return { verdict: { status: 'OutOfSync', cause: 'live-changed' }, verdictSince: ago(300), commit: '4e9c917aaaa', reference: { repository: 'https://git.example.com/fleet', revision: 'main' }, checkedAt: ago(12), declared: 14, resources: resources.length === 0 ? [changed()] : resources };
}

export const synced: Partial<AppStatus> = { verdict: { status: 'Synced' }, verdictSince: ago(9000), commit: '4e9c917aaaa', reference: { repository: 'https://git.example.com/fleet', revision: 'main' }, checkedAt: ago(3600), declared: 22 };

export function episode(parts: Partial<Episode> = {}): Episode {
  return { id: 'drf_1', key: deployment, cause: 'live-changed', openedAt: ago(360), closedAt: null, fingerprint: 'f', fields: ['spec.replicas'], by: 'kubectl-edit', ...parts };
}

interface Parts {
  readonly name?: string;
  readonly namespace?: string;
  readonly spec?: JsonObject;
  readonly annotations?: JsonObject;
  readonly generation?: number;
  /** Added to what the agent writes; null: no agent ever wrote. */
  readonly written?: JsonObject | null;
}

const spec: JsonObject = { source: { repoURL: 'https://git.example.com/acme/fleet', path: 'apps/checkout', targetRevision: 'main' }, destination: { namespace: 'prod' } };

export function applicationObject(status: Partial<AppStatus>, { name = 'checkout', namespace = 'prod', annotations, generation = 3, written = {}, ...parts }: Parts = {}): KubeObject {
  const id = `${namespace}/${name}`;
  const application = plainApplication({ name, sources: [{ repository: 'https://git.example.com/acme/fleet', revision: 'main', path: 'apps/checkout', ref: undefined, options: {} }] });
  const shown = { ...applicationStatus({ ...emptyStatus(id), generation, ...status }, application, now), lease: 'setpoint/setpoint-agent', epoch: 1, ...written };
  return {
    apiVersion: 'setpoint.dev/v1alpha1',
    kind: 'Application',
    metadata: { name, namespace, uid: 'u', generation, resourceVersion: '7', ...(annotations === undefined ? {} : { annotations }) },
    spec: { ...spec, ...parts.spec },
    ...(written === null ? {} : { status: shown }),
  };
}

export function item(status: Partial<AppStatus>, parts: Parts & { readonly beat?: Beat } = {}): StatusItem {
  return clusterItem(applicationObject(status, parts), { beat: parts.beat ?? alive, now });
}
