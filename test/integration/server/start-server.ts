import type { IncomingHttpHeaders } from 'node:http';
import { Agent, request } from 'undici';
import { createServer, type Hint, type HookResult, type Receiver, type Server, type ServerOptions } from '../../../src/server/index.ts';
import { senders, type Sender, type Signing } from '../../fixtures/webhooks/senders.ts';
import { recordingLog, type RecordingLog } from '../../support/recording-log.ts';

export interface Post {
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | Buffer;
}

export interface TestServer extends AsyncDisposable {
  readonly port: number;
  readonly hints: readonly Hint[];
  readonly log: RecordingLog;
  /** `receiver result`, one for each request that was counted. */
  readonly counted: readonly string[];
  /** Time stands still but for this. A second is room for ten more requests to each receiver. */
  pass(ms: number): void;
  url(path: string): string;
  sign(sender: Sender, changes?: Partial<Signing>): Post;
  post(receiver: string, post: Post): Promise<{ readonly status: number; readonly headers: IncomingHttpHeaders; readonly body: unknown }>;
  close(): Promise<void>;
}

export const idOf = ({ name }: Sender): string => name.replaceAll(' ', '-');

/** The real server on a free port of this machine, with a receiver for each of the senders. */
export async function startServer(options: { readonly limits?: ServerOptions['limits']; readonly receivers?: readonly Receiver[]; readonly onHint?: () => void | Promise<void> } = {}): Promise<TestServer> {
  const log = recordingLog();
  const hints: Hint[] = [];
  const counted: `${string} ${HookResult}`[] = [];
  let time = Date.parse('2026-03-02T08:26:45Z');
  let deliveries = 0;
  const receivers = senders.map((sender): Receiver => ({ id: idOf(sender), provider: sender.provider, secrets: async () => sender.secrets, ...sender.settings }));
  const server: Server = await createServer(
    {
      hooks: {
        host: '127.0.0.1',
        port: 0,
        receivers: options.receivers ?? receivers,
        async onHint(hint) {
          await options.onHint?.();
          hints.push(hint);
        },
      },
      log,
      now: () => time,
      on: { request: (receiver, result) => counted.push(`${receiver} ${result}`) },
      ...(options.limits && { limits: options.limits }),
    },
    new AbortController().signal,
  );
  const agent = new Agent();
  const port = server.hooksAddress?.port ?? 0;
  const url = (path: string): string => `http://127.0.0.1:${port}${path}`;
  return {
    port,
    hints,
    log,
    counted,
    url,
    pass: (ms) => {
      time += ms;
    },
    sign(sender, changes = {}) {
      deliveries += 1;
      const id = `delivery-${deliveries}`;
      const body = changes.body ?? JSON.stringify(sender.withId?.(id) ?? sender.sample);
      return { body, headers: sender.headers({ secret: sender.secrets[0], id, timestamp: Math.floor(time / 1000), ...changes, body }) };
    },
    async post(receiver, { headers, body }) {
      const { statusCode, headers: answered, body: said } = await request(url(`/hooks/${receiver}`), { method: 'POST', headers, body, dispatcher: agent });
      return { status: statusCode, headers: answered, body: await said.json() };
    },
    close: () => server.close(),
    async [Symbol.asyncDispose]() {
      await agent.destroy();
      await server.close();
    },
  };
}
