import { expect, test } from 'vitest';
import type { Notification } from '../../../src/model/index.ts';
import { emailMessage, type EmailMessage } from '../../../src/notify/email-message.ts';
import { messageOf, type Message } from '../../../src/notify/message.ts';
import { exampleNotification, resolvedNotification } from '../../support/example-notification.ts';

interface Changes {
  readonly from?: string;
  readonly notification?: Notification;
  readonly message?: Partial<Message>;
}

function mailOf({ from = 'setpoint@example.com', notification = exampleNotification(), message = {} }: Changes = {}): EmailMessage {
  return emailMessage({ from, to: ['team@example.com'] }, notification, { ...messageOf(notification), ...message });
}

test.each([
  ['the severity', exampleNotification(), '[warning] checkout in prod: 1 of its resources was changed by hand'],
  ['that it is over', resolvedNotification(), '[resolved] checkout in prod: in sync with Git again'],
])('the subject begins with %s', (_what, notification, subject) => {
  expect(mailOf({ notification }).subject).toBe(subject);
});

test('the subject is one line of at most 200 characters', () => {
  const { subject } = mailOf({ message: { title: `a\r\nBcc: enemy@example.com\r\n\r\n${'x'.repeat(300)}` } });
  expect(subject).toHaveLength(200);
  expect(subject).not.toMatch(/[\r\n]/);
});

test.each([
  ['setpoint@example.com', '@example.com>'],
  ['Setpoint <setpoint@mail.example.com>', '@mail.example.com>'],
  ['nobody', '@setpoint.invalid>'],
])('the id of a message from %s ends with %s', (from, end) => {
  expect(mailOf({ from }).messageId).toBe(`<evt_01JC8Z9K7Q0000000000000000${end}`);
});

test.each([
  ['<evt_1@example.com>', '<evt_1@example.com>'],
  ['evt_1@example.com', undefined],
  ['<a b@example.com>', undefined],
  ['<a@example.com>\r\nBcc: <b@example.com>', undefined],
  ['C0123/17', undefined],
])('after the message %j it answers %s', (ref, before) => {
  const { inReplyTo, references } = mailOf({ notification: exampleNotification({ ref }) });
  expect([inReplyTo, references]).toEqual([before, before]);
});

test('HTML has what names say as text', () => {
  const { html } = mailOf({ message: { title: `<script>alert("1")</script>`, lines: ["<img src=x onerror='1'>", '&amp;'], next: [] } });
  expect(html).toBe(
    '<p><b>&lt;script&gt;alert(&quot;1&quot;)&lt;/script&gt;</b><br>cluster prod-eu-1, rule drift (warning), since 10:40 UTC (6 min)</p>\n<pre style="white-space:pre-wrap">&lt;img src=x onerror=&#39;1&#39;&gt;\n&amp;amp;</pre>\n<p><small>Setpoint, evt_01JC8Z9K7Q0000000000000000</small></p>\n',
  );
});
