import type { Notification } from '../model/index.ts';
import { fitLines } from './fit-lines.ts';
import type { Message } from './message.ts';
import { cut } from './plain-text.ts';

// Discord takes 256 characters in a title, 4096 in a description and 6000 in all.
const longestTitle = 250;
const longestLines = 2800;

const colours: Readonly<Record<Message['severity'], number>> = { info: 0x3b82f6, warning: 0xf59e0b, critical: 0xdc2626 };
const resolvedColour = 0x16a34a;

/** One embed, and nobody is ever called: `allowed_mentions` allows none. */
export function discordEmbed({ at, id }: Notification, message: Message): object {
  const { title, summary, lines, next, severity, isResolved } = message;
  const shown = fitLines(lines.map(withoutMarkdown), longestLines, (line) => line.length + 1);
  return {
    embeds: [
      {
        title: cut(withoutMarkdown(title), longestTitle),
        description: [withoutMarkdown(summary), '', ...shown, ...(next.length > 0 ? [`\`\`\`\n${next.join('\n')}\n\`\`\``] : [])].join('\n'),
        color: isResolved ? resolvedColour : colours[severity],
        footer: { text: id },
        timestamp: at,
      },
    ],
    allowed_mentions: { parse: [] },
  };
}

/** A backslash before a sign takes its meaning away, that of a colon too: in :emoji: and in https://. */
function withoutMarkdown(text: string): string {
  return text.replaceAll(/[\\*_~`|<>[\]:@]/g, '\\$&').replace(/^(\s*)([#-]|\d+(?=\.))/, (_, space: string, sign: string) => (/\d/.test(sign) ? `${space}${sign}\\` : `${space}\\${sign}`));
}
