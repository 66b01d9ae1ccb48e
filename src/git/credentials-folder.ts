import { readdir, readFile, realpath, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { SetpointError, shownText, whyUnreadable } from '../model/index.ts';
import type { Access, ProxySettings } from './credentials.ts';

type Field = keyof Access | 'noProxy';

/** Names in Secrets of Kubernetes itself, Flux and Argo CD, and what they hold. */
const fieldOfFile: Readonly<Record<string, Field>> = {
  username: 'username',
  password: 'password',
  bearerToken: 'bearerToken',
  token: 'password',
  identity: 'privateKey',
  sshPrivateKey: 'privateKey',
  'ssh-privatekey': 'privateKey',
  passphrase: 'passphrase',
  known_hosts: 'knownHosts',
  'ca.crt': 'ca',
  caFile: 'ca',
  'tls.crt': 'cert',
  certFile: 'cert',
  tlsClientCertData: 'cert',
  'tls.key': 'key',
  keyFile: 'key',
  tlsClientCertKey: 'key',
  insecure: 'insecure',
  proxy: 'proxy',
  noProxy: 'noProxy',
};

/** They say something about the repository that is known from elsewhere, or that changes nothing here. */
const passedOver = new Set(['identity.pub', 'ssh-publickey', 'url', 'name', 'type', 'project', 'enableLfs', 'forceHttpBasicAuth', 'depth']);

const notSupported: Readonly<Record<string, string>> = {
  insecureIgnoreHostKey: 'servers are always checked over SSH: give known_hosts',
  githubAppID: 'GitHub Apps are not supported: give a token or a deploy key',
  githubAppInstallationID: 'GitHub Apps are not supported: give a token or a deploy key',
  githubAppPrivateKey: 'GitHub Apps are not supported: give a token or a deploy key',
  githubAppEnterpriseBaseUrl: 'GitHub Apps are not supported: give a token or a deploy key',
  gcpServiceAccountKey: 'Google service accounts are not supported: give a user name and password',
  useAzureWorkloadIdentity: 'Azure workload identities are not supported: give a token or a deploy key',
};

const largest = 1024 ** 2;

/**
 * The folder for a repository: this one, or one inside it, whose file `url` names that repository or the beginning of its URL. The
 * longest wins. Undefined where none does: then nobody is shown any credentials.
 */
export async function findCredentials(folder: string, repository: string): Promise<string | undefined> {
  const inside = await readdir(folder, { withFileTypes: true }).catch((cause: unknown) => {
    throw unreadable(folder, undefined, cause);
  });
  const folders = [folder, ...inside.filter((entry) => !entry.isFile() && !entry.name.startsWith('.')).map(({ name }) => join(folder, name))];
  let [best, longest] = [undefined as string | undefined, 0];
  for (const each of folders) {
    const url = (await readFile(join(each, 'url'), 'utf8').catch(() => '')).trim();
    if (url.length > longest && isFor(url, repository)) [best, longest] = [each, url.length];
  }
  return best;
}

/** Whole names only: `https://git.example.com/acme` is not for `https://git.example.com/acme-labs`. */
export function isFor(url: string, repository: string): boolean {
  const bare = (text: string): string => text.replace(/\/+$/, '').replace(/\.git$/, '');
  return bare(url) !== '' && (bare(repository) === bare(url) || bare(repository).startsWith(`${bare(url)}/`));
}

/** Reads a folder laid out like a mounted Secret: one file for each part. Read again at every use, so that rotated credentials count. */
export async function readCredentials(folder: string): Promise<Access> {
  // A mounted Secret is swapped as a whole by way of ..data: where that leads, old and new parts do not mix.
  const inside = await realpath(join(folder, '..data')).catch(() => folder);
  const names = (await listed(folder, inside)).filter((name) => !passedOver.has(name));
  const found = new Map<Field, { readonly file: string; readonly text: string }>();
  for (const file of names) {
    const text = await contentOf(folder, { inside, file });
    const no = notSupported[file];
    if (no !== undefined && !['', 'false'].includes(text)) throw unusable(folder, `has ${file}, and ${no}`);
    if (no !== undefined) continue;
    const field = fieldOfFile[file];
    if (field === undefined) throw unusable(folder, `has a file ${shownText(file)}, which is not known: take it out (known are ${Object.keys(fieldOfFile).join(', ')})`);
    const other = found.get(field);
    if (other !== undefined) throw unusable(folder, `has both ${other.file} and ${file}, which are the same thing: take one out`);
    if (text !== '') found.set(field, { file, text });
  }
  return checked(folder, new Map([...found].map(([field, { text }]) => [field, text])));
}

function checked(folder: string, found: ReadonlyMap<Field, string>): Access {
  const has = (field: Field): boolean => found.has(field);
  if (found.size === 0) throw unusable(folder, 'is empty: give username and password, bearerToken, or identity and known_hosts');
  if (has('bearerToken') && has('password')) throw unusable(folder, 'has a password and a bearerToken: only one of them can be sent, take one out');
  if (has('username') && !has('password') && !has('bearerToken') && !has('privateKey')) throw unusable(folder, 'has a username without a password');
  if (has('passphrase') && !has('privateKey')) throw unusable(folder, 'has a passphrase without a key: give identity');
  if (has('cert') !== has('key')) throw unusable(folder, `has ${has('cert') ? 'a client certificate without its key: give tls.key' : 'the key of a client certificate without the certificate: give tls.crt'}`);
  for (const field of ['ca', 'cert', 'key'] as const) {
    if (has(field) && !found.get(field)?.includes('-----BEGIN ')) throw unusable(folder, `has a ${field === 'ca' ? 'ca.crt' : `tls.${field === 'cert' ? 'crt' : 'key'}`} that is not PEM: it starts with -----BEGIN`);
  }
  const insecure = found.get('insecure') ?? 'false';
  if (insecure !== 'true' && insecure !== 'false') throw unusable(folder, 'has a file insecure that is neither true nor false');
  const { insecure: _insecure, proxy, noProxy, ...texts } = Object.fromEntries(found) as Readonly<Partial<Record<Field, string>>>;
  return { ...texts, ...(insecure === 'true' && { insecure: true }), ...(proxy !== undefined && { proxy: proxyOf(proxy, noProxy) }) };
}

function proxyOf(proxy: string, except: string | undefined): ProxySettings {
  return { https: proxy, http: proxy, ...(except !== undefined && { except }) };
}

async function listed(folder: string, inside: string): Promise<readonly string[]> {
  try {
    return (await readdir(inside)).filter((name) => !name.startsWith('..')).toSorted();
  } catch (error) {
    throw unreadable(folder, undefined, error);
  }
}

async function contentOf(folder: string, { inside, file }: { readonly inside: string; readonly file: string }): Promise<string> {
  const path = join(inside, file);
  try {
    const { size } = await stat(path);
    if (size > largest) throw unusable(folder, `has a file ${shownText(file)} of more than 1 MiB, which is no credential`);
    const text = await readFile(path, 'utf8');
    // Editors and echo end a file with a line break that is no part of a password.
    return text.replace(/\r?\n$/, '');
  } catch (error) {
    throw error instanceof SetpointError ? error : unreadable(folder, file, error);
  }
}

function unreadable(folder: string, file: string | undefined, error: unknown): SetpointError {
  const what = file === undefined ? '' : ` has a file ${shownText(file)} that`;
  return new SetpointError('RepositoryUnauthorized', `the credentials folder ${folder}${what} cannot be read: ${whyUnreadable(error)}`, { cause: error });
}

function unusable(folder: string, what: string): SetpointError {
  return new SetpointError('RepositoryUnauthorized', `the credentials folder ${folder} ${what}`);
}
