import { SetpointError } from '../model/index.ts';
import type { LeasePort } from './lease-port.ts';
import type { SetTimer } from './timer.ts';

interface Bounds {
  /** For one answer. */
  readonly limitMs: number;
  readonly setTimer: SetTimer;
}

/** The same lease, with an end to every request: after the limit or with its signal, whatever becomes of the request itself. */
export function boundLease(lease: LeasePort, { limitMs, setTimer }: Bounds): LeasePort {
  const bounded = async <T>(signal: AbortSignal, ask: (signal: AbortSignal) => Promise<T>): Promise<T> => {
    signal.throwIfAborted();
    const request = new AbortController();
    const { promise: cut, reject } = Promise.withResolvers<never>();
    const end = (reason: Error): void => {
      reject(reason);
      request.abort(reason);
    };
    const leave = (): void => end(signal.reason as Error);
    const cancel = setTimer(() => end(new SetpointError('ClusterUnreachable', `no answer about the lease within ${limitMs / 1000} s`)), limitMs);
    signal.addEventListener('abort', leave, { once: true });
    try {
      return await Promise.race([ask(request.signal), cut]);
    } finally {
      cancel();
      signal.removeEventListener('abort', leave);
    }
  };
  return {
    read: (signal) => bounded(signal, (inner) => lease.read(inner)),
    create: (claim, signal) => bounded(signal, (inner) => lease.create(claim, inner)),
    update: (record, signal) => bounded(signal, (inner) => lease.update(record, inner)),
  };
}
