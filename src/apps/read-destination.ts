import { childOf, type ApplicationSpec, type JsonObject } from '../model/index.ts';
import type { Report } from './report.ts';

const inCluster = { server: /^https:\/\/kubernetes\.default\.svc\/?$/, name: /^in-cluster$/ } as const;

/** To compare with another cluster than the one that is meant would be worse than not to compare: that is a mistake. */
export function readDestination(spec: JsonObject, report: Report): ApplicationSpec['destination'] {
  const { server = '', name = '', namespace = '' } = (childOf(spec, 'destination') ?? {}) as { server?: string; name?: string; namespace?: string };
  const elsewhere = 'got another text: other clusters are not supported';
  if (server !== '' && !inCluster.server.test(server)) report.mistake('spec.destination.server', `https://kubernetes.default.svc is wanted, ${elsewhere}`);
  if (name !== '' && !inCluster.name.test(name)) report.mistake('spec.destination.name', `in-cluster is wanted, ${elsewhere}`);
  if (namespace === '') return { namespace: undefined };
  if (!/^[a-z0-9]([-a-z0-9]*[a-z0-9])?$/.test(namespace)) report.mistake('spec.destination.namespace', 'lower-case letters, digits and dashes are wanted, got something else');
  return { namespace };
}
