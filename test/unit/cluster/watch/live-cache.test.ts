import { describe, expect, test } from 'vitest';
import type { ApiAnswer, ApiRequest } from '../../../../src/cluster/transport.ts';
import { createLiveCache, type LiveCache } from '../../../../src/cluster/watch/live-cache.ts';
import { resourceKey, type KubeObject, type ResourceKey, type ServedKind } from '../../../../src/model/index.ts';
import { recordingLog } from '../../../support/recording-log.ts';
import { waitFor } from '../../../support/wait-for.ts';

// What no real server does on demand: answers that are scripted one by one. Everything else is tested on a real one.

const kind: ServedKind = { group: '', version: 'v1', kind: 'ConfigMap', resource: 'configmaps', namespaced: true, hasStatus: false };
const keyOf = (name: string): ResourceKey => resourceKey({ group: '', kind: 'ConfigMap', namespace: 'shop', name });
const target = (name: string): Parameters<LiveCache['track']>[0][number] => ({ kind, manifest: { key: keyOf(name) } });
const object = (name: string, resourceVersion: string): object => ({ metadata: { name, namespace: 'shop', uid: `uid-of-${name}`, resourceVersion }, data: { at: resourceVersion } });
const page = (resourceVersion: string, ...items: readonly object[]): ApiAnswer => ({ status: 200, text: JSON.stringify({ metadata: { resourceVersion }, items }) });

interface Script {
  readonly lists: readonly ApiAnswer[];
  /** The status of each watch; after the last one a watch stays open and silent. */
  readonly watches?: readonly number[];
}

function scripted({ lists, watches = [] }: Script): { readonly cache: LiveCache; readonly asked: ApiRequest[]; readonly log: ReturnType<typeof recordingLog> } {
  const [pages, statuses] = [[...lists], [...watches]];
  const asked: ApiRequest[] = [];
  const log = recordingLog();
  async function* body(status: number, signal: AbortSignal): AsyncGenerator<Uint8Array> {
    if (status === 200) await new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason as Error), { once: true }));
    yield new TextEncoder().encode('{}');
  }
  const cache = createLiveCache({
    transport: {
      send(request) {
        asked.push(request);
        const next = pages.shift();
        return next === undefined ? Promise.reject(new Error('no page is left')) : Promise.resolve(next);
      },
      stream(request) {
        asked.push(request);
        const status = statuses.shift() ?? 200;
        return Promise.resolve({ status, body: body(status, request.signal) });
      },
    },
    digest: ({ data }: KubeObject) => JSON.stringify(data),
    describeChange: () => ({ writers: [], paths: [] }),
    log,
    now: () => new Date(),
    pacing: { backoff: { baseMs: 1, maxMs: 2 } },
  });
  return { cache, asked, log };
}

const signal = new AbortController().signal;
const version = (cache: LiveCache, name: string): string => {
  const reading = cache.reading(keyOf(name));
  return reading.type === 'live' ? reading.live.resourceVersion : reading.type;
};

describe('the cache', () => {
  test('follows a cluster that was restored from a backup back to its older state', async () => {
    const { cache, log } = scripted({ lists: [page('100', object('a', '90'), object('b', '95')), page('50', object('a', '40'))], watches: [410] });
    cache.track([target('a'), target('b')]);
    await waitFor(() => version(cache, 'a') === '40', { what: 'the older state' });
    expect(version(cache, 'b')).toBe('absent');
    expect(log.lines).toContainEqual({ level: 'warn', message: 'the cluster went back to an older state', fields: { place: 'configmaps in namespace shop', from: '100', to: '50' } });
    await cache.close();
  });

  test('keeps a write of our own that a list does not know yet', async () => {
    const { cache } = scripted({ lists: [page('100', object('a', '90'))] });
    cache.track([target('a'), target('b')]);
    cache.put(keyOf('a'), { apiVersion: 'v1', kind: 'ConfigMap', ...object('a', '120') } as KubeObject);
    cache.put(keyOf('b'), { apiVersion: 'v1', kind: 'ConfigMap', ...object('b', '110') } as KubeObject);
    expect(version(cache, 'a')).toBe('unwatched');
    await cache.settled(signal);
    expect([version(cache, 'a'), version(cache, 'b')]).toEqual(['120', '110']);
    await cache.close();
  });

  test('never takes half a list for the whole', async () => {
    const half: ApiAnswer = { status: 200, text: JSON.stringify({ metadata: { resourceVersion: '100', continue: 'more' }, items: [object('a', '90')] }) };
    const { cache, asked } = scripted({ lists: [half, { status: 500, text: '' }, half, { status: 410, text: '' }, page('101', object('a', '90'), object('b', '95'))] });
    const told: string[] = [];
    cache.onChange((key) => told.push(`${key} ${cache.reading(key).type}`));
    cache.track([target('a'), target('b')]);
    await waitFor(() => version(cache, 'b') === '95', { what: 'the whole list' });
    expect(told.filter((line) => line.endsWith('absent'))).toEqual([]);
    expect(asked.filter(({ query }) => query?.['watch'] === undefined).map(({ query }) => query?.['continue'] ?? '')).toEqual(['', 'more', '', 'more', '']);
    await cache.close();
  });

  test('tells whoever waits that time is up, and lets go of them', async () => {
    const { cache } = scripted({ lists: [] });
    cache.track([target('a')]);
    const late = new AbortController();
    const wait = cache.settled(late.signal);
    late.abort(new Error('time is up'));
    await expect(wait).rejects.toThrow('time is up');
    await cache.close();
    await expect(cache.settled(signal)).resolves.toBeUndefined();
  });
});
