import type { HttpClient } from 'isomorphic-git';
import type { RemoteRepository } from '../repository-url.ts';
import { createHttpTransport } from './http-transport.ts';
import { createSshTransport } from './ssh-transport.ts';

export interface TransportLimits {
  readonly connectMs: number;
  /** Without a single byte. How long the whole may take is for the caller's signal to say. */
  readonly idleMs: number;
  /** Of all answers of one session. */
  readonly maxBytes: number;
}

/** One operation: a look at the references, a fetch, or both. */
export interface Session extends AsyncDisposable {
  /** What isomorphic-git is given. Credentials are added behind it. */
  readonly http: HttpClient;
  /** What isomorphic-git is given; of an SSH repository it is made up. */
  readonly url: string;
  /** How many bytes have come. */
  bytes(): number;
  /** What went wrong, in one sentence and without secrets; the reason of an abort as it is. */
  explain(error: unknown): Error;
  close(): Promise<void>;
}

export interface Transport {
  session(signal: AbortSignal): Session;
  /** Ends the connections, with the last open session: where credentials are rotated, what is under way may finish. */
  close(): Promise<void>;
}

const usual: TransportLimits = { connectMs: 10_000, idleMs: 60_000, maxBytes: 1024 ** 3 };

export function createTransport(repository: RemoteRepository, limits: Partial<TransportLimits> = {}): Transport {
  const all = { ...usual, ...limits };
  return repository.type === 'http' ? createHttpTransport(repository, all) : createSshTransport(repository, all);
}
