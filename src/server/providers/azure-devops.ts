import { childOf, isList, valueAt, type Json } from '../../model/index.ts';
import { moved, notAPush } from './moved.ts';
import { headerOf, type Credentials, type Provider } from './provider.ts';
import { isCommit, isReference } from './reference.ts';
import { isSecret } from './signature.ts';

/** Signs nothing: the secret is a password, or the value of a header that was configured on both sides. */
export const azureDevOps: Provider = {
  encoding: 'json',
  withoutId: 'same-body',
  verify({ headers }, credentials) {
    const { header, secrets } = credentials;
    if (header !== undefined) return isSecret(headerOf(headers, header.toLowerCase()), secrets);
    return isLogin(headerOf(headers, 'authorization'), credentials);
  },
  deliveryId(_delivery, payload) {
    const id = childOf(payload, 'id');
    const notification = childOf(payload, 'notificationId');
    return typeof id === 'string' && typeof notification === 'number' ? `${id}/${notification}` : undefined;
  },
  read(_delivery, payload) {
    if (childOf(payload, 'eventType') !== 'git.push') return notAPush;
    const updates = valueAt(payload, ['resource', 'refUpdates']);
    return moved([valueAt(payload, ['resource', 'repository', 'remoteUrl'])], isList(updates) ? updates.flatMap(referenceOf) : []);
  },
};

function isLogin(authorization: string | undefined, { user, secrets }: Credentials): boolean {
  const [, encoded = ''] = /^basic +([A-Za-z0-9+/]+={0,2})$/i.exec(authorization ?? '') ?? [];
  const login = Buffer.from(encoded, 'base64').toString();
  const colon = login.indexOf(':');
  const isUser = isSecret(login.slice(0, Math.max(colon, 0)), [user ?? '']);
  const isPassword = isSecret(login.slice(colon + 1), secrets);
  return colon >= 0 && (user === undefined || isUser) && isPassword;
}

function referenceOf(update: Json): readonly string[] {
  const name = childOf(update, 'name');
  return isReference(name) && isCommit(childOf(update, 'newObjectId')) ? [name] : [];
}
