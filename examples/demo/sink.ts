// Where the demo’s alerts arrive: a Slack that shows its messages here, and a webhook that checks signatures.
import { createHmac, randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { quote } from './terminal.ts';

export interface Sink extends AsyncDisposable {
  readonly url: string;
  /** What the webhook is signed with. */
  readonly secret: string;
  /** Slack’s messages as text, oldest first. */
  readonly messages: readonly string[];
  /** The types of the CloudEvents whose signature was right, oldest first. */
  readonly events: readonly string[];
  /** Prints the messages that came since it was called last. */
  show(): void;
  /** From now on each message is printed as it comes. */
  showAll(): void;
}

interface SlackPayload {
  readonly text?: string;
  readonly thread_ts?: string;
  readonly blocks?: readonly { readonly text?: { readonly text: string }; readonly elements?: readonly { readonly text: string }[] }[];
}

export async function startSink(): Promise<Sink> {
  const secret = `whsec_${randomBytes(32).toString('base64')}`;
  const [messages, events]: [string[], string[]] = [[], []];
  const waiting: (() => void)[] = [];
  let isLive = false;
  const show = (): void => {
    for (const print of waiting.splice(0)) print();
  };

  async function take(request: IncomingMessage): Promise<{ readonly status: number; readonly body?: string }> {
    const body = await text(request);
    if (request.url === '/events') {
      if (!isSigned(request, body, secret)) return { status: 401 };
      events.push((JSON.parse(body) as { type: string }).type);
      return { status: 204 };
    }
    const payload = JSON.parse(body) as SlackPayload;
    const shown = messageText(payload);
    messages.push(shown.join('\n'));
    waiting.push(() => quote(titleOf(request.url ?? '', payload), shown));
    if (isLive) show();
    return { status: 200, body: JSON.stringify({ ok: true, channel: 'C0123456789', ts: '1794826000.000100' }) };
  }

  const server = createServer((request, response) => {
    take(request).then(
      ({ status, body }) => response.writeHead(status, { 'content-type': 'application/json' }).end(body),
      () => request.socket.destroy(),
    );
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    secret,
    messages,
    events,
    show,
    showAll() {
      isLive = true;
      show();
    },
    async [Symbol.asyncDispose]() {
      const closed = once(server.close(), 'close');
      server.closeAllConnections();
      await closed;
    },
  };
}

function titleOf(path: string, { thread_ts: thread }: SlackPayload): string {
  if (path.endsWith('/chat.update')) return '#drift: the message is changed';
  return thread === undefined ? '#drift: a message' : '#drift: a line in its thread';
}

function messageText({ text: short = '', blocks = [] }: SlackPayload): readonly string[] {
  const parts = blocks.flatMap((block) => [block.text?.text ?? '', ...(block.elements ?? []).map((element) => element.text)]).filter((part) => part !== '');
  return (parts.length === 0 ? [short] : parts).flatMap((part) => part.split('\n')).filter((line) => line !== '```');
}

/** As Standard Webhooks says. */
function isSigned({ headers }: IncomingMessage, body: string, secret: string): boolean {
  const content = `${String(headers['webhook-id'])}.${String(headers['webhook-timestamp'])}.${body}`;
  const key = Buffer.from(secret.slice('whsec_'.length), 'base64');
  return headers['webhook-signature'] === `v1,${createHmac('sha256', key).update(content).digest('base64')}`;
}
