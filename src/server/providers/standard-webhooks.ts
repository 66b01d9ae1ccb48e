import { createHmac, timingSafeEqual } from 'node:crypto';
import { headerOf, type Credentials, type Delivery } from './provider.ts';

const toleranceMs = 5 * 60_000;
const prefix = 'whsec_';

/** Whether the sender says that it signed so. Then nothing else counts: a bad signature must not fall back to something weaker. */
export function hasStandardSignature({ headers }: Delivery): boolean {
  return headers['webhook-signature'] !== undefined;
}

/** Standard Webhooks: `v1` signatures over id, time and body. The time is part of it, so an old delivery cannot come again. */
export function isStandardSigned({ headers, body }: Delivery, { secrets, now }: Credentials): boolean {
  const id = headerOf(headers, 'webhook-id');
  const timestamp = headerOf(headers, 'webhook-timestamp');
  const signatures = headerOf(headers, 'webhook-signature');
  if (id === undefined || timestamp === undefined || signatures === undefined) return false;
  if (!/^\d{1,12}$/.test(timestamp) || Math.abs(now - Number(timestamp) * 1000) > toleranceMs) return false;
  const given = signatures.split(' ').flatMap((signature) => v1Digest(signature) ?? []);
  const wanted = secrets.map((secret) => createHmac('sha256', signingKey(secret)).update(`${id}.${timestamp}.`).update(body).digest());
  return wanted.flatMap((digest) => given.map((one) => timingSafeEqual(one, digest))).includes(true);
}

function v1Digest(signature: string): Buffer | undefined {
  const [, digits] = /^v1,([A-Za-z0-9+/]{43}=)$/.exec(signature) ?? [];
  return digits === undefined ? undefined : Buffer.from(digits, 'base64');
}

/** What follows `whsec_` is base64; a secret without it is the key as it stands. */
function signingKey(secret: string): Buffer {
  return secret.startsWith(prefix) ? Buffer.from(secret.slice(prefix.length), 'base64') : Buffer.from(secret);
}

/** A key that decodes to next to nothing would sign for everybody. The convention wants 24 bytes or more. */
export function isUsableSecret(secret: string): boolean {
  if (secret.trim() === '') return false;
  return !secret.startsWith(prefix) || (/^[A-Za-z0-9+/]+={0,2}$/.test(secret.slice(prefix.length)) && signingKey(secret).length >= 24);
}
