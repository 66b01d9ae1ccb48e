// Keys and lists of known servers made by OpenSSH's own ssh-keygen.
import { execFile } from 'node:child_process';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { tempFolder } from './temp-folder.ts';

const run = promisify(execFile);

export interface SshKeyPair {
  readonly privateKey: string;
  /** As in authorized_keys: type and key. */
  readonly publicKey: string;
  /** As ssh-keygen -l shows it. */
  readonly fingerprint: string;
}

interface KeyWishes {
  readonly passphrase?: string;
  readonly bits?: number;
  /** PEM is what ssh-keygen wrote before 2018. */
  readonly format?: 'PEM' | 'PKCS8' | 'RFC4716';
}

export async function makeSshKey(type: 'ed25519' | 'rsa' | 'ecdsa', { passphrase = '', bits, format }: KeyWishes = {}): Promise<SshKeyPair> {
  await using folder = await tempFolder();
  const file = join(folder.path, 'key');
  const size = bits === undefined ? [] : ['-b', String(bits)];
  await run('ssh-keygen', ['-q', '-t', type, ...size, ...(format === undefined ? [] : ['-m', format]), '-N', passphrase, '-C', '', '-f', file]);
  const { stdout } = await run('ssh-keygen', ['-l', '-f', `${file}.pub`]);
  return { privateKey: await readFile(file, 'utf8'), publicKey: (await readFile(`${file}.pub`, 'utf8')).trim(), fingerprint: stdout.split(' ')[1] ?? '' };
}

/** The same list with the names of its hosts hashed, each with a salt of its own. */
export async function hashKnownHosts(list: string): Promise<string> {
  await using folder = await tempFolder();
  const file = join(folder.path, 'known_hosts');
  await writeFile(file, list);
  await run('ssh-keygen', ['-q', '-H', '-f', file]);
  return await readFile(file, 'utf8');
}

/** Whether OpenSSH finds a line about that host. */
export async function isFoundByOpenSsh(list: string, host: string): Promise<boolean> {
  await using folder = await tempFolder();
  const file = join(folder.path, 'known_hosts');
  await writeFile(file, list);
  return await run('ssh-keygen', ['-F', host, '-f', file]).then(
    ({ stdout }) => stdout !== '',
    () => false,
  );
}
