import { Agent, request } from 'undici';
import { SetpointError, stringifyJson, type JsonObject } from '../model/index.ts';

const timeoutMs = 10_000;

/** Posts events to one URL. Anything but a 2xx is a failure, a redirect included: the URL is the configured one or none. */
export function createWebhook(url: string): {
  send(event: JsonObject & { readonly id: string }, signal: AbortSignal): Promise<void>;
  close(): Promise<void>;
} {
  const agent = new Agent();
  const { origin } = new URL(url);
  return {
    async send(event, signal) {
      const failed = (what: string, cause?: unknown): SetpointError =>
        new SetpointError('DestinationFailed', `the webhook at ${origin} ${what}`, { cause });
      const answer = await request(url, {
        method: 'POST',
        headers: { 'content-type': 'application/cloudevents+json', 'idempotency-key': event.id, 'user-agent': 'setpoint' },
        body: stringifyJson(event),
        dispatcher: agent,
        signal: AbortSignal.any([signal, AbortSignal.timeout(timeoutMs)]),
      }).catch((cause: Error & { code?: string }) => {
        throw failed(`cannot be reached: ${cause.name === 'TimeoutError' ? `no answer within ${timeoutMs / 1000} s` : (cause.code ?? cause.message)}`, cause);
      });
      await answer.body.dump();
      if (answer.statusCode < 200 || answer.statusCode > 299) throw failed(`answered ${answer.statusCode}`);
    },
    close: () => agent.close(),
  };
}
