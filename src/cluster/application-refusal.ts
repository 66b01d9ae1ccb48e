import { applicationKind, SetpointError } from '../model/index.ts';
import { refusal, statusBody } from './refusal.ts';
import type { ApiAnswer } from './transport.ts';

const { resource, group } = applicationKind;

export const definitionMissing = `the cluster does not know Applications: install their definition with kubectl apply --server-side -f charts/setpoint/crds/${resource}.${group}.yaml`;

/** The error for an answer to a question about Applications as such, such as `list` in a namespace. */
export function applicationRefusal(answer: ApiAnswer, verb: string, namespace: string | undefined): SetpointError {
  // The server says so itself; a proxy's 404 tells nothing about the cluster.
  if (answer.status === 404 && (statusBody(answer) !== undefined || answer.text.startsWith('404 page not found'))) return new SetpointError('KindNotServed', definitionMissing);
  return refusal(answer, `${verb} ${resource}.${group} in ${namespace === undefined ? 'all namespaces' : `namespace ${namespace}`}`);
}
