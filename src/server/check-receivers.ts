import { repositoryIdentity, SetpointError, shownText } from '../model/index.ts';
import { providers } from './providers/providers.ts';
import { fullNames } from './providers/reference.ts';
import { isUsableSecret } from './providers/standard-webhooks.ts';
import type { Receiver } from './receiver.ts';

/** Throws at the first receiver that cannot work or could not be trusted. No message shows a secret. */
export async function checkReceivers(receivers: readonly Receiver[], signal: AbortSignal): Promise<void> {
  const ids = new Set<string>();
  for (const receiver of receivers) {
    checkId(receiver.id);
    if (ids.has(receiver.id)) throw refused(receiver, 'is there twice: each receiver needs an id of its own');
    ids.add(receiver.id);
    checkSettings(receiver);
    await checkSecrets(receiver, signal);
  }
}

function refused({ id }: Receiver, what: string, cause?: unknown): SetpointError {
  return new SetpointError('Usage', `the webhook receiver ${id} ${what}`, { cause });
}

function checkId(id: string): void {
  if (/^[A-Za-z0-9][A-Za-z0-9._-]{0,62}$/.test(id)) return;
  throw new SetpointError('Usage', `the id of a webhook receiver is made of 1 to 63 letters, digits, dots, dashes and underscores, a letter or digit first, got ${shownText(id)}`);
}

function checkSettings(receiver: Receiver): void {
  const { provider, repository, reference, user, header } = receiver;
  if (!Object.hasOwn(providers, provider)) throw refused(receiver, `has the provider ${shownText(provider)}: one of ${Object.keys(providers).join(', ')} is wanted`);
  if (repository !== undefined && repositoryIdentity(repository) === undefined) {
    throw refused(receiver, 'has a repository that is no address: give https://HOST/PATH, ssh://USER@HOST/PATH or git@HOST:PATH');
  }
  if (reference !== undefined && fullNames(reference).length === 0) throw refused(receiver, `has the reference ${shownText(reference)}: the name of a branch or tag is wanted`);
  if (provider !== 'azure-devops' && (user !== undefined || header !== undefined)) {
    throw refused(receiver, `has a ${user === undefined ? 'header' : 'user'}, which only azure-devops takes: leave it out`);
  }
  if (user !== undefined && header !== undefined) throw refused(receiver, 'has a user and a header: the secret comes by one of them, leave out the other');
  if (user !== undefined && !/^[^:\p{Cc}]+$/u.test(user)) throw refused(receiver, 'has a user that is empty or has a colon in it, which HTTP cannot carry');
  if (header !== undefined && !/^[A-Za-z0-9!#$%&'*+.^_`|~-]+$/.test(header)) throw refused(receiver, `has the header ${shownText(header)}, which is no name of a header`);
}

async function checkSecrets(receiver: Receiver, signal: AbortSignal): Promise<void> {
  let secrets;
  try {
    secrets = await receiver.secrets(signal);
  } catch (error) {
    throw refused(receiver, 'does not start: its secret cannot be read', error);
  }
  if (secrets.length === 0) throw refused(receiver, 'has no secret and does not start: anyone could send to it');
  if (secrets.length > 2) throw refused(receiver, `has ${secrets.length} secrets: one is wanted, or two while they are changed`);
  if (!secrets.every(isUsableSecret)) throw refused(receiver, 'has a secret that is empty, or starts with whsec_ and is not followed by the base64 of 24 bytes or more');
}
