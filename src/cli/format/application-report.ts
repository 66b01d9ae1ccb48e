import { parseResourceKey, type Json, type JsonObject, type ResourceKey, type ResourceStatus } from '../../model/index.ts';
import { actorsOf, differing, isDecayed, sinceOf, type StatusItem } from '../status-item.ts';

/** The versioned document of `setpoint status -o json` and `-o yaml`. */
export function statusReport(items: readonly StatusItem[], place: string): JsonObject {
  return { apiVersion: 'setpoint.dev/v1', kind: 'StatusReport', place, items: items.map(describe) };
}

function describe(item: StatusItem): JsonObject {
  const { verdict, status, pause, source } = item;
  return {
    id: item.id,
    namespace: item.namespace ?? null,
    name: item.name,
    sync: {
      status: verdict.status,
      cause: verdict.status === 'OutOfSync' ? verdict.cause : null,
      ...(verdict.status === 'Unknown' ? { code: verdict.code, message: verdict.message } : {}),
      since: sinceOf(item)?.toISOString() ?? null,
      revision: status.commit,
      shortRevision: item.revision ?? null,
      ...(isDecayed(item) ? { recorded: status.verdict?.status ?? null } : {}),
    },
    checkedAt: item.vouchedAt?.toISOString() ?? null,
    checkedBy: item.vouchedBy,
    observedAt: status.checkedAt,
    observedGeneration: status.generation,
    generation: item.generation ?? null,
    mode: item.mode ?? null,
    pause: pause === undefined ? null : { until: pause.until ?? null, reason: pause.reason ?? null },
    source: source === undefined ? null : { repository: source.repository, path: source.path ?? null },
    drift: { differing: differing(item).count, declared: status.declared, notListed: status.notListed, by: [...actorsOf(item)] },
    resources: status.resources.map(describeResource),
    conditions: asJson(status.conditions),
    episodes: status.episodes.map(({ key, ...episode }) => ({ ...(episode as unknown as JsonObject), resource: key })),
    history: asJson(status.history),
    health: status.health as unknown as Json,
    unhealthy: status.unhealthy.map(withIdentity),
    operation: status.operation as unknown as Json,
    answered: status.answered,
    held: status.held.map(withIdentity),
    notes: [...item.notes],
  };
}

/** Without values: those are for who may read the object itself. */
function describeResource({ key, patch: _patch, changes: _changes, ...resource }: ResourceStatus): JsonObject {
  return { ...identityOf(key), ...(resource as unknown as JsonObject) };
}

function withIdentity({ key, ...rest }: { readonly key: ResourceKey }): JsonObject {
  return { ...identityOf(key), ...(rest as unknown as JsonObject) };
}

function identityOf(key: ResourceKey): JsonObject {
  return { ...parseResourceKey(key) };
}

/** The types of the model are JSON without saying so: interfaces have no index signature. */
function asJson(value: readonly object[]): Json {
  return value as unknown as Json;
}
