import type { Transport } from '../transport.ts';
import type { AttemptEnd, Chance } from './next-attempt.ts';
import { pathOf, queryOf, type Place } from './place.ts';
import { createLineSplitter, parseWatchEvent, type WatchEvent } from './watch-events.ts';
import { brokenWatch, refusedWatch } from './watch-failure.ts';

export interface WatchRequest {
  readonly transport: Pick<Transport, 'stream'>;
  readonly place: Place;
  readonly position: string;
  readonly chance: Chance;
  readonly signal: AbortSignal;
  /** The server is there, and shows what happens from now on. */
  readonly opened: () => void;
  /** Something came, whatever it was. */
  readonly contact: () => void;
  readonly seen: (event: Extract<WatchEvent, { readonly resourceVersion: string }>) => void;
}

// A watch that closes sooner, with nothing to show, did not work.
const shortestWatchMs = 1000;

/** Watches a place until the server, an error, a watchdog or `signal` ends it. */
export async function watchOnce(request: WatchRequest): Promise<AttemptEnd> {
  const { transport, place, position, signal, chance } = request;
  const { watchSeconds, idleMs, overdueMs } = chance.pacing;
  const seconds = watchSeconds.min + Math.floor(chance.random() * (watchSeconds.max - watchSeconds.min + 1));
  const cut = new AbortController();
  let silent = false;
  const idle = setTimeout(() => {
    silent = true;
    cut.abort();
  }, idleMs);
  const overdue = setTimeout(() => cut.abort(), seconds * 1000 + overdueMs);
  const stop = (): void => cut.abort();
  signal.addEventListener('abort', stop, { once: true });
  if (signal.aborted) stop();
  const since = performance.now();
  let events = 0;
  const isHealthy = (): boolean => events > 0 || performance.now() - since >= shortestWatchMs;
  try {
    const query = { ...queryOf(place), watch: 'true', allowWatchBookmarks: 'true', resourceVersion: position, timeoutSeconds: String(seconds) };
    const answer = await transport.stream({ method: 'GET', path: pathOf(place), query, signal: cut.signal });
    if (answer.status !== 200) return await refusedEnd(request, answer);
    request.opened();
    const split = createLineSplitter();
    for await (const chunk of answer.body) {
      idle.refresh();
      request.contact();
      for (const line of split(chunk)) {
        const event = parseWatchEvent(line);
        if (event.type === 'unreadable') return event;
        if (event.type === 'error') return refusal({ answer: event.answer, place, healthy: isHealthy() });
        events += 1;
        request.seen(event);
      }
    }
    return { type: 'closed', healthy: isHealthy() };
  } catch (error) {
    if (silent) return { type: 'silent', healthy: events > 0 };
    if (cut.signal.aborted) return { type: 'closed', healthy: true };
    return { type: 'failed', healthy: isHealthy(), failure: brokenWatch(error, place) };
  } finally {
    clearTimeout(idle);
    clearTimeout(overdue);
    signal.removeEventListener('abort', stop);
  }
}

type StreamAnswer = Awaited<ReturnType<Transport['stream']>>;

async function refusedEnd({ place }: WatchRequest, { status, retryAfterMs, body }: StreamAnswer): Promise<AttemptEnd> {
  const text = await textOf(body);
  return refusal({ answer: { status, text, ...(retryAfterMs === undefined ? {} : { retryAfterMs }) }, place, healthy: false });
}

interface Refusal {
  readonly answer: Parameters<typeof refusedWatch>[0];
  readonly place: Place;
  readonly healthy: boolean;
}

function refusal({ answer, place, healthy }: Refusal): AttemptEnd {
  // 410: our resourceVersion is compacted; only a fresh list tells what was deleted.
  return answer.status === 410 ? { type: 'expired', healthy } : { type: 'failed', healthy, failure: refusedWatch(answer, place) };
}

// A Status is some hundred bytes; a page that something on the way answered with may be anything.
const longestRefusal = 64 * 1024;

async function textOf(body: AsyncIterable<Uint8Array>): Promise<string> {
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of body) {
    chunks.push(chunk);
    bytes += chunk.length;
    if (bytes > longestRefusal) break;
  }
  return Buffer.concat(chunks).toString();
}
