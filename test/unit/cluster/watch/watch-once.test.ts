import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import type { Transport } from '../../../../src/cluster/transport.ts';
import type { AttemptEnd } from '../../../../src/cluster/watch/next-attempt.ts';
import { defaultPacing } from '../../../../src/cluster/watch/pacing.ts';
import { watchOnce } from '../../../../src/cluster/watch/watch-once.ts';
import type { ServedKind } from '../../../../src/model/index.ts';

const kind: ServedKind = { group: '', version: 'v1', kind: 'ConfigMap', resource: 'configmaps', namespaced: true, hasStatus: false };
const bookmark = (version: number): string => `{"type":"BOOKMARK","object":{"metadata":{"resourceVersion":"${version}"}}}\n`;

beforeEach(() => {
  vi.useFakeTimers();
});

afterEach(() => {
  vi.useRealTimers();
});

interface Piece {
  readonly afterMs: number;
  readonly text: string;
}

function pause(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    setTimeout(resolve, ms);
    signal.addEventListener('abort', () => reject(signal.reason as Error), { once: true });
  });
}

/** Pieces that come at their times, then nothing or the end: what a connection does, with no server behind it. */
function stream(pieces: readonly Piece[], then: 'ends' | 'is silent'): Transport['stream'] {
  return ({ signal }) => {
    async function* body(): AsyncGenerator<Uint8Array> {
      for (const { afterMs, text } of pieces) {
        await pause(afterMs, signal);
        yield new TextEncoder().encode(text);
      }
      if (then === 'is silent') await pause(2 ** 31 - 1, signal);
    }
    return Promise.resolve({ status: 200, body: body() });
  };
}

async function watched(connection: Transport['stream'], signal = new AbortController().signal): Promise<{ end: AttemptEnd; seconds: number; versions: readonly string[] }> {
  const versions: string[] = [];
  const since = performance.now();
  const ended = watchOnce({
    transport: { stream: connection },
    place: { kind, namespace: 'shop' },
    position: '7',
    chance: { pacing: defaultPacing, random: () => 0 },
    signal,
    opened: () => undefined,
    contact: () => undefined,
    seen: ({ resourceVersion }) => versions.push(resourceVersion),
  }).then((end) => ({ end, seconds: (performance.now() - since) / 1000, versions }));
  await vi.advanceTimersByTimeAsync(3_600_000);
  return ended;
}

const every = (ms: number, count: number): readonly Piece[] => Array.from({ length: count }, (_, at) => ({ afterMs: ms, text: bookmark(at) }));

describe('a watch', () => {
  test('on which a bookmark comes every 75 s is left alone until the server ends it', async () => {
    expect(await watched(stream(every(75_000, 3), 'ends'))).toEqual({ end: { type: 'closed', healthy: true }, seconds: 225, versions: ['0', '1', '2'] });
  });

  test('on which nothing comes any more is given up after 90 s', async () => {
    expect(await watched(stream(every(60_000, 2), 'is silent'))).toMatchObject({ end: { type: 'silent', healthy: true }, seconds: 210 });
  });

  test('on which nothing ever came is given up after 90 s, and has not been healthy', async () => {
    expect(await watched(stream([], 'is silent'))).toMatchObject({ end: { type: 'silent', healthy: false }, seconds: 90 });
  });

  test('that the server does not end in time is ended 30 s later', async () => {
    expect(await watched(stream(every(1000, 1000), 'ends'))).toMatchObject({ end: { type: 'closed', healthy: true }, seconds: 240 + 30 });
  });

  test('that ends at once has not been healthy', async () => {
    expect(await watched(stream([], 'ends'))).toMatchObject({ end: { type: 'closed', healthy: false }, seconds: 0 });
  });

  test('that ends in the middle of an event has seen those before it', async () => {
    const halves = [{ afterMs: 1, text: bookmark(1) + bookmark(2).slice(0, 20) }];
    expect(await watched(stream(halves, 'ends'))).toMatchObject({ end: { type: 'closed', healthy: true }, versions: ['1'] });
  });

  test('ends when it is told to', async () => {
    const stop = new AbortController();
    setTimeout(() => stop.abort(), 5000);
    expect(await watched(stream([], 'is silent'), stop.signal)).toMatchObject({ end: { type: 'closed' }, seconds: 5 });
  });

  test('asks to be ended after a time within its range', async () => {
    const asked: string[] = [];
    const connection: Transport['stream'] = ({ query }) => {
      asked.push(query?.['timeoutSeconds'] ?? '', query?.['resourceVersion'] ?? '', query?.['allowWatchBookmarks'] ?? '');
      return stream([], 'ends')({ method: 'GET', path: '', signal: new AbortController().signal });
    };
    await watched(connection);
    expect(asked).toEqual(['240', '7', 'true']);
  });
});
