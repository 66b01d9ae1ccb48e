import { stringifyJson, type Destination, type JsonObject, type Notification, type SendOutcome, type SlackConfig } from '../model/index.ts';
import type { DestinationDeps } from './destination-deps.ts';
import type { Message } from './message.ts';
import { messagesFor } from './messages-for.ts';
import { readSlackAnswer, type SlackAnswer } from './slack-answer.ts';
import { inert, slackMessage } from './slack-blocks.ts';
import { fittingSlack } from './slack-text.ts';

const publicApi = 'https://slack.com/api';

/** With a bot token: one message for an alert, changed in place, and a line in its thread for each change. */
export function createSlack(config: SlackConfig, deps: DestinationDeps): Destination {
  const { name, tokenFile, channel, apiUrl = publicApi } = config;
  const messageOf = messagesFor(config, deps);

  function caller(token: string, signal: AbortSignal): Call {
    return async (method, body) => {
      const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json; charset=utf-8' };
      const result = await deps.http.post({ url: `${apiUrl.replace(/\/+$/, '')}/${method}`, headers, body: stringifyJson(body) }, signal);
      return readSlackAnswer(result, { secrets: [token], now: deps.now });
    };
  }

  return {
    name,
    async send(notification, signal) {
      const secret = await deps.readSecret(tokenFile, signal);
      if (secret.type !== 'read') return secret;
      const call = caller(secret.value, signal);
      const content = contentOf(notification, messageOf(notification));
      const earlier = placeOf(notification.ref);
      if (earlier !== undefined) {
        const updated = await call('chat.update', { ...earlier, ...content });
        if (updated.type === 'not-ok') return updated.outcome;
        if (updated.type === 'ok') return reply({ call, earlier, notification, message: messageOf(notification) });
      }
      return post(call, { channel, ...content });
    },
    close: () => Promise.resolve(),
  };
}

type Call = (method: 'chat.postMessage' | 'chat.update', body: JsonObject) => Promise<SlackAnswer>;

interface Place extends JsonObject {
  readonly channel: string;
  readonly ts: string;
}

async function post(call: Call, body: JsonObject): Promise<SendOutcome> {
  const posted = await call('chat.postMessage', { ...body, unfurl_links: false, unfurl_media: false });
  if (posted.type === 'not-ok') return posted.outcome;
  if (posted.type === 'lost') return { type: 'refused', why: 'Slack does not take a new message there' };
  const { channel, ts } = posted.body;
  return typeof channel === 'string' && typeof ts === 'string' ? { type: 'sent', ref: refOf({ channel, ts }) } : { type: 'sent' };
}

interface Reply {
  readonly call: Call;
  readonly earlier: Place;
  readonly notification: Notification;
  readonly message: Message;
}

/** The message itself says all of it already: a thread that takes no reply is no failure, one that is to be tried again is. */
async function reply({ call, earlier, notification, message }: Reply): Promise<SendOutcome> {
  const sent: SendOutcome = { type: 'sent', ref: refOf(earlier) };
  const text = fittingSlack(inert(message.title), 1_000);
  const replied = await call('chat.postMessage', { channel: earlier.channel, thread_ts: earlier.ts, text, parse: 'none', unfurl_links: false, unfurl_media: false, metadata: metadataOf(notification) });
  return replied.type === 'not-ok' && replied.outcome.type === 'retry' ? replied.outcome : sent;
}

function contentOf(notification: Notification, message: Message): JsonObject {
  // An update takes names for mentions where it is not told otherwise.
  return { ...slackMessage(message), parse: 'none', metadata: metadataOf(notification) };
}

/** Slack has no key against second copies: whoever looks for them finds it here. */
function metadataOf({ id, type }: Notification): JsonObject {
  return { event_type: 'setpoint_alert', event_payload: { id, type } };
}

function refOf({ channel, ts }: Place): string {
  return `${channel}/${ts}`;
}

function placeOf(ref: string | undefined): Place | undefined {
  const [, channel, ts] = /^([A-Z0-9]+)\/(\d+\.\d+)$/.exec(ref ?? '') ?? [];
  return channel === undefined || ts === undefined ? undefined : { channel, ts };
}
