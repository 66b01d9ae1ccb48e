import { existsSync, readFileSync, statSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { SetpointError } from '../model/index.ts';
import type { Access } from './credentials.ts';
import { checkHost, checkPath, checkText, checkUser, decodePath, refusedUrl, splitUrl } from './repository-url-parts.ts';
import { proxyFor, type Proxy } from './transport/proxy-for.ts';

export type HttpAuth =
  | { readonly type: 'none' }
  | { readonly type: 'basic'; readonly username: string; readonly password: string }
  | { readonly type: 'bearer'; readonly token: string };

interface TlsSettings {
  readonly ca?: string;
  readonly cert?: string;
  readonly key?: string;
  readonly insecure?: boolean;
}

export interface HttpRepository {
  readonly type: 'http';
  readonly url: string;
  readonly auth: HttpAuth;
  readonly tls: TlsSettings;
  readonly proxy?: Proxy;
}

export interface SshRepository {
  readonly type: 'ssh';
  readonly url: string;
  readonly user: string;
  readonly host: string;
  readonly port: number;
  readonly path: string;
  readonly privateKey: string;
  readonly passphrase?: string;
  readonly knownHosts: string;
}

export interface LocalRepository {
  readonly type: 'local';
  readonly url: string;
  readonly gitDir: string;
}

export type RemoteRepository = HttpRepository | SshRepository;

/** Where a repository is and how to get in: plain data that may cross to a thread. `url` never holds credentials: it may be shown and stored. */
export type Repository = RemoteRepository | LocalRepository;

export function parseRepositoryUrl(text: string, access: Access = {}): Repository {
  checkText(text);
  const [, scheme] = /^([a-z][a-z0-9+.-]*):\/\//i.exec(text) ?? [];
  switch (scheme?.toLowerCase()) {
    case 'http':
    case 'https':
      return httpRepository(text, access);
    case 'ssh':
      return sshRepository(sshUrl(text), access);
    case 'file':
      return localRepository(filePath(text));
    case undefined:
      break;
    default:
      throw refusedUrl(`Git over ${scheme} is not supported: give an https://, ssh:// or file:// URL`);
  }
  // As in git: a colon before the first slash makes it the short form of SSH, and a local path with one is written ./a:b
  if (/^[^/]*:/.test(text)) return sshRepository(shortSsh(text), access);
  return localRepository(resolve(text));
}

function httpRepository(text: string, access: Access): HttpRepository {
  const { user, password, host, path } = splitUrl(text);
  const url = URL.parse(text);
  if (url === null) throw refusedUrl('the URL of the repository cannot be read: give https://HOST/PATH');
  checkHost(host, url.host);
  decodePath(path);
  url.username = '';
  url.password = '';
  const proxy = proxyFor(url, access.proxy);
  return {
    type: 'http',
    url: url.href.replace(/\/+$/, ''),
    auth: httpAuth(access, user === undefined ? undefined : { username: user, password: password ?? '' }),
    tls: {
      ...(access.ca !== undefined && { ca: access.ca }),
      ...(access.cert !== undefined && { cert: access.cert }),
      ...(access.key !== undefined && { key: access.key }),
      ...(access.insecure === true && { insecure: true }),
    },
    ...(proxy && { proxy }),
  };
}

function httpAuth(access: Access, inUrl: { readonly username: string; readonly password: string } | undefined): HttpAuth {
  if (access.bearerToken !== undefined) {
    // Anything else would end the header, or start another.
    if (!/^[\x21-\x7e]+$/.test(access.bearerToken)) throw new SetpointError('RepositoryUnauthorized', 'the bearer token has a space, a line break or a character that no token has: check where it comes from');
    return { type: 'bearer', token: access.bearerToken };
  }
  const { username, password } = access.password === undefined ? (inUrl ?? {}) : { username: access.username ?? inUrl?.username ?? 'git', password: access.password };
  if (username === undefined || password === undefined) return { type: 'none' };
  if (username.includes(':')) throw new SetpointError('RepositoryUnauthorized', 'the user name has a colon, which HTTP cannot carry: check where it comes from');
  return { type: 'basic', username, password };
}

interface SshAddress {
  readonly user: string;
  readonly host: string;
  readonly port: number;
  readonly path: string;
  /** As it was given, which people recognise. */
  readonly url: string;
}

function sshUrl(text: string): SshAddress {
  const { user, password, host, path } = splitUrl(text);
  const url = URL.parse(text);
  if (url === null) throw refusedUrl('the URL of the repository cannot be read: give ssh://USER@HOST/PATH');
  if (password !== undefined) throw refusedUrl('a password in an ssh:// URL is not used: give a key as identity in the credentials');
  checkHost(host, url.host);
  const decoded = decodePath(path);
  return {
    user: checkUser(user ?? 'git'),
    host: url.hostname.replace(/^\[|\]$/g, ''),
    port: url.port === '' ? 22 : Number(url.port),
    path: checkSshPath(decoded.startsWith('/~') ? decoded.slice(1) : decoded),
    url: `ssh://${user ?? 'git'}@${url.host}${path}`.replace(/\/+$/, ''),
  };
}

function shortSsh(text: string): SshAddress {
  const [, user, host, path] = /^(?:([^@:/]*)@)?([^@:/[\]]*):(.*)$/s.exec(text) ?? [];
  if (user === undefined || host === undefined || path === undefined) {
    throw refusedUrl('the repository is neither a URL nor USER@HOST:PATH: give https://HOST/PATH, ssh://USER@HOST/PATH or git@HOST:PATH; a local path with a colon starts with ./');
  }
  checkHost(host, host.toLowerCase());
  return { user: checkUser(user), host, port: 22, path: checkSshPath(checkPath(path)), url: text };
}

function checkSshPath(path: string): string {
  const bare = path.replace(/\/+$/, '');
  if (bare === '' || bare === '~') throw refusedUrl('the SSH address of the repository has no path: give ssh://USER@HOST/PATH or git@HOST:PATH');
  // A server's command line would take it for an option.
  if (bare.startsWith('-')) throw refusedUrl('the path of an SSH repository must not start with a dash');
  return bare;
}

function sshRepository(address: SshAddress, { privateKey, passphrase, password, knownHosts }: Access): SshRepository {
  const { url, host } = address;
  if (privateKey === undefined) throw new SetpointError('RepositoryUnauthorized', `${url} is reached over SSH and needs a deploy key: put its private key as identity into the credentials`);
  if (knownHosts === undefined || knownHosts.trim() === '') {
    throw new SetpointError('RepositoryUnauthorized', `${url} is reached over SSH and needs the key of its server: put known_hosts into the credentials (ssh-keyscan ${host} prints it; compare it with what the server's owner publishes)`);
  }
  const secret = passphrase ?? password;
  return { type: 'ssh', ...address, privateKey, ...(secret !== undefined && { passphrase: secret }), knownHosts };
}

function filePath(text: string): string {
  const { user, host, path } = splitUrl(text);
  if (user !== undefined || (host !== '' && host !== 'localhost')) throw refusedUrl('a file:// URL names no host: give file:///PATH');
  return decodePath(path);
}

function localRepository(folder: string): LocalRepository {
  const gitDir = [gitFolderOf(folder), folder].find((candidate) => existsSync(join(candidate, 'HEAD')));
  if (gitDir === undefined) throw new SetpointError('RepositoryNotFound', `no Git repository at ${folder}: check --repo`);
  return { type: 'local', url: `file://${folder}`, gitDir };
}

/** In a linked work tree .git is a file that says where the folder is. */
function gitFolderOf(workTree: string): string {
  const path = join(workTree, '.git');
  if (statSync(path, { throwIfNoEntry: false })?.isFile() !== true) return path;
  const [, target] = /^gitdir: (.*?)\r?\n?$/.exec(readFileSync(path, 'utf8')) ?? [];
  return target === undefined ? path : resolve(workTree, target);
}
