import { expect, test } from 'vitest';
import { discordEmbed } from '../../../src/notify/discord-embed.ts';
import { messageOf, type Message } from '../../../src/notify/message.ts';
import { exampleNotification } from '../../support/example-notification.ts';

interface Embed {
  readonly title: string;
  readonly description: string;
  readonly color: number;
}

function embedOf(changes: Partial<Message>): Embed {
  const notification = exampleNotification();
  const { embeds } = discordEmbed(notification, { ...messageOf(notification), ...changes }) as { readonly embeds: readonly [Embed] };
  return embeds[0];
}

test.each([
  ['@everyone', '\\@everyone'],
  ['<@42> <#7>', '\\<\\@42\\> \\<#7\\>'],
  ['**b** __u__ ~~s~~ ||x||', '\\*\\*b\\*\\* \\_\\_u\\_\\_ \\~\\~s\\~\\~ \\|\\|x\\|\\|'],
  ['[x](https://evil.example)', '\\[x\\](https\\://evil.example)'],
  ['```js', '\\`\\`\\`js'],
  [':skull:', '\\:skull\\:'],
  ['# title', '\\# title'],
  ['- item', '\\- item'],
  ['1. first', '1\\. first'],
  ['a\\*b', 'a\\\\\\*b'],
  ['prod-eu-1 has 3.5', 'prod-eu-1 has 3.5'],
])('%s is written %s', (title, expected) => {
  expect(embedOf({ title }).title).toBe(expected);
});

test.each([
  ['info', false, 0x3b82f6],
  ['warning', false, 0xf59e0b],
  ['critical', false, 0xdc2626],
  ['critical', true, 0x16a34a],
] as const)('%s, resolved %s, has its colour', (severity, isResolved, color) => {
  expect(embedOf({ severity, isResolved }).color).toBe(color);
});

test('what is longest and all of signs that have a meaning stays within the limits', () => {
  const { title, description } = embedOf({ title: '*'.repeat(200), summary: '*'.repeat(300), lines: Array.from({ length: 40 }, () => '*'.repeat(500)), next: Array.from({ length: 3 }, () => 'x'.repeat(150)) });
  expect(title.length).toBeLessThanOrEqual(256);
  expect(description.length).toBeLessThanOrEqual(4096);
  expect(title.length + description.length).toBeLessThanOrEqual(5900);
  expect(description).toMatch(/and \d\d more lines/);
});

test('what to do next is in a block of code, and there is none where there is nothing to do', () => {
  expect(embedOf({ next: ['setpoint sync checkout', 'setpoint status'] }).description).toMatch(/\n```\nsetpoint sync checkout\nsetpoint status\n```$/);
  expect(embedOf({ next: [] }).description).not.toContain('```');
});
