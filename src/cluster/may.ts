import { parseJson, stringifyJson, valueAt } from '../model/index.ts';
import { refusal } from './refusal.ts';
import type { CreatingTransport } from './lease.ts';

/** Something that one may do or not. */
export interface Right {
  /** `*`: everything. */
  readonly verb: string;
  readonly group: string;
  readonly resource: string;
  readonly subresource?: string;
  /** Undefined: in the whole cluster. */
  readonly namespace?: string;
  /** Of one object by its name. */
  readonly name?: string;
}

/** Whether the user of these credentials has a right, as the API server itself decides it. */
export async function may(transport: CreatingTransport, right: Right, signal: AbortSignal): Promise<boolean> {
  const body = stringifyJson({ apiVersion: 'authorization.k8s.io/v1', kind: 'SelfSubjectAccessReview', spec: { resourceAttributes: { ...right } } });
  const answer = await transport.send({ method: 'POST', path: '/apis/authorization.k8s.io/v1/selfsubjectaccessreviews', contentType: 'application/json', body, signal });
  if (answer.status !== 201) throw refusal(answer, 'create selfsubjectaccessreviews.authorization.k8s.io');
  return valueAt(parseJson(answer.text), ['status', 'allowed']) === true;
}
