import type { Notification } from '../model/index.ts';
import { fitLines } from './fit-lines.ts';
import type { Message } from './message.ts';

// Teams refuses a message of more than 28 KB.
const largestLines = 20_000;

type Colour = 'default' | 'accent' | 'good' | 'warning' | 'attention';

const colours: Readonly<Record<Message['severity'], Colour>> = { info: 'accent', warning: 'warning', critical: 'attention' };

/** A message with one Adaptive Card. All text is in runs, which know no markdown: a name in it means nothing to Teams. */
export function teamsCard({ id }: Notification, message: Message): object {
  const { title, summary, lines, next, severity, isResolved } = message;
  const content = {
    $schema: 'http://adaptivecards.io/schemas/adaptive-card.json',
    type: 'AdaptiveCard',
    version: '1.4',
    msteams: { width: 'Full' },
    body: [
      block({ text: title, weight: 'Bolder', size: 'Medium', color: isResolved ? 'good' : colours[severity] }),
      block({ text: summary, isSubtle: true }),
      ...fitLines(lines, largestLines, bytesOf).map((line) => block({ text: line, spacing: 'Small' })),
      ...next.map((command) => block({ text: command, fontType: 'Monospace', spacing: 'Small' })),
      block({ text: id, isSubtle: true, size: 'Small' }),
    ],
  };
  return { type: 'message', attachments: [{ contentType: 'application/vnd.microsoft.card.adaptive', contentUrl: null, content }] };
}

interface Look {
  readonly text: string;
  readonly weight?: 'Bolder';
  readonly size?: 'Small' | 'Medium';
  readonly color?: Colour;
  readonly isSubtle?: true;
  readonly fontType?: 'Monospace';
  readonly spacing?: 'Small';
}

function block({ text, spacing, ...look }: Look): object {
  return { type: 'RichTextBlock', ...(spacing !== undefined && { spacing }), inlines: [{ type: 'TextRun', text: withoutFunctions(text), ...look }] };
}

/** {{DATE(…)}} and {{TIME(…)}} would be shown as what they say. */
function withoutFunctions(text: string): string {
  return text.replaceAll(/\{(?=\{(?:DATE|TIME)\()/gi, '{ ');
}

function bytesOf(line: string): number {
  return Buffer.byteLength(JSON.stringify(block({ text: line, spacing: 'Small' }))) + 1;
}
