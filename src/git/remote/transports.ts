import { isDeepStrictEqual } from 'node:util';
import type { RemoteRepository } from '../repository-url.ts';
import { createTransport, type Session, type Transport } from '../transport/index.ts';

export interface Transports {
  /** One operation with a repository. The connections to its server stay open for the next one. */
  session(repository: RemoteRepository, signal: AbortSignal): Promise<Session>;
}

interface Known {
  readonly repository: RemoteRepository;
  readonly transport: Transport;
}

const maxTransports = 200;

export function createTransports(): Transports {
  const byUrl = new Map<string, Known>();

  async function forget(url: string): Promise<void> {
    const known = byUrl.get(url);
    byUrl.delete(url);
    await known?.transport.close();
  }

  return {
    async session(repository, signal) {
      const { url } = repository;
      let known = byUrl.get(url);
      // Other credentials, or another way there.
      if (known !== undefined && !isDeepStrictEqual(known.repository, repository)) {
        await forget(url);
        known = undefined;
      }
      // How much may come and how long it may take is counted per job, not per transport.
      known ??= { repository, transport: createTransport(repository, { maxBytes: Infinity }) };
      byUrl.delete(url);
      byUrl.set(url, known);
      const [oldest] = byUrl.keys();
      if (byUrl.size > maxTransports && oldest !== undefined) await forget(oldest);
      return known.transport.session(signal);
    },
  };
}
