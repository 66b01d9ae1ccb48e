import { valueAt } from '../../model/index.ts';
import { jsonOf } from './json-of.ts';
import { moved, notAPush } from './moved.ts';
import { headerOf, type Provider } from './provider.ts';
import { pushedReference } from './reference.ts';
import { isSigned } from './signature.ts';

/** Gitea and its relatives differ in the names of their headers only. The signature is over the JSON, also where that is sent in a form. */
function relative(name: 'forgejo' | 'gitea' | 'gogs'): Provider {
  return {
    encoding: 'json-or-form',
    withoutId: 'same-body',
    verify(delivery, { secrets }) {
      const json = jsonOf(delivery);
      return json !== undefined && isSigned(json, headerOf(delivery.headers, `x-${name}-signature`), secrets);
    },
    deliveryId: ({ headers }) => headerOf(headers, `x-${name}-delivery`),
    read({ headers }, payload) {
      if (headers[`x-${name}-event`] !== 'push') return notAPush;
      return moved(
        ['html_url', 'clone_url', 'ssh_url'].map((key) => valueAt(payload, ['repository', key])),
        pushedReference(payload),
      );
    },
  };
}

export const gitea = relative('gitea');
export const forgejo = relative('forgejo');
export const gogs = relative('gogs');
