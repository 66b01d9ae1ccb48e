import type { Destination, SendOutcome, WebhookConfig } from '../model/index.ts';
import { classify } from './classify.ts';
import type { DestinationDeps } from './destination-deps.ts';
import { eventText } from './event-text.ts';
import type { SecretRead } from './secret.ts';
import { signatureHeaders, signingKey } from './sign-webhook.ts';

/** CloudEvents to one URL, signed as Standard Webhooks says. Templates have no say: programs read it. */
export function createGenericWebhook(config: WebhookConfig, deps: DestinationDeps): Destination {
  const { name, source, secretFiles = [] } = config;
  return {
    name,
    async send(notification, signal) {
      const url = await urlOf(config, (file) => deps.readSecret(file, signal));
      if (url.type !== 'read') return url;
      const keys = await keysOf(secretFiles, (file) => deps.readSecret(file, signal));
      if (keys.type !== 'keys') return keys;
      const body = eventText(notification, source);
      const timestamp = Math.floor(deps.now().getTime() / 1000);
      const headers = {
        'content-type': 'application/cloudevents+json; charset=utf-8',
        'idempotency-key': notification.id,
        ...signatureHeaders({ id: notification.id, timestamp, body }, keys.keys),
      };
      const result = await deps.http.post({ url: url.value, headers, body }, signal);
      return classify(result, { secrets: [url.value, ...keys.secrets], now: deps.now });
    },
    close: () => Promise.resolve(),
  };
}

type Read = (file: string) => Promise<SecretRead>;

async function urlOf({ name, url, urlFile }: WebhookConfig, read: Read): Promise<SecretRead | Extract<SendOutcome, { readonly type: 'refused' }>> {
  if (url !== undefined) return { type: 'read', value: url };
  return urlFile === undefined ? { type: 'refused', why: `the destination ${name} has neither url nor urlFile` } : read(urlFile);
}

type Keys = { readonly type: 'keys'; readonly keys: readonly Buffer[]; readonly secrets: readonly string[] } | Extract<SendOutcome, { readonly type: 'retry' }>;

async function keysOf(files: readonly string[], read: Read): Promise<Keys> {
  const [keys, secrets]: [Buffer[], string[]] = [[], []];
  for (const file of files) {
    const secret = await read(file);
    if (secret.type !== 'read') return secret;
    const key = signingKey(secret.value);
    // Somebody may put it right while we try again; unsigned it never goes.
    if (key === undefined) return { type: 'retry', why: `the secret in ${file} is no signing secret: whsec_ and base64 of at least 24 bytes is wanted` };
    keys.push(key);
    secrets.push(secret.value);
  }
  return { type: 'keys', keys, secrets };
}
