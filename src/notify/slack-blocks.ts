import type { JsonObject } from '../model/index.ts';
import type { Message } from './message.ts';
import { escapeSlack, fencedSlack, fittingSlack } from './slack-text.ts';

// Slack's own limits: 50 blocks, 3000 characters a section, 150 a header. Above 10,000 in all, clients fold a message.
const longestSection = 2_900;
const longestHeader = 150;
const longestLines = 7_500;

const marks = { info: '🔵', warning: '🟠', critical: '🔴' } as const;

/** `text` is what notifications and screen readers say; the blocks are what is shown. */
export function slackMessage(message: Message): { readonly text: string; readonly blocks: readonly JsonObject[] } {
  const mark = message.isResolved ? '🟢' : marks[message.severity];
  const next = message.next.length === 0 ? [] : [section(fencedSlack(message.next.map(escapeSlack)))];
  return {
    text: fittingSlack(`${mark} ${inert(message.title)}`, 1_000),
    blocks: [
      { type: 'header', text: { type: 'plain_text', text: fittingSlack(`${mark} ${message.title}`, longestHeader), emoji: false } },
      { type: 'context', elements: [{ type: 'plain_text', text: fittingSlack(message.summary, 500), emoji: false }] },
      ...chunksOf(message.lines).map((lines) => section(fencedSlack(lines))),
      ...next,
    ],
  };
}

/** In the one text that has no block of its own, formatting signs of a name would format. */
export function inert(text: string): string {
  return text.replaceAll('`', 'ˋ').replaceAll('*', '∗').replaceAll('~', '∼').replaceAll(/(?<!\w)_|_(?!\w)/g, 'ˍ');
}

function section(text: string): JsonObject {
  return { type: 'section', text: { type: 'mrkdwn', text, verbatim: true } };
}

/** Whole lines, as many as go into one section, until enough is said. */
function chunksOf(lines: readonly string[]): readonly (readonly string[])[] {
  const chunks: string[][] = [];
  let [size, total] = [Infinity, 0];
  for (const [at, line] of lines.entries()) {
    const text = fittingSlack(line, 1_000);
    if (total + text.length > longestLines) {
      chunks.at(-1)?.push(`and ${lines.length - at} more lines`);
      break;
    }
    if (size + text.length > longestSection) {
      chunks.push([]);
      size = 0;
    }
    chunks.at(-1)?.push(text);
    size += text.length + 1;
    total += text.length + 1;
  }
  return chunks;
}
