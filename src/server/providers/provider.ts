import type { IncomingHttpHeaders } from 'node:http';
import type { Json } from '../../model/index.ts';

/** A request as it came: nothing in it is believed before its signature was checked. */
export interface Delivery {
  readonly headers: IncomingHttpHeaders;
  readonly body: Buffer;
}

/** What proves that a delivery is from whom it says. */
export interface Credentials {
  /** Never empty, and none of them is. */
  readonly secrets: readonly string[];
  /** The user name that goes with a secret sent as a password. Any, where there is none. */
  readonly user?: string;
  /** The header that carries the secret. */
  readonly header?: string;
  /** Milliseconds since 1970. */
  readonly now: number;
}

export type Reading =
  /** The addresses are as they were sent. References are full names that now point somewhere. */
  | { readonly type: 'moved'; readonly addresses: readonly string[]; readonly references: readonly string[] | 'any' }
  | { readonly type: 'ping' }
  | { readonly type: 'other'; readonly why: string }
  | { readonly type: 'malformed'; readonly why: string };

/** How one kind of sender proves itself, and where it says what moved. */
export interface Provider {
  readonly encoding: 'json' | 'json-or-form' | 'json-or-nothing';
  /** Whether two deliveries without an id and with the same body are the same event, or each is one of its own. */
  readonly withoutId: 'same-body' | 'always-new';
  verify(delivery: Delivery, credentials: Credentials): boolean;
  deliveryId(delivery: Delivery, payload: Json): string | undefined;
  read(delivery: Delivery, payload: Json): Reading;
  /** A greeting that this sender never signs. It is answered and has no other effect. */
  isUnsignedPing?(headers: IncomingHttpHeaders): boolean;
}

/** A header that was sent once and is not empty. */
export function headerOf(headers: IncomingHttpHeaders, name: string): string | undefined {
  const value = headers[name];
  return typeof value === 'string' && value !== '' ? value : undefined;
}
