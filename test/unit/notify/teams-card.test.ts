import { expect, test } from 'vitest';
import { messageOf, type Message } from '../../../src/notify/message.ts';
import { teamsCard } from '../../../src/notify/teams-card.ts';
import { exampleNotification } from '../../support/example-notification.ts';

interface Card {
  readonly attachments: readonly { readonly content: { readonly body: readonly { readonly inlines: readonly { readonly text: string; readonly color?: string }[] }[] } }[];
}

function runsOf(changes: Partial<Message>): readonly { readonly text: string; readonly color?: string }[] {
  const notification = exampleNotification();
  const card = teamsCard(notification, { ...messageOf(notification), ...changes }) as Card;
  return card.attachments.flatMap(({ content }) => content.body.flatMap(({ inlines }) => inlines));
}

test.each([
  ['info', false, 'accent'],
  ['warning', false, 'warning'],
  ['critical', false, 'attention'],
  ['critical', true, 'good'],
] as const)('%s, resolved %s, has the colour %s', (severity, isResolved, color) => {
  expect(runsOf({ severity, isResolved })[0]).toMatchObject({ color });
});

test.each([
  ['{{DATE(2017-02-14T06:00:00Z, SHORT)}}', '{ {DATE(2017-02-14T06:00:00Z, SHORT)}}'],
  ['{{time(2017-02-14T06:00:00Z)}}', '{ {time(2017-02-14T06:00:00Z)}}'],
  ['{{ .Values.name }}', '{{ .Values.name }}'],
  ['**bold** [x](https://evil.example) <at>all</at>', '**bold** [x](https://evil.example) <at>all</at>'],
])('%s is shown as %s', (title, text) => {
  expect(runsOf({ title })[0]?.text).toBe(text);
});

test('forty lines of the widest signs stay within 28 KB', () => {
  const notification = exampleNotification();
  const card = teamsCard(notification, { ...messageOf(notification), lines: Array.from({ length: 40 }, () => '漢'.repeat(500)) });
  expect(Buffer.byteLength(JSON.stringify(card))).toBeLessThan(28 * 1024);
  expect(JSON.stringify(card)).toMatch(/and \d\d more lines/);
});
