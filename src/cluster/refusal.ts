import { isList, isObject, parseJsonOrUndefined, SetpointError, type Json, type JsonObject } from '../model/index.ts';
import type { ApiAnswer } from './transport.ts';

/** The parts of a Kubernetes Status that say why the server refused. */
export interface StatusBody {
  readonly reason: string;
  readonly message: string;
  readonly causes: readonly { readonly reason: string; readonly field: string; readonly message: string }[];
  readonly details: JsonObject;
}

/** The server's own Status, or undefined where something else answered (a proxy's page, for one). */
export function statusBody({ text }: ApiAnswer): StatusBody | undefined {
  const body = parseJsonOrUndefined(text);
  if (!isObject(body) || body['kind'] !== 'Status') return undefined;
  const details = isObject(body['details']) ? body['details'] : {};
  const causes = isList(details['causes']) ? details['causes'].filter(isObject) : [];
  return {
    reason: string(body['reason']),
    message: string(body['message']),
    causes: causes.map((cause) => ({ reason: string(cause['reason']), field: string(cause['field']), message: string(cause['message']) })),
    details,
  };
}

/** The error for an answer that concerns the whole cluster. */
export function refusal(answer: ApiAnswer, what: string): SetpointError {
  const message = statusBody(answer)?.message ?? answer.text.slice(0, 200);
  if (answer.status === 401) {
    return new SetpointError('ClusterUnauthorized', `the cluster does not accept these credentials (${what}): log in again, or check the context`);
  }
  if (answer.status === 403) return new SetpointError('Forbidden', `not allowed: ${what}: ${message}`);
  return new SetpointError('ClusterError', `the cluster answered ${answer.status} to ${what}: ${message}`);
}

function string(value: Json | undefined): string {
  return typeof value === 'string' ? value : '';
}
