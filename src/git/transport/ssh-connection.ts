import { connect } from 'node:net';
import ssh2, { type Client, type ClientChannel, type PublicKeyAuthMethod, type ServerHostKeyAlgorithm } from 'ssh2';
import { SetpointError } from '../../model/index.ts';
import { bareCause, networkError } from '../git-error.ts';
import type { SshRepository } from '../repository-url.ts';
import { fingerprintOf, findKnownHost, keyTypeOf, type HostVerdict } from './known-hosts.ts';
import { readPrivateKey } from './private-key.ts';

export interface SshConnection {
  /** Runs git-upload-pack on the server. */
  open(protocol: string | undefined): Promise<ClientChannel>;
  /** True once the connection has ended, by whomever. */
  isLost(): boolean;
  close(): void;
}

interface ConnectOptions {
  readonly repository: SshRepository;
  readonly connectMs: number;
  readonly signal: AbortSignal;
}

// What OpenSSH 9 offers and ssh2 can do, without SHA-1 and DSA. The rest of ssh2's defaults is of that kind already.
const hostKeys: readonly ServerHostKeyAlgorithm[] = ['ssh-ed25519', 'ecdsa-sha2-nistp256', 'ecdsa-sha2-nistp384', 'ecdsa-sha2-nistp521', 'rsa-sha2-512', 'rsa-sha2-256'];

export function connectSsh({ repository, connectMs, signal }: ConnectOptions): Promise<SshConnection> {
  const { user, host, port, url } = repository;
  const key = readPrivateKey(repository);
  const known = findKnownHost(repository.knownHosts, { host, port });
  const isOfKnownType = (algorithm: string): boolean => known.keyTypes.includes(algorithm.startsWith('rsa-') ? 'ssh-rsa' : algorithm);
  let refusal: SetpointError | undefined;

  return new Promise((resolve, reject) => {
    const client = new ssh2.Client();
    let isLost = false;
    const leave = (): void => {
      client.destroy();
      reject(signal.reason as Error);
    };
    client.once('ready', () => resolve({ open: (protocol) => openChannel({ client, repository, protocol }), isLost: () => isLost, close: () => client.end() }));
    // Stays for good: an error without a listener would end the process.
    client.on('error', (error) => reject(refusal ?? sshError(error, repository)));
    client.once('close', () => {
      isLost = true;
      signal.removeEventListener('abort', leave);
      reject(refusal ?? new SetpointError('RepositoryUnreachable', `${url} cannot be reached: the server ended the connection`));
    });
    signal.addEventListener('abort', leave, { once: true });
    if (signal.aborted) return leave();
    client.connect({
      // The handshake is many small packets, each of which waits for an answer: held back until there is more to send, they cost 40 ms each.
      sock: connect({ host, port, noDelay: true }),
      username: user,
      readyTimeout: connectMs,
      keepaliveInterval: 15_000,
      authHandler: [{ type: 'publickey', username: user, key } satisfies PublicKeyAuthMethod as PublicKeyAuthMethod],
      algorithms: {
        // A server shows one key only: one that we can compare, where it has it.
        serverHostKey: [...hostKeys.filter(isOfKnownType), ...hostKeys.filter((algorithm) => !isOfKnownType(algorithm))],
        hmac: ['hmac-sha2-256-etm@openssh.com', 'hmac-sha2-512-etm@openssh.com', 'hmac-sha2-256', 'hmac-sha2-512'],
        compress: ['none'],
      },
      hostVerifier: (shown: Buffer): boolean => {
        const verdict = known.verdict(shown);
        if (verdict !== 'known') refusal = hostRefusal({ repository, verdict, shown });
        return verdict === 'known';
      },
    });
  });
}

interface HostRefusal {
  readonly repository: SshRepository;
  readonly verdict: HostVerdict;
  readonly shown: Buffer;
}

function hostRefusal({ repository: { host, port }, verdict, shown }: HostRefusal): SetpointError {
  const name = port === 22 ? host : `[${host}]:${port}`;
  const key = `${keyTypeOf(shown).replaceAll(/[^\w.@-]/g, '')} ${fingerprintOf(shown)}`;
  const sentences: Readonly<Record<HostVerdict, string>> = {
    known: '',
    unknown: `${name} shows the key ${key}, and known_hosts has none for it: compare it with what the server's owner publishes, then add the line that ssh-keyscan prints`,
    changed: `${name} shows the key ${key}, and known_hosts has another one for it: someone may be in between. If its owner has changed the key, replace the line in known_hosts`,
    revoked: `${name} shows the key ${key}, which known_hosts marks as @revoked: do not use this server`,
    certificate: `${name} shows the key ${key}, and known_hosts has only a @cert-authority for it, which is not supported: add the key itself`,
  };
  return new SetpointError('RepositoryUnauthorized', `the SSH server is not trusted: ${sentences[verdict]}`);
}

function sshError(error: Error & { readonly level?: string; readonly code?: unknown }, { url, user }: SshRepository): SetpointError {
  const cause = bareCause(error);
  if (error.level === 'client-authentication') {
    return new SetpointError('RepositoryUnauthorized', `${url} does not accept the key in the credentials for the user ${user}: add its public half to the repository as a deploy key`, { cause });
  }
  if (error.level === 'client-timeout') return new SetpointError('RepositoryUnreachable', `${url} cannot be reached: no answer in time`, { cause });
  if (error.level === 'client-socket' || typeof error.code === 'string') return networkError({ url, cause: error });
  if (/no matching/i.test(error.message)) {
    return new SetpointError('RepositoryUnreachable', `${url} cannot be reached: its SSH server offers only algorithms that are no longer safe`, { cause });
  }
  return new SetpointError('RepositoryUnreachable', `${url} cannot be reached: the SSH connection failed`, { cause });
}

interface ChannelOptions {
  readonly client: Client;
  readonly repository: SshRepository;
  readonly protocol: string | undefined;
}

function openChannel({ client, repository: { path, url }, protocol }: ChannelOptions): Promise<ClientChannel> {
  return new Promise((resolve, reject) => {
    client.exec(`git-upload-pack ${quoted(path)}`, protocol === undefined ? {} : { env: { GIT_PROTOCOL: protocol } }, (error, channel) => {
      if (error) reject(new SetpointError('RepositoryUnreachable', `${url} does not let us run git-upload-pack: is it a Git server?`, { cause: bareCause(error) }));
      else resolve(channel);
    });
  });
}

/** The one word that any shell makes of it, and that servers without a shell take apart alike. */
function quoted(path: string): string {
  return `'${path.replaceAll("'", String.raw`'\''`).replaceAll('!', String.raw`'\!'`)}'`;
}
