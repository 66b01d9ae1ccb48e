import { parseJson, stringifyJson, valueAt } from '../model/index.ts';
import type { CreatingTransport } from './lease.ts';
import { refusal } from './refusal.ts';

/** Who the API server takes the user of these credentials for; undefined where it does not tell (before Kubernetes 1.28, or without the right to ask). */
export async function userName(transport: CreatingTransport, signal: AbortSignal): Promise<string | undefined> {
  const body = stringifyJson({ apiVersion: 'authentication.k8s.io/v1', kind: 'SelfSubjectReview' });
  const answer = await transport.send({ method: 'POST', path: '/apis/authentication.k8s.io/v1/selfsubjectreviews', contentType: 'application/json', body, signal });
  if (answer.status === 403 || answer.status === 404) return undefined;
  if (answer.status !== 201) throw refusal(answer, 'create selfsubjectreviews.authentication.k8s.io');
  const name = valueAt(parseJson(answer.text), ['status', 'userInfo', 'username']);
  return typeof name === 'string' && name !== '' ? name : undefined;
}
