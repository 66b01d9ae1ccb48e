import { childOf, isList, valueAt, type Json } from '../../model/index.ts';
import { moved, notAPush } from './moved.ts';
import { headerOf, type Provider } from './provider.ts';
import { isCommit, isReference } from './reference.ts';
import { isSigned, sha256Digits } from './signature.ts';

const ping = 'diagnostics:ping';

/** Bitbucket Server and Data Center. */
export const bitbucketServer: Provider = {
  encoding: 'json',
  withoutId: 'same-body',
  verify: ({ headers, body }, { secrets }) => isSigned(body, sha256Digits(headerOf(headers, 'x-hub-signature')), secrets),
  // Its "Test connection" is not signed, whatever secret was entered.
  isUnsignedPing: (headers) => headers['x-event-key'] === ping && headers['x-hub-signature'] === undefined,
  deliveryId: ({ headers }) => headerOf(headers, 'x-request-id'),
  read({ headers }, payload) {
    const event = headers['x-event-key'];
    if (event === ping) return { type: 'ping' };
    if (event !== 'repo:refs_changed') return notAPush;
    const clone = valueAt(payload, ['repository', 'links', 'clone']);
    const changes = childOf(payload, 'changes');
    return moved(
      isList(clone) ? clone.map((link) => childOf(link, 'href')) : [],
      isList(changes) ? changes.flatMap(referenceOf) : [],
    );
  },
};

function referenceOf(change: Json): readonly string[] {
  const name = valueAt(change, ['ref', 'id']);
  return isReference(name) && isCommit(childOf(change, 'toHash')) && childOf(change, 'type') !== 'DELETE' ? [name] : [];
}
