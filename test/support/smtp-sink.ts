import { once } from 'node:events';
import { createServer, type AddressInfo, type Socket } from 'node:net';
import { TLSSocket } from 'node:tls';

export interface TakenMail {
  readonly from: string;
  readonly to: readonly string[];
  /** As it was sent, dots unstuffed. */
  readonly raw: string;
  /** By name in small letters, unfolded; encoded words as they are. */
  readonly headers: ReadonlyMap<string, string>;
  readonly isEncrypted: boolean;
  /** `user:password`, where somebody logged in. */
  readonly login: string | undefined;
}

export interface SmtpSink extends AsyncDisposable {
  readonly port: number;
  readonly mails: readonly TakenMail[];
  /** The verbs of all commands, in the order they came: a login has neither name nor password here. */
  readonly commands: readonly string[];
  /**
   * From now on. `CONNECT` is the greeting, `END` what follows the message, else it is the verb of a command, or `RCPT` and an address.
   * `hang` never answers; `reset` cuts the connection instead of answering.
   */
  answer(command: string, answer: string): void;
}

export interface SmtpSinkOptions {
  readonly certificate?: { readonly cert: string; readonly key: string };
  /** From the first byte on, in place of STARTTLS. */
  readonly isTlsOnly?: boolean;
  readonly offersLogin?: boolean;
}

/** Enough of an SMTP server to take messages, and to refuse them. */
export async function startSmtpSink(options: SmtpSinkOptions = {}): Promise<SmtpSink> {
  const mails: TakenMail[] = [];
  const commands: string[] = [];
  const answers = new Map<string, string>();
  const sockets = new Set<Socket>();

  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on('close', () => sockets.delete(socket));
    socket.on('error', () => socket.destroy());
    const session = { answers, commands, mails, options, socket };
    if (options.isTlsOnly === true) serve({ ...session, socket: secured(socket, options) }, { isEncrypted: true, greets: true });
    else serve(session, { isEncrypted: false, greets: true });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');

  return {
    port: (server.address() as AddressInfo).port,
    mails,
    commands,
    answer: (command, answer) => {
      answers.set(command, answer);
    },
    async [Symbol.asyncDispose]() {
      const closed = once(server.close(), 'close');
      for (const socket of sockets) socket.destroy();
      await closed;
    },
  };
}

interface Session {
  readonly socket: Socket;
  readonly answers: ReadonlyMap<string, string>;
  readonly commands: string[];
  readonly mails: TakenMail[];
  readonly options: SmtpSinkOptions;
}

function secured(socket: Socket, { certificate }: SmtpSinkOptions): Socket {
  const encrypted = new TLSSocket(socket, { isServer: true, ...certificate });
  encrypted.on('error', () => socket.destroy());
  return encrypted;
}

function serve(session: Session, { isEncrypted, greets }: { readonly isEncrypted: boolean; readonly greets: boolean }): void {
  const { socket, answers, commands, mails, options } = session;
  const envelope: { from: string; to: string[]; login: string | undefined } = { from: '', to: [], login: undefined };
  let unread = '';
  let isMessage = false;

  function say(command: string, usual: string): boolean {
    const answer = answers.get(command) ?? usual;
    if (answer === 'reset') socket.destroy();
    else if (answer !== 'hang') socket.write(`${answer}\r\n`);
    return /^[23]/.test(answer);
  }

  function take(line: string): void {
    const verb = line.split(' ', 1)[0]?.toUpperCase() ?? '';
    commands.push(verb);
    const argument = line.slice(verb.length + 1);
    const address = /<([^>]*)>/.exec(argument)?.[1] ?? '';
    switch (verb) {
      case 'EHLO':
        say(verb, ['250-sink', ...(options.certificate !== undefined && !isEncrypted ? ['250-STARTTLS'] : []), ...(options.offersLogin === true ? ['250-AUTH PLAIN'] : []), '250 8BITMIME'].join('\r\n'));
        break;
      case 'STARTTLS':
        if (!say(verb, '220 go ahead')) break;
        socket.removeAllListeners('data');
        serve({ ...session, socket: secured(socket, options) }, { isEncrypted: true, greets: false });
        break;
      case 'AUTH':
        envelope.login = Buffer.from(argument.replace(/^PLAIN /i, ''), 'base64').toString().split('\0').slice(1).join(':');
        say(verb, '235 welcome');
        break;
      case 'MAIL':
        envelope.from = address;
        envelope.to = [];
        say(verb, '250 ok');
        break;
      case 'RCPT':
        if (say(verb, answers.get(`RCPT ${address}`) ?? '250 ok')) envelope.to.push(address);
        break;
      case 'DATA':
        isMessage = say(verb, '354 end with a dot');
        break;
      case 'QUIT':
        say(verb, '221 bye');
        socket.end();
        break;
      default:
        say(verb, '250 ok');
    }
  }

  function takeMessage(text: string): void {
    const raw = text.replaceAll(/^\./gm, '');
    if (say('END', '250 taken')) mails.push({ ...envelope, raw, headers: headersOf(raw), isEncrypted });
  }

  socket.on('data', (chunk: Buffer) => {
    unread += chunk.toString('latin1');
    for (;;) {
      const mark = isMessage ? '\r\n.\r\n' : '\r\n';
      const at = unread.indexOf(mark);
      if (at === -1) return;
      const text = unread.slice(0, at);
      unread = unread.slice(at + mark.length);
      if (isMessage) takeMessage(text);
      else take(text);
      if (isMessage && mark !== '\r\n') isMessage = false;
    }
  });
  if (greets) say('CONNECT', '220 sink');
}

function headersOf(raw: string): ReadonlyMap<string, string> {
  const head = raw.slice(0, raw.indexOf('\r\n\r\n')).replaceAll(/\r\n[ \t]+/g, ' ');
  return new Map(head.split('\r\n').map((line) => [line.slice(0, line.indexOf(':')).toLowerCase(), line.slice(line.indexOf(':') + 1).trim()]));
}
