import { childOf, isObject, type Json } from '../../model/index.ts';
import { headerOf, type Provider, type Reading } from './provider.ts';
import { fullNames } from './reference.ts';
import { isSecret, isSigned, sha256Digits } from './signature.ts';
import { hasStandardSignature, isStandardSigned } from './standard-webhooks.ts';

/** A CI job's kick. What the body does not say, the receiver's own repository and reference do. */
export const generic: Provider = {
  encoding: 'json-or-nothing',
  withoutId: 'always-new',
  verify(delivery, credentials) {
    const { headers, body } = delivery;
    if (hasStandardSignature(delivery)) return isStandardSigned(delivery, credentials);
    if (headers['x-signature'] !== undefined) return isSigned(body, sha256Digits(headerOf(headers, 'x-signature')), credentials.secrets);
    return isSecret(/^bearer +(\S+)$/i.exec(headerOf(headers, 'authorization') ?? '')?.[1], credentials.secrets);
  },
  deliveryId: ({ headers }) => headerOf(headers, 'webhook-id'),
  read(_delivery, payload) {
    if (!isObject(payload)) return malformed('the body is not an object with repo and ref');
    const repository = childOf(payload, 'repo') ?? undefined;
    const reference = childOf(payload, 'ref') ?? undefined;
    if (repository !== undefined && typeof repository !== 'string') return malformed('repo is not a text');
    const references = namesOf(reference);
    if (references.length === 0) return malformed('ref is not the name of a branch or tag');
    return { type: 'moved', addresses: repository === undefined ? [] : [repository], references };
  },
};

const malformed = (why: string): Reading => ({ type: 'malformed', why });

function namesOf(reference: Json | undefined): readonly string[] | 'any' {
  if (reference === undefined) return 'any';
  return typeof reference === 'string' ? fullNames(reference) : [];
}
