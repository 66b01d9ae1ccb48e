import { createHash, createHmac, timingSafeEqual } from 'node:crypto';

const digestOf = (text: string): Buffer => createHash('sha256').update(text).digest();

/** Compares digests, so that the time taken tells neither length nor content, and all of them, so that it does not tell which. */
export function isSecret(given: string | undefined, secrets: readonly string[]): boolean {
  const digest = digestOf(given ?? '');
  const same = secrets.map((secret) => timingSafeEqual(digest, digestOf(secret)));
  return given !== undefined && given !== '' && same.includes(true);
}

/** Whether it is the HMAC-SHA256 of the bytes in hexadecimal digits, with one of the secrets as its key. */
export function isSigned(bytes: Buffer | string, hex: string | undefined, secrets: readonly string[]): boolean {
  if (hex === undefined || !/^[0-9a-f]{64}$/i.test(hex)) return false;
  const given = Buffer.from(hex, 'hex');
  return secrets.map((secret) => timingSafeEqual(given, createHmac('sha256', secret).update(bytes).digest())).includes(true);
}

/** The digits of `sha256=…`. SHA-1 is not taken. */
export function sha256Digits(header: string | undefined): string | undefined {
  return header === undefined ? undefined : /^sha256=(.*)$/.exec(header)?.[1];
}
