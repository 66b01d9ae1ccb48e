import ssh2, { type ParsedKey } from 'ssh2';
import { SetpointError } from '../../model/index.ts';
import type { SshRepository } from '../repository-url.ts';

/** The parser's own words stay here: they may quote what it could not read. */
export function readPrivateKey({ url, privateKey, passphrase }: Pick<SshRepository, 'url' | 'privateKey' | 'passphrase'>): ParsedKey {
  // Secrets edited by hand lose the line break at the end, or get those of Windows; the parser wants neither.
  const text = `${privateKey.replaceAll('\r\n', '\n').trim()}\n`;
  const parsed = ssh2.utils.parseKey(text, passphrase) as ParsedKey | readonly ParsedKey[] | Error;
  const key = parsed instanceof Error || 'type' in parsed ? parsed : parsed[0];
  if (text.startsWith('-----BEGIN DSA ') || (key !== undefined && 'type' in key && key.type === 'ssh-dss')) {
    throw refused(url, 'is a DSA key, which servers no longer take: make one with ssh-keygen -t ed25519');
  }
  if (key === undefined || key instanceof Error) throw refused(url, explain(text, key?.message ?? '', passphrase !== undefined));
  if (!key.isPrivateKey()) throw refused(url, 'is a public key: give the private one');
  return key;
}

function explain(text: string, message: string, hasPassphrase: boolean): string {
  if (/no passphrase/i.test(message)) return 'is protected by a passphrase: give it as passphrase in the credentials';
  if (/passphrase|integrity|bad decrypt/i.test(message) && hasPassphrase) return 'does not open with the passphrase in the credentials';
  if (/^-----BEGIN (?:ENCRYPTED )?PRIVATE KEY-----/.test(text)) return 'is in the PKCS#8 format: convert it with ssh-keygen -p -f FILE, which writes the format of OpenSSH';
  return 'cannot be read: give the whole file that ssh-keygen wrote, from -----BEGIN to END-----';
}

function refused(url: string, what: string): SetpointError {
  return new SetpointError('RepositoryUnauthorized', `the private key for ${url} ${what}`);
}
