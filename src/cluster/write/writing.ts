import type { Transport } from '../transport.ts';

export type WriteTransport = Pick<Transport, 'send'>;

export interface WriteOptions {
  /** Asked before each request that changes something. Throws where it must not be sent any more. */
  readonly mayWrite?: () => void;
  /** Fields that the server does not know are no mistake: it drops them. */
  readonly skipValidation?: true;
  readonly signal: AbortSignal;
}

/** Without it the server drops what it does not know, and says nothing. */
export function validation({ skipValidation }: Pick<WriteOptions, 'skipValidation'>): { readonly fieldValidation: string } {
  return { fieldValidation: skipValidation === true ? 'Ignore' : 'Strict' };
}
