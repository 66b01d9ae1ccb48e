import { isList, valueAt, type Json } from '../../model/index.ts';
import { moved, notAPush } from './moved.ts';
import { headerOf, type Provider } from './provider.ts';
import { isCommit, isReference } from './reference.ts';
import { isSigned, sha256Digits } from './signature.ts';

/** Bitbucket Cloud. */
export const bitbucket: Provider = {
  encoding: 'json',
  withoutId: 'same-body',
  verify: ({ headers, body }, { secrets }) => isSigned(body, sha256Digits(headerOf(headers, 'x-hub-signature')), secrets),
  deliveryId: ({ headers }) => headerOf(headers, 'x-request-uuid'),
  read({ headers }, payload) {
    if (headers['x-event-key'] !== 'repo:push') return notAPush;
    const fullName = valueAt(payload, ['repository', 'full_name']);
    const changes = valueAt(payload, ['push', 'changes']);
    return moved(
      [valueAt(payload, ['repository', 'links', 'html', 'href']), typeof fullName === 'string' ? `https://bitbucket.org/${fullName}` : undefined],
      isList(changes) ? changes.flatMap(referenceOf) : [],
    );
  },
};

/** Names come without `refs/`: the type says which they are. `new` is null where the reference was deleted. */
function referenceOf(change: Json): readonly string[] {
  const folder = folders.get(valueAt(change, ['new', 'type']));
  const name = valueAt(change, ['new', 'name']);
  const reference = `${folder}${typeof name === 'string' ? name : ''}`;
  return folder !== undefined && isReference(reference) && isCommit(valueAt(change, ['new', 'target', 'hash'])) ? [reference] : [];
}

const folders: ReadonlyMap<Json | undefined, string> = new Map([
  ['branch', 'refs/heads/'],
  ['tag', 'refs/tags/'],
]);
