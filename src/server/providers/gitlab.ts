import { childOf, valueAt, type Json } from '../../model/index.ts';
import { moved, notAPush } from './moved.ts';
import { headerOf, type Provider } from './provider.ts';
import { pushedReference } from './reference.ts';
import { isSecret } from './signature.ts';
import { hasStandardSignature, isStandardSigned } from './standard-webhooks.ts';

/** Signs by Standard Webhooks where it was given a signing token, and otherwise sends its secret token as it is. */
export const gitlab: Provider = {
  encoding: 'json',
  withoutId: 'same-body',
  verify(delivery, credentials) {
    if (hasStandardSignature(delivery)) return isStandardSigned(delivery, credentials);
    return isSecret(headerOf(delivery.headers, 'x-gitlab-token'), credentials.secrets);
  },
  deliveryId: ({ headers }) => headerOf(headers, 'webhook-id') ?? headerOf(headers, 'idempotency-key'),
  read({ headers }, payload) {
    if (!isPush(headers['x-gitlab-event'], payload)) return notAPush;
    return moved(
      ['web_url', 'git_http_url', 'git_ssh_url'].map((key) => valueAt(payload, ['project', key])),
      pushedReference(payload),
    );
  },
};

function isPush(event: string | readonly string[] | undefined, payload: Json): boolean {
  if (event === 'Push Hook' || event === 'Tag Push Hook') return true;
  const kind = childOf(payload, 'object_kind');
  return event === 'System Hook' && (kind === 'push' || kind === 'tag_push');
}
