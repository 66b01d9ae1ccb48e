import { mainSource, modeOf, parseResourceKey, stringifyJson, type AppStatus, type Application, type Json, type JsonObject, type PendingAlert, type ResourceStatus } from '../model/index.ts';

export interface CloudEvent extends JsonObject {
  readonly specversion: '1.0';
  readonly id: string;
}

export interface AlertContext {
  readonly application: Application;
  readonly cluster: string;
  readonly status: AppStatus;
}

const sizeLimit = 20_000;

/** The alert as the CloudEvent that is sent: what the status says now, not what it said when the alert arose. */
export function cloudEvent(pending: PendingAlert, { application, cluster, status }: AlertContext): CloudEvent {
  const incident = status.incidents.find(({ id }) => id === pending.incidentId);
  const source = mainSource(application);
  const differing = status.resources.filter(({ cause }) => cause !== undefined);
  const event = (resources: readonly Json[]): CloudEvent => ({
    specversion: '1.0',
    id: pending.key,
    source: `setpoint://${encodeURIComponent(cluster)}`,
    type: `dev.setpoint.drift.${pending.type}.v1`,
    subject: application.name,
    time: pending.at,
    datacontenttype: 'application/json',
    data: {
      status: pending.type === 'resolved' ? 'resolved' : 'firing',
      cause: incident?.cause ?? null,
      episode: {
        id: pending.incidentId,
        fingerprint: incident?.fingerprint ?? null,
        startedAt: incident?.openedAt ?? pending.at,
        endedAt: incident?.closedAt ?? null,
      },
      cluster,
      application: { name: application.name, mode: modeOf(application, new Date(pending.at)) },
      revision: {
        repo: source.repository,
        ref: source.revision,
        sha: status.commit,
        path: source.path ?? null,
      },
      resources,
      truncatedResources: differing.length + status.notListed - resources.length,
    },
  });
  const described = differing.map(describe);
  while (described.length > 0 && stringifyJson(event(described)).length > sizeLimit) described.pop();
  return event(described);
}

function describe({ key, type, cause, since, message, patch, changes }: ResourceStatus): JsonObject {
  const { group, kind, namespace, name } = parseResourceKey(key);
  return {
    group,
    kind,
    namespace,
    name,
    change: type,
    cause: cause ?? null,
    since,
    ...(message === undefined ? {} : { message }),
    fields: (changes ?? []) as unknown as Json,
    patch: patch ?? [],
  };
}
