import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import type { Destination, NotificationType } from '../../src/model/index.ts';
import { createDiscord } from '../../src/notify/discord.ts';
import { createHttp } from '../../src/notify/http.ts';
import { readSecret } from '../../src/notify/secret.ts';
import { startAlertSink, type AlertSink, type SentRequest } from '../support/alert-sink.ts';
import { exampleNotification } from '../support/example-notification.ts';
import { tempFolder } from '../support/temp-folder.ts';
import { destinationContract } from './destination-contract.ts';

interface Sent {
  readonly content?: string;
  readonly embeds: readonly { readonly title: string; readonly description: string; readonly footer: { readonly text: string } }[];
  readonly allowed_mentions: unknown;
}

const sentIn = ({ json }: SentRequest): Sent => json as Sent;
const accepted = { status: 200, body: '{"id":"1308122400000000001","channel_id":"42"}' };

destinationContract('Discord', async ({ url, deps, secret, file }) => createDiscord({ type: 'discord', name: 'team', urlFile: await file(`${url}/api/webhooks/42/${secret('webhook')}`) }, deps), {
  accepted,
  keyOf: (request) => sentIn(request).embeds[0]?.footer.text,
  textsOf: (request) => sentIn(request).embeds.flatMap(({ title, description, footer }) => [title, description.replace(/```\n.*\n```$/s, ''), footer.text]),
  // Signs that are not escaped: of mentions, links, quotes, emphasis, code and spoilers.
  pings: [/(?<!\\)(?:\\\\)*[<>@[\]*~`|]/, /https?:/],
  maxBytes: 20_000,
  faultsOf(request) {
    const { allowed_mentions: mentions, content = '', embeds } = sentIn(request);
    const sizes = embeds.map(({ title, description, footer }) => title.length + description.length + footer.text.length);
    return [
      ...(JSON.stringify(mentions) === '{"parse":[]}' ? [] : ['mentions are allowed']),
      ...(content.length <= 2000 ? [] : ['the content is too long']),
      ...(embeds.every(({ title, description }) => title.length <= 256 && description.length <= 4096) ? [] : ['a title or description is too long']),
      ...(sizes.reduce((sum, size) => sum + size, 0) <= 6000 ? [] : ['the embeds are too long']),
    ];
  },
});

describe('a message of Discord', () => {
  const signal = new AbortController().signal;
  const ref = '1308122400000000001';

  async function open(query = ''): Promise<{ readonly sink: AlertSink; readonly destination: Destination }> {
    const sink = await startAlertSink(accepted);
    onTestFinished(() => sink[Symbol.asyncDispose]());
    const folder = await tempFolder();
    onTestFinished(() => folder.remove());
    const http = createHttp({ allowPrivate: ['127.0.0.1'] });
    onTestFinished(() => http.close());
    const urlFile = join(folder.path, 'url');
    await writeFile(urlFile, `${sink.url}/api/webhooks/42/token${query}`);
    return { sink, destination: createDiscord({ type: 'discord', name: 'team', urlFile }, { http, readSecret, now: () => new Date('2026-11-16T10:46:12Z') }) };
  }

  const requestsOf = ({ requests }: AlertSink): readonly string[] => requests.map(({ method, path }) => `${method} ${path}`);

  test('is waited for, and known by its id afterwards', async () => {
    const { sink, destination } = await open();
    expect(await destination.send(exampleNotification(), signal)).toEqual({ type: 'sent', ref });
    expect(requestsOf(sink)).toEqual(['POST /api/webhooks/42/token?wait=true']);
  });

  test.each<NotificationType>(['drift.changed', 'drift.resolved', 'agent.recovered'])('is changed in place by %s', async (type) => {
    const { sink, destination } = await open('?thread_id=7');
    expect(await destination.send(exampleNotification({ type, ref }), signal)).toEqual({ type: 'sent', ref });
    expect(requestsOf(sink)).toEqual([`PATCH /api/webhooks/42/token/messages/${ref}?thread_id=7`]);
  });

  test.each<NotificationType>(['drift.firing', 'drift.repeated', 'agent.blind', 'sync.failed'])('is posted anew by %s, as a change calls nobody', async (type) => {
    const { sink, destination } = await open('?thread_id=7');
    expect(await destination.send(exampleNotification({ type, ref: '1' }), signal)).toEqual({ type: 'sent', ref });
    expect(requestsOf(sink)).toEqual(['POST /api/webhooks/42/token?thread_id=7&wait=true']);
  });

  test('is posted anew where somebody deleted it', async () => {
    const { sink, destination } = await open();
    sink.answerNext({ status: 404, body: '{"message":"Unknown Message","code":10008}' });
    expect(await destination.send(exampleNotification({ type: 'drift.changed', ref: '1' }), signal)).toEqual({ type: 'sent', ref });
    expect(sink.requests.map(({ method }) => method)).toEqual(['PATCH', 'POST']);
  });

  test.each(['../../1', 'C012/1', '', '1 2'])('is posted anew where %j is no id of one', async (other) => {
    const { sink, destination } = await open();
    expect(await destination.send(exampleNotification({ type: 'drift.changed', ref: other }), signal)).toEqual({ type: 'sent', ref });
    expect(sink.requests.map(({ method }) => method)).toEqual(['POST']);
  });

  test.each([undefined, ref])('goes nowhere once the webhook was deleted, after the message %s', async (before) => {
    const { sink, destination } = await open();
    sink.answerWith({ status: 404, body: '{"message":"Unknown Webhook","code":10015}' });
    expect(await destination.send(exampleNotification({ type: 'drift.changed', ...(before !== undefined && { ref: before }) }), signal)).toMatchObject({ type: 'gone' });
    expect(sink.requests.length).toBe(1);
  });

  test.each([
    ['the text', {}, 1.25, 1250],
    ['the header, which is later', { 'retry-after': '3' }, 1.25, 3000],
    ['the text, which is later', { 'retry-after': '3' }, 64.5, 64_500],
    ['neither, as both make no sense', { 'retry-after': 'soon' }, 'soon', undefined],
  ])('waits as long as is said by %s', async (_by, headers, said, afterMs) => {
    const { sink, destination } = await open();
    sink.answerWith({ status: 429, headers, body: JSON.stringify({ message: 'You are being rate limited.', retry_after: said, global: false }) });
    expect(await destination.send(exampleNotification(), signal)).toEqual({ type: 'retry', why: expect.stringContaining('answered 429'), ...(afterMs !== undefined && { afterMs }) });
  });

  test('is sent also where the answer tells no id', async () => {
    const { sink, destination } = await open();
    sink.answerWith({ status: 204 });
    expect(await destination.send(exampleNotification(), signal)).toEqual({ type: 'sent' });
  });
});
