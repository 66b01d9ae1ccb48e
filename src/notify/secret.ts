import { readFile } from 'node:fs/promises';
import { whyUnreadable, type SendOutcome } from '../model/index.ts';

export type SecretRead = { readonly type: 'read'; readonly value: string } | Extract<SendOutcome, { readonly type: 'retry' }>;

const longestBytes = 64 * 1024;

/** Read anew for every attempt: secrets are rotated under us. */
export async function readSecret(file: string, signal?: AbortSignal): Promise<SecretRead> {
  const failed = (why: string): SecretRead => ({ type: 'retry', why: `the secret in ${file} ${why}` });
  try {
    const bytes = await readFile(file, { signal });
    if (bytes.length > longestBytes) return failed(`is ${bytes.length} bytes long; ${longestBytes} are allowed`);
    const value = bytes.toString().trim();
    return value === '' ? failed('is empty') : { type: 'read', value };
  } catch (error) {
    return failed(`cannot be read: ${whyUnreadable(error)}`);
  }
}

// A shorter piece of a URL is no secret, and taking it out would leave no sentence.
const shortest = 6;

/** The text without the secrets, in whatever form it quotes them. */
export function redact(text: string, secrets: readonly string[]): string {
  const forms = [...new Set(secrets.flatMap(partsOf).flatMap(formsOf))].filter((form) => form.length >= shortest);
  // The longest first: a part that is taken out of a whole leaves the rest of it.
  return forms.toSorted((a, b) => b.length - a.length).reduce((shown, form) => shown.replaceAll(form, '***'), text);
}

/** Of a URL everything after the host is secret, and each part of it. */
function partsOf(secret: string): readonly string[] {
  const url = /^https?:/i.test(secret) ? URL.parse(secret) : null;
  if (url === null) return [secret, ...secret.split('\n').map((line) => line.trim()), secret.replace(/^whsec_/, '')];
  const pieces = [...url.pathname.split('/'), ...[...url.searchParams].map(([, value]) => value)];
  return [secret, url.href, `${url.pathname}${url.search}`, url.pathname, url.search, ...pieces];
}

function formsOf(value: string): readonly string[] {
  const bytes = Buffer.from(value);
  const base64 = bytes.toString('base64').replace(/=+$/, '');
  return [value, encodeURIComponent(value), decoded(value), JSON.stringify(value).slice(1, -1), base64, bytes.toString('base64url'), bytes.toString('hex')];
}

function decoded(value: string): string {
  try {
    return decodeURIComponent(value);
  } catch {
    return value;
  }
}
