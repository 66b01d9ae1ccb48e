import { createHash, createHmac, timingSafeEqual } from 'node:crypto';

/** What a list in the format of OpenSSH's known_hosts says about one server. */
export interface KnownHost {
  /** Types of the keys it is known by: ssh-ed25519, ssh-rsa, … */
  readonly keyTypes: readonly string[];
  verdict(key: Buffer): HostVerdict;
}

/** `certificate`: the list only knows who signs its keys, which we do not check. */
export type HostVerdict = 'known' | 'unknown' | 'changed' | 'revoked' | 'certificate';

interface Line {
  readonly marker: string | undefined;
  readonly type: string;
  readonly key: Buffer;
}

export function findKnownHost(list: string, { host, port }: { readonly host: string; readonly port: number }): KnownHost {
  const name = (port === 22 ? host : `[${host}]:${port}`).toLowerCase();
  const lines = list.split(/\r?\n/).flatMap((text) => readLine(text, name) ?? []);
  const keys = lines.filter(({ marker }) => marker === undefined);
  return {
    keyTypes: [...new Set(keys.map(({ type }) => type))],
    verdict(key) {
      if (lines.some((line) => line.marker === '@revoked' && line.key.equals(key))) return 'revoked';
      if (keys.some((line) => line.key.equals(key))) return 'known';
      if (keys.length > 0) return 'changed';
      return lines.some(({ marker }) => marker === '@cert-authority') ? 'certificate' : 'unknown';
    },
  };
}

/** A line about the host of that name; undefined for every other line, as OpenSSH passes over what it cannot read. */
function readLine(text: string, name: string): Line | undefined {
  const fields = text.trim().split(/[ \t]+/);
  const marker = fields[0]?.startsWith('@') ? fields.shift() : undefined;
  const [hosts, type, key] = fields;
  if (hosts === undefined || hosts.startsWith('#') || type === undefined || key === undefined || !isAbout(hosts, name)) return undefined;
  const bytes = Buffer.from(key, 'base64');
  return keyTypeOf(bytes) === type ? { marker, type, key: bytes } : undefined;
}

function isAbout(hosts: string, name: string): boolean {
  if (hosts.startsWith('|')) return isHashOf(hosts, name);
  const patterns = hosts.toLowerCase().split(',');
  if (patterns.some((pattern) => pattern.startsWith('!') && matches(pattern.slice(1), name))) return false;
  return patterns.some((pattern) => !pattern.startsWith('!') && matches(pattern, name));
}

function isHashOf(hashed: string, name: string): boolean {
  const [, version, salt = '', hash = ''] = hashed.split('|');
  const wanted = Buffer.from(hash, 'base64');
  const got = createHmac('sha1', Buffer.from(salt, 'base64')).update(name).digest();
  return version === '1' && wanted.length === got.length && timingSafeEqual(wanted, got);
}

/** `*` and `?` without a regular expression: its text comes from outside, and stars may make it slow. */
function matches(pattern: string, name: string): boolean {
  let [at, from, star, resume] = [0, 0, -1, 0];
  while (at < name.length) {
    if (pattern[from] === '?' || (pattern[from] !== '*' && pattern[from] === name[at])) {
      at += 1;
      from += 1;
    } else if (pattern[from] === '*') {
      star = from;
      resume = at;
      from += 1;
    } else if (star === -1) return false;
    else {
      from = star + 1;
      resume += 1;
      at = resume;
    }
  }
  while (pattern[from] === '*') from += 1;
  return from === pattern.length;
}

/** A public key starts with the length and the name of its type. */
export function keyTypeOf(key: Buffer): string {
  return key.length < 4 ? '' : key.subarray(4, 4 + key.readUInt32BE(0)).toString('latin1');
}

/** As ssh-keygen -l shows it. */
export function fingerprintOf(key: Buffer): string {
  return `SHA256:${createHash('sha256').update(key).digest('base64').replace(/=+$/, '')}`;
}
