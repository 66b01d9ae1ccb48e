import { valueAt } from '../../model/index.ts';
import { moved, notAPush } from './moved.ts';
import { headerOf, type Provider } from './provider.ts';
import { pushedReference } from './reference.ts';
import { isSigned, sha256Digits } from './signature.ts';

/** Also sends forms; the signature is over the bytes as they are sent. */
export const github: Provider = {
  encoding: 'json-or-form',
  withoutId: 'same-body',
  verify: ({ headers, body }, { secrets }) => isSigned(body, sha256Digits(headerOf(headers, 'x-hub-signature-256')), secrets),
  deliveryId: ({ headers }) => headerOf(headers, 'x-github-delivery'),
  read({ headers }, payload) {
    const event = headers['x-github-event'];
    if (event === 'ping') return { type: 'ping' };
    if (event !== 'push') return notAPush;
    return moved(
      ['html_url', 'clone_url', 'ssh_url'].map((key) => valueAt(payload, ['repository', key])),
      pushedReference(payload),
    );
  },
};
