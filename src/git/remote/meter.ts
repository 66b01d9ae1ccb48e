import type { GitHttpRequest, GitHttpResponse, HttpClient } from 'isomorphic-git';

export class TooManyBytesError extends Error {
  constructor() {
    super('the server sent more bytes than allowed');
    this.name = 'TooManyBytesError';
  }
}

export interface MeterOptions {
  readonly maxBytes: number;
  readonly onProgress: () => void;
}

export interface Metered {
  readonly http: HttpClient;
  /** Bytes of all answers so far. */
  bytes(): number;
  isExceeded(): boolean;
}

/** isomorphic-git knows no limits: they are here, where every byte passes. */
export function meter(http: HttpClient, { maxBytes, onProgress }: MeterOptions): Metered {
  let bytes = 0;

  async function* counted(body: AsyncIterable<Uint8Array>): AsyncIterableIterator<Uint8Array> {
    for await (const chunk of body) {
      bytes += chunk.length;
      onProgress();
      if (bytes > maxBytes) throw new TooManyBytesError();
      yield chunk;
    }
  }

  return {
    http: {
      async request(request: GitHttpRequest): Promise<GitHttpResponse> {
        const response = await http.request(request);
        onProgress();
        return { ...response, ...(response.body && { body: counted(response.body) }) };
      },
    },
    bytes: () => bytes,
    isExceeded: () => bytes > maxBytes,
  };
}
