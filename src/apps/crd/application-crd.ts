import { applicationKind, type JsonObject } from '../../model/index.ts';
import { specField } from '../fields/spec-field.ts';
import { statusField } from '../fields/status-field.ts';
import { openApiOf } from './open-api.ts';

const { group, version, kind, resource: plural } = applicationKind;

const column = (name: string, jsonPath: string, type = 'string') => ({ name, type, jsonPath });

const columns: readonly JsonObject[] = [
  column('Sync', '.status.sync.status'),
  column('Cause', '.status.sync.cause'),
  column('Drift', '.status.drift'),
  column('Since', '.status.driftedSince', 'date'),
  column('Health', '.status.health.status'),
  column('Revision', '.status.sync.shortRevision'),
  column('Mode', '.status.mode'),
  column('Age', '.metadata.creationTimestamp', 'date'),
  { ...column('Message', '.status.sync.message'), priority: 1 },
  { ...column('Repo', '.spec.source.repoURL'), priority: 1 },
];

/** The definition of the custom resource, made of the same tables that documents are read by. */
export function applicationCrd(): JsonObject {
  return {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: `${plural}.${group}`, labels: { 'app.kubernetes.io/name': 'setpoint', 'app.kubernetes.io/part-of': 'setpoint' } },
    spec: {
      group,
      scope: 'Namespaced',
      names: { kind, listKind: `${kind}List`, plural, singular: 'application', shortNames: ['sp'], categories: ['setpoint'] },
      versions: [
        {
          name: version,
          served: true,
          storage: true,
          subresources: { status: {} },
          additionalPrinterColumns: columns,
          schema: {
            openAPIV3Schema: {
              description: 'A part of a Git repository, and the objects of a cluster that are to be as it says.',
              type: 'object',
              required: ['spec'],
              properties: {
                apiVersion: { type: 'string' },
                kind: { type: 'string' },
                metadata: { type: 'object' },
                // Argo CD's: kept, so that it can be named as not supported.
                operation: openApiOf({ type: 'free', about: 'Not supported.' }),
                spec: openApiOf(specField),
                // One writer, and all of it at once: who owns which part would be as long again as the status.
                status: { ...openApiOf(statusField), 'x-kubernetes-map-type': 'atomic' },
              },
            },
          },
        },
      ],
    },
  };
}
