import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { createHttp } from '../../src/notify/http.ts';
import { readSecret } from '../../src/notify/secret.ts';
import { createSlack } from '../../src/notify/slack.ts';
import type { Destination, JsonObject } from '../../src/model/index.ts';
import { answers, startAlertSink, type AlertAnswer, type AlertSink } from '../support/alert-sink.ts';
import { exampleNotification, resolvedNotification } from '../support/example-notification.ts';
import { tempFolder } from '../support/temp-folder.ts';

const signal = new AbortController().signal;
const ref = 'C0123456789/1794826000.000100';
const posted: AlertAnswer = { status: 200, body: '{"ok":true,"channel":"C0123456789","ts":"1794826000.000100"}' };
const error = (name: string, headers: Readonly<Record<string, string>> = {}): AlertAnswer => ({ status: 200, headers, body: JSON.stringify({ ok: false, error: name }) });

async function open(): Promise<{ readonly sink: AlertSink; readonly slack: Destination; readonly tokenFile: string; calls(): readonly (readonly [string, JsonObject])[] }> {
  const sink = await startAlertSink(posted);
  onTestFinished(() => sink[Symbol.asyncDispose]());
  const folder = await tempFolder();
  onTestFinished(() => folder.remove());
  const http = createHttp({ allowPrivate: ['127.0.0.1'] });
  onTestFinished(() => http.close());
  const tokenFile = join(folder.path, 'token');
  await writeFile(tokenFile, 'xoxb-first\n');
  const slack = createSlack({ type: 'slack', name: 'team', tokenFile, channel: '#alerts', apiUrl: `${sink.url}/api/` }, { http, readSecret, now: () => new Date('2026-11-16T10:46:12Z') });
  return { sink, slack, tokenFile, calls: () => sink.requests.map(({ path, json }) => [path, json as JsonObject] as const) };
}

describe('the first message of an alert', () => {
  test('is posted to the channel, and what Slack calls it is kept', async () => {
    const { sink, slack, calls } = await open();
    expect(await slack.send(exampleNotification(), signal)).toEqual({ type: 'sent', ref });
    expect(calls()).toMatchObject([['/api/chat.postMessage', { channel: '#alerts', parse: 'none', unfurl_links: false, metadata: { event_type: 'setpoint_alert', event_payload: { id: 'evt_01JC8Z9K7Q0000000000000000', type: 'drift.firing' } } }]]);
    expect(sink.requests[0]?.headers.authorization).toBe('Bearer xoxb-first');
  });

  test.each(['channel_not_found', 'not_in_channel', 'is_archived', 'invalid_auth'])('is not tried again after %s', async (name) => {
    const { sink, slack } = await open();
    sink.answerWith(error(name));
    expect(await slack.send(exampleNotification(), signal)).toEqual({ type: 'refused', why: `Slack answered "${name}"` });
  });

  test('is tried again after ratelimited, not before Slack says', async () => {
    const { sink, slack } = await open();
    sink.answerWith(error('ratelimited', { 'retry-after': '30' }));
    expect(await slack.send(exampleNotification(), signal)).toEqual({ type: 'retry', why: 'Slack answered "ratelimited"', afterMs: 30_000 });
  });

  test('is tried again where a page comes instead of an answer', async () => {
    const { sink, slack } = await open();
    sink.answerWith(answers.html);
    expect(await slack.send(exampleNotification(), signal)).toEqual({ type: 'retry', why: `${sink.host} answered 200, and not as the API of Slack does` });
  });
});

describe('a later message of an alert', () => {
  test('changes the first one in place, and says so in its thread', async () => {
    const { slack, calls } = await open();
    expect(await slack.send(resolvedNotification({ ref }), signal)).toEqual({ type: 'sent', ref });
    expect(calls()).toMatchObject([
      ['/api/chat.update', { channel: 'C0123456789', ts: '1794826000.000100', parse: 'none' }],
      ['/api/chat.postMessage', { channel: 'C0123456789', thread_ts: '1794826000.000100', text: 'checkout in prod: in sync with Git again' }],
    ]);
    expect(calls()[1]?.[1]).not.toHaveProperty('blocks');
  });

  test.each(['message_not_found', 'cant_update_message', 'edit_window_closed'])('is posted anew after %s', async (name) => {
    const { sink, slack, calls } = await open();
    sink.answerNext(error(name), { status: 200, body: '{"ok":true,"channel":"C0123456789","ts":"1794826999.000200"}' });
    expect(await slack.send(resolvedNotification({ ref }), signal)).toEqual({ type: 'sent', ref: 'C0123456789/1794826999.000200' });
    expect(calls()).toMatchObject([['/api/chat.update', {}], ['/api/chat.postMessage', { channel: '#alerts' }]]);
  });

  test('is tried again where the update failed, without a word in the thread', async () => {
    const { sink, slack } = await open();
    sink.answerNext({ status: 503 });
    expect(await slack.send(resolvedNotification({ ref }), signal)).toMatchObject({ type: 'retry' });
    expect(sink.requests.length).toBe(1);
  });

  test('is tried again where only the thread failed for now', async () => {
    const { sink, slack } = await open();
    sink.answerNext(posted, answers.limited(20));
    expect(await slack.send(resolvedNotification({ ref }), signal)).toMatchObject({ type: 'retry', afterMs: 20_000 });
  });

  test('is sent where the thread takes no replies: the message says it', async () => {
    const { sink, slack } = await open();
    sink.answerNext(posted, error('restricted_action_thread_locked'));
    expect(await slack.send(resolvedNotification({ ref }), signal)).toEqual({ type: 'sent', ref });
  });

  test.each(['', 'C1', '../../evil/1.2', 'C1/1.2/3', 'c1/1.2'])('with a reference that is none of ours is posted anew: %j', async (broken) => {
    const { slack, calls } = await open();
    expect(await slack.send(resolvedNotification({ ref: broken }), signal)).toEqual({ type: 'sent', ref });
    expect(calls().map(([path]) => path)).toEqual(['/api/chat.postMessage']);
  });
});

describe('the token', () => {
  test('may be rotated between two messages', async () => {
    const { sink, slack, tokenFile } = await open();
    await slack.send(exampleNotification(), signal);
    await writeFile(tokenFile, 'xoxb-second');
    await slack.send(exampleNotification(), signal);
    expect(sink.requests.map(({ headers }) => headers.authorization)).toEqual(['Bearer xoxb-first', 'Bearer xoxb-second']);
  });

  test('that is gone is worth another try, and nothing is sent', async () => {
    const { sink, slack, tokenFile } = await open();
    await rm(tokenFile);
    expect(await slack.send(exampleNotification(), signal)).toEqual({ type: 'retry', why: `the secret in ${tokenFile} cannot be read: there is no such file or folder` });
    expect(sink.requests).toEqual([]);
  });
});
