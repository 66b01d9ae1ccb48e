import { setTimeout as sleep } from 'node:timers/promises';
import { retryOf, toSetpointError } from '../model/index.ts';
import type { StatusItem } from './status-item.ts';
import type { StatusSource } from './status-source.ts';

interface Waiting {
  readonly source: Pick<StatusSource, 'find'>;
  readonly id: string;
  readonly timeoutMs: number;
  readonly isOver: (item: StatusItem) => boolean;
  /** Called with each reading, also the last. */
  readonly tell: (item: StatusItem) => void;
  readonly warn: (text: string) => void;
}

interface Waited {
  /** As it was read last; undefined where it never could be. */
  readonly item: StatusItem | undefined;
  readonly isOver: boolean;
}

const askAgainMs = 500;

/** Reads an application until it is as wanted, or the time is up. What may heal by itself does not end the waiting. */
export async function waitForItem({ source, id, timeoutMs, isOver, tell, warn }: Waiting, signal: AbortSignal): Promise<Waited> {
  const deadline = performance.now() + timeoutMs;
  let item: StatusItem | undefined;
  let trouble = '';
  for (;;) {
    try {
      item = await source.find({ app: id }, signal);
      trouble = '';
      tell(item);
      if (isOver(item)) return { item, isOver: true };
    } catch (error) {
      signal.throwIfAborted();
      const { code, message } = toSetpointError(error);
      if (retryOf(code) !== 'later' || code === 'ClusterUnauthorized') throw error;
      if (message !== trouble) warn(message);
      trouble = message;
    }
    const left = deadline - performance.now();
    if (left <= 0) return { item, isOver: false };
    await sleep(Math.min(askAgainMs, left), undefined, { signal });
  }
}
