import { createHmac } from 'node:crypto';

export interface SignedContent {
  readonly id: string;
  /** Seconds since 1970. */
  readonly timestamp: number;
  readonly body: string;
}

// As Standard Webhooks asks for.
const shortestKey = 24;

/** The key in a secret, which is `whsec_` and base64; undefined where it is none. */
export function signingKey(secret: string): Buffer | undefined {
  const text = secret.replace(/^whsec_/, '');
  const key = Buffer.from(text, 'base64');
  const isBase64 = key.toString('base64').replace(/=+$/, '') === text.replace(/=+$/, '');
  return isBase64 && key.length >= shortestKey ? key : undefined;
}

/** The headers of Standard Webhooks, with one signature for each key. */
export function signatureHeaders({ id, timestamp, body }: SignedContent, keys: readonly Buffer[]): Readonly<Record<string, string>> {
  const signatures = keys.map((key) => `v1,${createHmac('sha256', key).update(`${id}.${timestamp}.${body}`).digest('base64')}`);
  return {
    'webhook-id': id,
    'webhook-timestamp': String(timestamp),
    ...(signatures.length > 0 && { 'webhook-signature': signatures.join(' ') }),
  };
}
