// What Slack says about messages: which texts they have, and what it would refuse.
import type { SentRequest } from './alert-sink.ts';

interface Text {
  readonly type: string;
  readonly text: string;
}

interface Block {
  readonly type: string;
  readonly text?: Text;
  readonly elements?: readonly Text[];
}

interface SlackPayload {
  readonly text?: string;
  readonly blocks?: readonly Block[];
}

export function slackTexts({ json }: SentRequest): readonly string[] {
  const { text = '', blocks = [] } = json as SlackPayload;
  return [text, ...blocks.flatMap((block) => [block.text?.text ?? '', ...(block.elements ?? []).map((element) => element.text)])];
}

const longest: Readonly<Record<string, number>> = { header: 150, section: 3_000, context: 3_000 };

export function slackFaults(request: SentRequest): readonly string[] {
  const { text = '', blocks = [] } = request.json as SlackPayload;
  const whole = slackTexts(request).join('').length;
  return [
    ...(text === '' ? ['no text'] : []),
    ...(text.length > 4_000 ? [`a text of ${text.length}`] : []),
    ...(blocks.length > 50 ? [`${blocks.length} blocks`] : []),
    ...(whole > 10_000 ? [`${whole} characters`] : []),
    ...blocks.flatMap(({ type, text: own, elements = [] }) => {
      const texts = [...(own === undefined ? [] : [own]), ...elements];
      if (longest[type] === undefined) return [`a block ${type}`];
      return texts.filter((each) => each.text.length < 1 || each.text.length > (longest[type] ?? 0)).map((each) => `a ${type} of ${each.text.length}`);
    }),
    ...blocks.filter(({ type, text: own }) => type === 'header' && own?.type !== 'plain_text').map(() => 'a header with markup'),
  ];
}
