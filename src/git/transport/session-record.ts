import { SetpointError } from '../../model/index.ts';
import { gitError } from '../git-error.ts';

interface RecordOptions {
  readonly url: string;
  readonly maxBytes: number;
  readonly signal: AbortSignal;
  /** Says what an error of this transport means. */
  translate(error: unknown): SetpointError;
}

export interface SessionRecord {
  bytes(): number;
  explain(error: unknown): Error;
  /** Remembers the first failure: isomorphic-git swallows what a body throws and reports its own confusion. */
  failed(error: unknown): Error;
  counted(body: AsyncIterable<Uint8Array>): AsyncIterableIterator<Uint8Array>;
}

export function createSessionRecord({ url, maxBytes, signal, translate }: RecordOptions): SessionRecord {
  let bytes = 0;
  let first: Error | undefined;
  const failed = (error: unknown): Error => {
    first ??= signal.aborted ? (signal.reason as Error) : error instanceof SetpointError ? error : translate(error);
    return first;
  };
  return {
    bytes: () => bytes,
    explain: (error) => (signal.aborted ? (signal.reason as Error) : (first ?? gitError(error, { url }))),
    failed,
    async *counted(body) {
      try {
        for await (const piece of body) {
          bytes += piece.length;
          if (bytes > maxBytes) {
            throw new SetpointError('SourceTooLarge', `${url} sends more than ${Math.floor(maxBytes / 2 ** 20)} MiB: split the repository, or raise the limit`);
          }
          yield piece;
        }
      } catch (error) {
        throw failed(error);
      }
    },
  };
}
