import { describe, expect, test } from 'vitest';
import { messageOf, type Message } from '../../../src/notify/message.ts';
import { inert, slackMessage } from '../../../src/notify/slack-blocks.ts';
import { escapeSlack, fencedSlack, fittingSlack } from '../../../src/notify/slack-text.ts';
import { exampleNotification, resolvedNotification } from '../../support/example-notification.ts';
import { slackFaults, slackTexts } from '../../support/slack-payload.ts';
import type { SentRequest } from '../../support/alert-sink.ts';

const request = (message: Message): SentRequest => ({ method: 'POST', path: '/', headers: {}, body: '', json: slackMessage(message) });
const withLines = (lines: readonly string[]): Message => ({ ...messageOf(exampleNotification()), lines });

test.each([
  ['<!channel>', '&lt;!channel&gt;'],
  ['<@U1|x> & co', '&lt;@U1|x&gt; &amp; co'],
  ['&lt;', '&amp;lt;'],
])('%s is escaped', (text, escaped) => {
  expect(escapeSlack(text)).toBe(escaped);
});

test.each([
  ['a<b', 10, 'a&lt;b'],
  ['aaaa<b', 6, 'aaaa…'],
  ['aaaa<b', 7, 'aaaa…'],
  ['aaaa<bbb', 10, 'aaaa&lt;b…'],
  ['aaa😀😀', 5, 'aaa…'],
])('%s in %i characters is %s, never cut within a sign', (text, longest, fitting) => {
  expect(fittingSlack(text, longest)).toBe(fitting);
});

test('lines in a fence cannot leave it', () => {
  expect(fencedSlack(['a```b', '`c`'])).toBe('```\naˋˋˋb\nˋcˋ\n```');
});

test('what formats is another sign in a text without a fence, and names keep their underlines', () => {
  expect(inert('*b* _i_ ~s~ `c` my_app')).toBe('∗b∗ ˍiˍ ∼s∼ ˋcˋ my_app');
});

describe('a message', () => {
  test.each([
    ['a warning', exampleNotification(), '🟠'],
    ['something critical', exampleNotification({ rule: { name: 'drift', severity: 'critical' } }), '🔴'],
    ['something to know', exampleNotification({ rule: { name: 'drift', severity: 'info' } }), '🔵'],
    ['something that is over', resolvedNotification({ rule: { name: 'drift', severity: 'critical' } }), '🟢'],
  ])('begins with a mark: %s', (_what, notification, mark) => {
    const { text } = slackMessage(messageOf(notification));
    expect(text.startsWith(`${mark} checkout in prod: `)).toBe(true);
  });

  test.each([
    ['no lines', []],
    ['40 lines of 500 characters', Array.from({ length: 40 }, () => 'x'.repeat(500))],
    ['40 lines that grow when they are escaped', Array.from({ length: 40 }, () => '&'.repeat(500))],
    ['a line of 2900 characters', ['x'.repeat(2900)]],
  ])('stays within the limits with %s', (_what, lines) => {
    expect(slackFaults(request(withLines(lines)))).toEqual([]);
  });

  test('counts the lines for which there is no room', () => {
    const texts = slackTexts(request(withLines(Array.from({ length: 40 }, () => 'x'.repeat(499)))));
    expect(texts.join('\n')).toContain('and 25 more lines');
    expect(texts.join('\n').match(/x{499}/g)?.length).toBe(15);
  });
});
