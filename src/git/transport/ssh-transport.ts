import { setTimeout as sleep } from 'node:timers/promises';
import type { GitHttpRequest, GitHttpResponse } from 'isomorphic-git';
import type { ClientChannel } from 'ssh2';
import { SetpointError } from '../../model/index.ts';
import { networkError } from '../git-error.ts';
import type { SshRepository } from '../repository-url.ts';
import { createPacketStream, NotPacketsError, type PacketStream } from './packet-stream.ts';
import { createSessionRecord, type SessionRecord } from './session-record.ts';
import { connectSsh, type SshConnection } from './ssh-connection.ts';
import type { Session, Transport, TransportLimits } from './transport.ts';

/** A connection for each session: servers end quiet ones, and a handshake costs less than finding that out. */
export function createSshTransport(repository: SshRepository, limits: TransportLimits): Transport {
  return {
    session: (signal) => createSshSession({ repository, limits, signal }),
    close: () => Promise.resolve(),
  };
}

// isomorphic-git knows HTTP only; nothing ever asks for this name.
const madeUpUrl = 'https://ssh.invalid/repository';

interface SshSessionOptions {
  readonly repository: SshRepository;
  readonly limits: TransportLimits;
  readonly signal: AbortSignal;
}

/** git-upload-pack that has shown its references and waits for a request. */
interface Conversation {
  readonly protocol: string | undefined;
  readonly channel: ClientChannel;
  readonly packets: PacketStream;
  readonly advertisement: Buffer;
  /** What it ended with; undefined where the server does not say. */
  readonly ended: Promise<number | undefined>;
}

function createSshSession({ repository, limits, signal }: SshSessionOptions): Session {
  const { url } = repository;
  const record = createSessionRecord({ url, maxBytes: limits.maxBytes, signal, translate: (cause) => networkError({ url, cause }) });
  let connection: Promise<SshConnection> | undefined;
  let waiting: Conversation | undefined;

  const begin = async (protocol: string | undefined): Promise<Conversation> => {
    connection ??= connectSsh({ repository, connectMs: limits.connectMs, signal });
    const channel = await (await connection).open(protocol);
    return greet({ url, protocol, channel, record, idleMs: limits.idleMs });
  };

  const advertise = async (protocol: string | undefined): Promise<AsyncIterableIterator<Uint8Array>> => {
    waiting?.channel.end('0000');
    waiting = await begin(protocol);
    return once(waiting.advertisement);
  };

  const answer = async (protocol: string | undefined, body: Buffer): Promise<AsyncIterableIterator<Uint8Array>> => {
    const ready = waiting?.protocol === protocol ? waiting : undefined;
    if (ready !== undefined) waiting = undefined;
    const conversation = ready ?? (await begin(protocol));
    conversation.channel.end(body);
    return completed({ conversation, record, isLost: (await connection)?.isLost ?? (() => true), url });
  };

  const request = async ({ method = 'GET', url: asked, headers = {}, body }: GitHttpRequest): Promise<GitHttpResponse> => {
    const protocol = headers['Git-Protocol'];
    const kind = method === 'GET' ? 'advertisement' : 'result';
    const stream = method === 'GET' ? await advertise(protocol) : await answer(protocol, Buffer.concat(await Array.fromAsync(body ?? [])));
    return { url: asked, method, statusCode: 200, statusMessage: '', headers: { 'content-type': `application/x-git-upload-pack-${kind}` }, body: stream };
  };

  const close = async (): Promise<void> => {
    (await connection?.catch(() => undefined))?.close();
  };
  return {
    url: madeUpUrl,
    http: {
      request: (asked) =>
        request(asked).catch((error: unknown) => {
          throw record.failed(error);
        }),
    },
    bytes: record.bytes,
    explain: record.explain,
    close,
    [Symbol.asyncDispose]: close,
  };
}

interface GreetOptions {
  readonly url: string;
  readonly protocol: string | undefined;
  readonly channel: ClientChannel;
  readonly record: SessionRecord;
  readonly idleMs: number;
}

const serviceLine = Buffer.from('001e# service=git-upload-pack\n0000');

async function greet({ url, protocol, channel, record, idleMs }: GreetOptions): Promise<Conversation> {
  const ended = new Promise<number | undefined>((resolve) => {
    channel.once('close', (code?: number | null) => resolve(code ?? undefined));
  });
  // Unread, it would fill up and stop everything. What it says is the server's text, which is not passed on.
  channel.stderr.resume();
  const packets = createPacketStream(record.counted(withoutPause(channel, { url, idleMs })));
  const shown = await packets.untilFlush().catch((error: unknown) => {
    if (error instanceof NotPacketsError) throw new SetpointError('RepositoryInvalid', `${url} does not answer as a Git repository: check the URL`);
    throw error;
  });
  if (shown === undefined) throw silent(url, await ended);
  const first = shown.toString('latin1', 4, 16);
  if (first.startsWith('ERR ')) throw silent(url, undefined);
  // Over HTTP the older protocol starts with a line that says what it is, and isomorphic-git wants to see it.
  const advertisement = first.startsWith('version 2') ? shown : Buffer.concat([serviceLine, shown]);
  return { protocol, channel, packets, advertisement, ended };
}

/** The server has let us in and shows nothing: for most that is how they say that there is no such repository. */
function silent(url: string, code: number | undefined): SetpointError {
  if (code === 127) return new SetpointError('RepositoryInvalid', `${url} has no git-upload-pack: is it a Git server?`);
  return new SetpointError('RepositoryNotFound', `no repository at ${url}, or this key may not see it: check --repo`);
}

async function* once(bytes: Buffer): AsyncIterableIterator<Uint8Array> {
  yield bytes;
}

async function* withoutPause(channel: ClientChannel, { url, idleMs }: { readonly url: string; readonly idleMs: number }): AsyncGenerator<Uint8Array> {
  const pieces = (channel as AsyncIterable<Uint8Array>)[Symbol.asyncIterator]();
  for (;;) {
    const over = new AbortController();
    const late = sleep(idleMs, 'late' as const, { signal: over.signal }).catch(() => 'late' as const);
    const next = await Promise.race([pieces.next(), late]);
    over.abort();
    if (next === 'late') throw new SetpointError('RepositoryUnreachable', `${url} cannot be reached: it sent nothing for ${idleMs / 1000} s`);
    if (next.done === true) return;
    yield next.value;
  }
}

interface Completion {
  readonly conversation: Conversation;
  readonly record: SessionRecord;
  readonly url: string;
  isLost(): boolean;
}

/** A cut connection looks like an answer that has ended: only the program's own end tells them apart. */
async function* completed({ conversation: { packets, ended }, record, url, isLost }: Completion): AsyncIterableIterator<Uint8Array> {
  yield* packets.rest();
  const code = await ended;
  if (code === 0 || (code === undefined && !isLost())) return;
  throw record.failed(new SetpointError('RepositoryUnreachable', `${url} cannot be reached: ${code === undefined ? 'the connection was cut' : `git-upload-pack ended with ${code} on the server`}`));
}
