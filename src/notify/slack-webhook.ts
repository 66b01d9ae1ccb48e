import { stringifyJson, type Destination, type SlackWebhookConfig } from '../model/index.ts';
import { classify } from './classify.ts';
import type { DestinationDeps } from './destination-deps.ts';
import { messagesFor } from './messages-for.ts';
import { slackMessage } from './slack-blocks.ts';

/** An incoming webhook: every notification is a message of its own. Its URL is a secret. */
export function createSlackWebhook(config: SlackWebhookConfig, deps: DestinationDeps): Destination {
  const messageOf = messagesFor(config, deps);
  return {
    name: config.name,
    async send(notification, signal) {
      const url = await deps.readSecret(config.urlFile, signal);
      if (url.type !== 'read') return url;
      const headers = { 'content-type': 'application/json; charset=utf-8', 'idempotency-key': notification.id };
      const result = await deps.http.post({ url: url.value, headers, body: stringifyJson(slackMessage(messageOf(notification))) }, signal);
      return classify(result, { secrets: [url.value], now: deps.now });
    },
    close: () => Promise.resolve(),
  };
}
