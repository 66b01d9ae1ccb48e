import { isObject, parseJson, SetpointError, stringifyJson, valueAt } from '../model/index.ts';
import type { CreatingTransport } from './lease.ts';
import { refusal, statusBody } from './refusal.ts';

export interface AgentKeyOptions {
  readonly namespace: string;
  /** Of the Secret that holds it. */
  readonly name: string;
  /** A new one, for when there is none. */
  readonly make: () => string;
}

const entry = 'hash-key';

/** The key of the hashes that agents keep: made once, the same for all that lead one after the other, and known to nobody else. */
export async function agentKey(transport: CreatingTransport, { namespace, name, make }: AgentKeyOptions, signal: AbortSignal): Promise<string> {
  const collection = `/api/v1/namespaces/${encodeURIComponent(namespace)}/secrets`;
  const found = await transport.send({ method: 'GET', path: `${collection}/${encodeURIComponent(name)}`, signal });
  if (found.status === 200) return keyIn(found.text, `${namespace}/${name}`);
  const said = statusBody(found);
  if (found.status !== 404 || said?.details['name'] !== name) throw refusal(found, `get secret ${name} in namespace ${namespace}`);
  const body = stringifyJson({ apiVersion: 'v1', kind: 'Secret', type: 'Opaque', metadata: { name, namespace }, data: { [entry]: Buffer.from(make()).toString('base64') } });
  const made = await transport.send({ method: 'POST', path: collection, contentType: 'application/json', body, signal });
  if (made.status === 201) return keyIn(made.text, `${namespace}/${name}`);
  // Another agent was quicker: its key is ours.
  if (made.status === 409) return agentKey(transport, { namespace, name, make }, signal);
  throw refusal(made, `create secrets in namespace ${namespace}`);
}

/** The Secret itself is in no message. */
function keyIn(text: string, place: string): string {
  const secret = parseJson(text);
  const value = isObject(secret) ? valueAt(secret, ['data', entry]) : undefined;
  const key = typeof value === 'string' ? Buffer.from(value, 'base64').toString() : '';
  if (key === '') throw new SetpointError('StateInvalid', `the Secret ${place} has no ${entry}: delete it, and the agent makes a new one`);
  return key;
}
