import { parseJsonOrUndefined, valueAt, type Destination, type DiscordConfig, type NotificationType, type SendOutcome } from '../model/index.ts';
import { classify, waitOf } from './classify.ts';
import type { DestinationDeps } from './destination-deps.ts';
import { discordEmbed } from './discord-embed.ts';
import type { HttpRequest, HttpResult } from './http.ts';
import { messagesFor } from './messages-for.ts';

/** Told in the message that is there. The others are posted anew: a message that is changed calls nobody. */
const inPlace: ReadonlySet<NotificationType> = new Set(['drift.changed', 'drift.resolved', 'drift.healed', 'agent.recovered', 'sync.succeeded']);

const unknownWebhook = 10_015;

/** A message in a channel through a webhook, which is changed in place. */
export function createDiscord(config: DiscordConfig, deps: DestinationDeps): Destination {
  const { http, readSecret } = deps;
  const messageOf = messagesFor(config, deps);
  return {
    name: config.name,
    async send(notification, signal) {
      const url = await readSecret(config.urlFile, signal);
      if (url.type === 'retry') return url;
      const body = JSON.stringify(discordEmbed(notification, messageOf(notification)));
      const ask = (where: Pick<HttpRequest, 'url' | 'method'>): Promise<HttpResult> => http.post({ ...where, headers: { 'content-type': 'application/json' }, body }, signal);
      const { ref = '', type } = notification;
      if (isMessageId(ref) && inPlace.has(type)) {
        const answer = await ask({ url: withPath(url.value, `/messages/${ref}`), method: 'PATCH' });
        // Somebody deleted the message.
        const isMissing = answer.type === 'answer' && answer.status === 404 && codeOf(answer) !== unknownWebhook;
        if (!isMissing) return outcomeOf(answer, { ref, url: url.value, now: deps.now });
      }
      const answer = await ask({ url: waiting(url.value) });
      return outcomeOf(answer, { ref: answer.type === 'answer' ? idIn(answer.text) : '', url: url.value, now: deps.now });
    },
    close: () => Promise.resolve(),
  };
}

interface Asked {
  readonly ref: string;
  readonly url: string;
  readonly now: () => Date;
}

function outcomeOf(answer: HttpResult, { ref, url, now }: Asked): SendOutcome {
  const outcome = classify(answer, { secrets: [url], now });
  if (outcome.type === 'sent') return isMessageId(ref) ? { type: 'sent', ref } : outcome;
  if (outcome.type === 'refused' && codeOf(answer) === unknownWebhook) return { type: 'gone', why: outcome.why };
  if (outcome.type !== 'retry') return outcome;
  // To the millisecond in the text, in whole seconds in the header; whichever is later.
  const said = answer.type === 'answer' ? Number(fieldIn(answer.text, 'retry_after')) : Number.NaN;
  const { afterMs } = waitOf(Number.isFinite(said) ? String(Math.max(0, said)) : undefined, now);
  return afterMs === undefined ? outcome : { ...outcome, afterMs: Math.max(afterMs, outcome.afterMs ?? 0) };
}

function codeOf(answer: HttpResult): unknown {
  return answer.type === 'answer' ? fieldIn(answer.text, 'code') : undefined;
}

function idIn(text: string): string {
  const id = fieldIn(text, 'id');
  return typeof id === 'string' ? id : '';
}

function fieldIn(text: string, name: string): unknown {
  const json = parseJsonOrUndefined(text);
  return json === undefined ? undefined : valueAt(json, [name]);
}

function isMessageId(text: string): boolean {
  return /^\d{1,20}$/.test(text);
}

/** Without `wait` Discord answers before there is a message, and tells no id. */
function waiting(webhook: string): string {
  const url = URL.parse(webhook);
  url?.searchParams.set('wait', 'true');
  return url?.href ?? webhook;
}

/** What is asked after the path, a `thread_id` for instance, stays. */
function withPath(webhook: string, path: string): string {
  const url = URL.parse(webhook);
  if (url === null) return webhook;
  url.pathname = `${url.pathname.replace(/\/+$/, '')}${path}`;
  return url.href;
}
