import { describe, expect, test } from 'vitest';
import type { HttpResult } from '../../../src/notify/http.ts';
import { readSlackAnswer, type SlackAnswer } from '../../../src/notify/slack-answer.ts';

const read = (text: string, headers: Readonly<Record<string, string>> = {}, status = 200): SlackAnswer => {
  const result: HttpResult = { type: 'answer', host: 'slack.com', status, headers, text };
  return readSlackAnswer(result, { secrets: ['xoxb-s3cr3t'], now: () => new Date('2026-11-16T10:46:12Z') });
};

test('ok is ok', () => {
  expect(read('{"ok":true,"channel":"C1","ts":"1.2"}')).toEqual({ type: 'ok', body: { ok: true, channel: 'C1', ts: '1.2' } });
});

describe('200 is no success', () => {
  test.each(['channel_not_found', 'not_in_channel', 'invalid_auth', 'is_archived', 'account_inactive', 'token_revoked', 'token_expired', 'msg_too_long', 'missing_scope', 'invalid_blocks', 'restricted_action', 'no_permission'])('with %s, and there is no other try', (error) => {
    expect(read(JSON.stringify({ ok: false, error }))).toEqual({ type: 'not-ok', outcome: { type: 'refused', why: `Slack answered "${error}"` } });
  });

  test.each(['ratelimited', 'internal_error', 'fatal_error', 'service_unavailable', 'request_timeout', 'something_new'])('with %s, and there is another try', (error) => {
    expect(read(JSON.stringify({ ok: false, error }))).toEqual({ type: 'not-ok', outcome: { type: 'retry', why: `Slack answered "${error}"` } });
  });

  test('with ratelimited, and the wait is honoured', () => {
    expect(read('{"ok":false,"error":"ratelimited"}', { 'retry-after': '30' })).toEqual({ type: 'not-ok', outcome: { type: 'retry', why: 'Slack answered "ratelimited"', afterMs: 30_000 } });
  });

  test.each(['message_not_found', 'cant_update_message', 'edit_window_closed'])('with %s: the message is lost', (error) => {
    expect(read(JSON.stringify({ ok: false, error }))).toEqual({ type: 'lost' });
  });

  test.each([
    ['a page', '<!doctype html>'],
    ['nothing', ''],
    ['half of it', '{"ok":tr'],
    ['a list', '[]'],
    ['null', 'null'],
  ])('with %s, and there is another try', (_what, text) => {
    expect(read(text)).toEqual({ type: 'not-ok', outcome: { type: 'retry', why: 'slack.com answered 200, and not as the API of Slack does' } });
  });

  test.each(['{}', '{"ok":"true"}', '{"ok":false}', '{"ok":false,"error":7}'])('with %s, and there is another try', (text) => {
    expect(read(text)).toEqual({ type: 'not-ok', outcome: { type: 'retry', why: 'Slack answered ""' } });
  });

  test('and its error tells no secret', () => {
    expect(JSON.stringify(read('{"ok":false,"error":"bad xoxb-s3cr3t"}'))).not.toContain('s3cr3t');
  });
});

test('another status is what it says, whatever the body', () => {
  expect(read('{"ok":true}', { 'retry-after': '7' }, 429)).toMatchObject({ type: 'not-ok', outcome: { type: 'retry', afterMs: 7_000 } });
  expect(read('{"ok":true}', {}, 404)).toMatchObject({ type: 'not-ok', outcome: { type: 'refused' } });
});
