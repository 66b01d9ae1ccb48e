import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir } from 'node:fs/promises';
import { createServer, type AddressInfo } from 'node:net';
import { join } from 'node:path';
import ssh2, { type ServerChannel, type ServerHostKeyAlgorithm, type Session } from 'ssh2';
import { gitEnvironment } from './git-command.ts';
import { createRepository, type Repository } from './git-repository.ts';
import { tempFolder } from './temp-folder.ts';

interface SshGitServerOptions {
  /** Private keys of the server, in the format of OpenSSH. */
  readonly hostKeys: readonly string[];
  /** Public keys that are let in, as in authorized_keys. */
  readonly authorizedKeys: readonly string[];
  /** Whether GIT_PROTOCOL reaches git, as with AcceptEnv in sshd_config. */
  readonly takesProtocol?: boolean;
  readonly hostKeyAlgorithms?: readonly ServerHostKeyAlgorithm[];
}

export interface SshGitServer extends AsyncDisposable {
  readonly port: number;
  /** What clients wanted to run. */
  readonly commands: readonly string[];
  /** User names and ways by which someone tried to get in. */
  readonly attempts: readonly string[];
  createRepository(name: string): Promise<Repository>;
  url(name: string): string;
  /** Answers the next command instead of git. */
  answerNext(answer: (channel: ServerChannel) => void): void;
  /** Cuts every connection after so many bytes of an answer. */
  cutAfter(bytes: number): void;
}

/** Bare repositories over SSH. As sshd does, commands go through a shell. */
export async function startSshGitServer({ hostKeys, authorizedKeys, takesProtocol = true, hostKeyAlgorithms }: SshGitServerOptions): Promise<SshGitServer> {
  const folder = await tempFolder();
  const root = join(folder.path, 'served');
  await mkdir(root);
  const allowed = authorizedKeys.map((text) => parsed(text));
  const commands: string[] = [];
  const attempts: string[] = [];
  const clients = new Set<ssh2.Connection>();
  const instead: ((channel: ServerChannel) => void)[] = [];
  let limit = Infinity;

  const serve = (session: Session, client: ssh2.Connection): void => {
    const env: Record<string, string> = {};
    session.on('env', (accept, reject, { key, val }) => {
      if (takesProtocol && key === 'GIT_PROTOCOL') {
        env[key] = val;
        (accept as (() => void) | undefined)?.();
      } else (reject as (() => void) | undefined)?.();
    });
    session.on('exec', (accept, _reject, { command }) => {
      commands.push(command);
      const channel = accept();
      const other = instead.shift();
      if (other !== undefined) return other(channel);
      const shell = spawn('sh', ['-c', command], { cwd: root, env: { ...gitEnvironment(0), ...env } });
      let sent = 0;
      shell.stdin.on('error', () => undefined);
      channel.on('error', () => undefined);
      channel.pipe(shell.stdin);
      shell.stdout.on('data', (piece: Buffer) => {
        sent += piece.length;
        if (sent <= limit) channel.write(piece);
        else client.end();
      });
      shell.stderr.on('data', (piece: Buffer) => channel.stderr.write(piece));
      shell.on('close', (code) => {
        if (sent > limit) return;
        channel.exit(code ?? 1);
        channel.end();
      });
      channel.on('close', () => shell.kill());
    });
  };

  const ssh = new ssh2.Server({ hostKeys: [...hostKeys], ...(hostKeyAlgorithms && { algorithms: { serverHostKey: [...hostKeyAlgorithms] } }) }, (client) => {
    clients.add(client);
    client.on('error', () => undefined).on('close', () => clients.delete(client));
    client.on('authentication', (context) => {
      attempts.push(`${context.username} ${context.method}`);
      if (context.method !== 'publickey') return context.reject(['publickey']);
      const { key, signature, blob, hashAlgo } = context;
      const match = allowed.find((candidate) => candidate.getPublicSSH().equals(key.data));
      const isRight = match !== undefined && (signature === undefined || (blob !== undefined && match.verify(blob, signature, hashAlgo)));
      return isRight ? context.accept() : context.reject();
    });
    client.on('session', (accept) => serve(accept(), client));
  });
  const server = createServer({ noDelay: true }, (socket) => ssh.injectSocket(socket));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const url = (name: string): string => `ssh://git@127.0.0.1:${port}${join(root, `${name}.git`)}`;
  return {
    port,
    commands,
    attempts,
    url,
    createRepository: (name) => createRepository({ name, url: url(name), gitDir: join(root, `${name}.git`), workTree: join(folder.path, `${name}-work`) }),
    answerNext: (answer) => instead.push(answer),
    cutAfter: (bytes) => {
      limit = bytes;
    },
    async [Symbol.asyncDispose]() {
      const closed = once(server.close(), 'close');
      for (const client of clients) client.end();
      await closed;
      await folder.remove();
    },
  };
}

function parsed(text: string): ssh2.ParsedKey {
  const key = ssh2.utils.parseKey(text);
  if (key instanceof Error) throw key;
  return key;
}
