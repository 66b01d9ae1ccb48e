import { setImmediate as nextTurn } from 'node:timers/promises';
import type { KubeObject } from '../../model/index.ts';
import { listPages } from '../list-pages.ts';
import type { Transport } from '../transport.ts';
import type { AttemptEnd } from './next-attempt.ts';
import type { WatchPacing } from './pacing.ts';
import { pathOf, queryOf, type Place } from './place.ts';
import { brokenWatch, refusedWatch } from './watch-failure.ts';

export interface ListOnceRequest {
  readonly transport: Pick<Transport, 'send'>;
  readonly place: Place;
  readonly pacing: Pick<WatchPacing, 'pageSize'>;
  readonly signal: AbortSignal;
  /** Before the first item: the version that the list shows. */
  readonly began: (resourceVersion: string) => void;
  readonly item: (object: KubeObject) => void;
}

// What one page may cost the others that wait for the event loop.
const turnMs = 10;

/** Lists a place. Only `listed` means that the items were all there is. */
export async function listOnce({ transport, place, pacing, signal, began, item }: ListOnceRequest): Promise<AttemptEnd> {
  let resourceVersion: string | undefined;
  let turnSince = performance.now();
  try {
    const request = { transport, path: pathOf(place), kind: place.kind, query: queryOf(place), pageSize: pacing.pageSize, signal };
    for await (const page of listPages(request)) {
      if (page.type === 'refused') {
        // 410: the pages that are left are compacted.
        if (page.answer.status === 410) return { type: 'expired', healthy: false };
        return { type: 'failed', healthy: false, failure: refusedWatch(page.answer, place) };
      }
      if (resourceVersion === undefined) began(page.resourceVersion);
      ({ resourceVersion } = page);
      for (const object of page.items) {
        item(object);
        if (performance.now() - turnSince < turnMs) continue;
        await nextTurn();
        turnSince = performance.now();
      }
    }
  } catch (error) {
    return { type: 'failed', healthy: false, failure: brokenWatch(error, place) };
  }
  return resourceVersion === undefined ? { type: 'unreadable' } : { type: 'listed', resourceVersion };
}
