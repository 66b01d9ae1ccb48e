// The way to the API server is cut, stalled and spoilt; what the server itself has afterwards decides whether anything was lost.
import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Target } from '../../src/cluster/index.ts';
import type { JsonObject, KubeObject, ResourceKey } from '../../src/model/index.ts';
import { goneStatus, startApiFront, type ApiFront, type FrontRequest } from '../support/api-front.ts';
import type { TestNamespace } from '../support/cluster/test-cluster.ts';
import { startFaultProxy, type FaultProxy } from '../support/fault-proxy.ts';
import { openRawApi, type RawApi } from '../support/raw-api.ts';
import { seededRandom } from '../support/seeded-random.ts';
import { sharedCluster } from '../support/test-run/index.ts';
import { waitFor } from '../support/wait-for.ts';
import { kubeconfigVia, readingText, serverOf, targetsIn, watchCluster, type WatchedCluster } from '../support/watched-cluster.ts';

const admin = sharedCluster();
const signal = new AbortController().signal;
let api: RawApi;
let namespace: TestNamespace;
let target: (object: JsonObject) => Target;
let apiServer: URL;

beforeAll(async () => {
  namespace = await admin.createNamespace();
  api = await openRawApi(admin.kubeconfig);
  apiServer = await serverOf(admin);
  await using anybody = await watchCluster(admin.kubeconfig);
  target = await targetsIn(anybody.cluster, namespace.name);
});

afterAll(async () => {
  await api[Symbol.asyncDispose]();
  await namespace[Symbol.asyncDispose]();
});

const configMap = (name: string, data: JsonObject = {}): JsonObject => ({ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name, namespace: namespace.name }, data });
const pathOf = (name: string): string => `/api/v1/namespaces/${namespace.name}/configmaps/${name}`;
const isWatch = ({ isWatch: is }: FrontRequest): boolean => is;

async function write(name: string, value: string, manager = 'somebody'): Promise<void> {
  const body = { type: 'application/apply-patch+yaml', text: JSON.stringify(configMap(name, { value })) };
  const answer = await api.send('PATCH', `${pathOf(name)}?fieldManager=${manager}&force=true`, body);
  if (answer.status >= 300) throw new Error(answer.text);
}

async function remove(name: string): Promise<void> {
  await api.send('DELETE', pathOf(name));
}

/** What the server has, by name. */
async function serverState(): Promise<ReadonlyMap<string, KubeObject>> {
  const { items } = JSON.parse((await api.send('GET', `/api/v1/namespaces/${namespace.name}/configmaps`)).text) as { items: readonly KubeObject[] };
  return new Map(items.map((item) => [item.metadata.name, item]));
}

async function versionOf(name: string): Promise<string> {
  return versionIn(await serverState(), name);
}

function versionIn(state: ReadonlyMap<string, KubeObject>, name: string): string {
  const version = state.get(name)?.metadata['resourceVersion'];
  return typeof version === 'string' ? version : 'absent';
}

async function shows({ cache }: WatchedCluster, key: ResourceKey, reading: string): Promise<void> {
  await waitFor(() => readingText(cache, key) === reading, { what: `${key} to be ${reading}` });
}

type Pacing = NonNullable<NonNullable<Parameters<typeof watchCluster>[1]>['pacing']>;
const hasty: Pacing = { backoff: { baseMs: 20, maxMs: 200 }, idleMs: 20_000 };

/** The cache, with the front between it and the API server, and a proxy before the front. */
async function behindFront(targets: readonly Target[], options: Parameters<typeof watchCluster>[1] = {}): Promise<WatchedCluster & { readonly front: ApiFront; readonly proxy: FaultProxy }> {
  const front = await startApiFront(apiServer.origin);
  const proxy = await startFaultProxy({ host: '127.0.0.1', port: front.port });
  const watched = await watchCluster(await kubeconfigVia(admin, proxy.port, front.authority), { ...options, pacing: { ...hasty, ...options.pacing } });
  watched.cache.track(targets);
  await watched.cache.settled(signal);
  await waitFor(() => front.watches.length > 0, { what: 'the first watch' });
  return {
    ...watched,
    front,
    proxy,
    async [Symbol.asyncDispose]() {
      await watched.cluster.close();
      await proxy.stop();
      await front.stop();
    },
  };
}

describe('200 changes a second, while the way is cut, stalled and spoilt', () => {
  const rounds = 3;
  const names = Array.from({ length: 40 }, (_, at) => `storm-${String(at).padStart(2, '0')}`);

  test('not one is lost', { timeout: 180_000 }, async () => {
    const random = seededRandom();
    const targets = names.map((name) => target(configMap(name)));
    await Promise.all(names.slice(0, 30).map((name) => write(name, 'first')));
    await using watched = await behindFront(targets, { random: random.next, pacing: { pageSize: 11, idleMs: 700 } });
    const { cache, front, proxy } = watched;

    const faults: Readonly<Record<string, () => void>> = {
      reset: () => proxy.connections.forEach((connection) => connection.reset()),
      'orderly end of every connection': () => proxy.connections.forEach((connection) => connection.end()),
      'end of the watch': () => front.watches.forEach((watch) => watch.end()),
      'cut within an event': () => front.watches.forEach((watch) => watch.cut()),
      'connection cut within an event': () => proxy.connections.forEach((connection) => connection.truncateAfter(random.below(3000))),
      'two connections cut as they begin': () => {
        let left = 2;
        proxy.treatNew((connection) => {
          if (left > 0) connection.truncateAfter(random.below(2000));
          left -= 1;
        });
        front.watches.forEach((watch) => watch.cut());
      },
      stall: () => front.watches.forEach((watch) => watch.stall()),
      'late and slow answers': () =>
        proxy.connections.forEach((connection) => {
          connection.delay(30);
          connection.throttle(200_000);
        }),
      '410 in the stream': () => front.watches.forEach((watch) => watch.say(`{"type":"ERROR","object":${goneStatus}}`)),
      '410 instead of a watch': () => {
        front.answerNext(isWatch, { status: 410, body: goneStatus });
        front.watches.forEach((watch) => watch.end());
      },
      '410 between two pages': () => {
        front.answerNext(({ url }) => url.searchParams.has('continue'), { status: 410, body: goneStatus });
        front.watches.forEach((watch) => watch.say(`{"type":"ERROR","object":${goneStatus}}`));
      },
      '500 instead of a watch': () => {
        front.answerNext(isWatch, { status: 500, body: 'down for a moment' });
        front.watches.forEach((watch) => watch.cut());
      },
      'something unreadable': () => front.watches.forEach((watch) => watch.say('<html>')),
      'a page of something else': () => {
        front.answerNext(({ isWatch: is }) => !is, { status: 200, headers: { 'content-type': 'text/html' }, body: '<html>' });
        front.watches.forEach((watch) => watch.say('<html>'));
      },
    };
    const inTurn = Array.from({ length: rounds }, () => Object.keys(faults)).flat();
    const storm = new AbortController();
    const trouble = async (): Promise<void> => {
      for (const kind of inTurn) {
        await waitFor(() => front.watches.length > 0, { what: `a watch to spoil by ${kind}`, deadlineMs: 60_000 });
        // Some changes come through before the next, or none.
        const enough = changes + random.below(20);
        await waitFor(() => changes >= enough, { what: 'changes', deadlineMs: 60_000 });
        faults[kind]?.();
      }
    };
    let changes = 0;
    const change = async (): Promise<void> => {
      const name = names[random.below(names.length)] ?? '';
      await (random.below(10) === 0 ? remove(name) : write(name, `value-${changes}`));
    };
    const started = performance.now();
    const blow = async (): Promise<void> => {
      while (!storm.signal.aborted) {
        changes += 1;
        await change();
        const ahead = (changes / 200) * 1000 - (performance.now() - started);
        if (ahead > 0) await pause(ahead);
      }
    };
    const writers = Array.from({ length: 4 }, blow);
    await trouble().finally(() => storm.abort());
    await Promise.all(writers);
    const rate = changes / ((performance.now() - started) / 1000);

    const state = await serverState();
    const expected = new Map(targets.map(({ manifest: { key, object } }) => [key, versionIn(state, object.metadata.name)]));
    const seen = (): ReadonlyMap<ResourceKey, string> => new Map(targets.map(({ manifest: { key } }) => [key, readingText(cache, key)]));
    await waitFor(() => JSON.stringify([...seen()]) === JSON.stringify([...expected]), { what: `the state of the server (seed ${random.seed})` }).catch(() => undefined);
    expect(seen(), `seed ${random.seed}`).toEqual(expected);
    expect(new Map(targets.map(({ manifest: { key } }) => [key, watched.lastTold(key)])), 'what was told last').toEqual(expected);
    const contents = targets.map(({ manifest: { key } }) => cache.reading(key)).flatMap((reading) => (reading.type === 'live' ? [reading.live.object] : []));
    const here = contents.filter(({ metadata }) => state.has(metadata.name));
    expect(here).toEqual(here.map(({ metadata }) => ({ ...state.get(metadata.name), apiVersion: 'v1', kind: 'ConfigMap' })));
    // Those that were made anew and not changed since have no journal.
    const lastSteps = targets.flatMap(({ manifest: { key } }) => cache.journalOf(key).slice(-1).map(({ resourceVersion }) => [key, resourceVersion] as const));
    expect(lastSteps.length).toBeGreaterThan(10);
    expect(new Map(lastSteps)).toEqual(new Map(lastSteps.map(([key]) => [key, expected.get(key)])));
    expect(watched.log.lines.filter(({ level }) => level === 'error')).toEqual([]);
    process.stderr.write(`watch faults: ${changes} changes (${rate.toFixed(0)}/s), ${inTurn.length} faults, ${watched.told.length} told, seed ${random.seed}\n`);
  });
});

describe('what happened in a gap that only a list can close', () => {
  test('is found: changed, deleted, made and made again', async () => {
    const names = ['gap-changed', 'gap-deleted', 'gap-same', 'gap-again'];
    await Promise.all(names.map((name) => write(name, 'before')));
    const targets = new Map([...names, 'gap-made'].map((name) => [name, target(configMap(name))]));
    await using watched = await behindFront([...targets.values()]);
    const { cache, front } = watched;
    const keyOf = (name: string): ResourceKey => targets.get(name)?.manifest.key ?? ('' as ResourceKey);
    const uidOf = (name: string): unknown => {
      const reading = cache.reading(keyOf(name));
      return reading.type === 'live' ? reading.live.object.metadata['uid'] : undefined;
    };
    await write('gap-same', 'seen');
    await shows(watched, keyOf('gap-same'), await versionOf('gap-same'));
    const [firstUid, told] = [uidOf('gap-again'), watched.told.length];
    const before = new Date();
    for (const watch of front.watches) watch.stall();
    await write('gap-changed', 'after', 'another');
    await remove('gap-deleted');
    await remove('gap-again');
    await write('gap-again', 'before');
    await write('gap-made', 'after');
    expect(watched.told.length).toBe(told);

    const compacted = BigInt(await versionOf('gap-made'));
    front.answerAll((request) => isWatch(request) && BigInt(request.url.searchParams.get('resourceVersion') ?? 0) < compacted, { status: 410, body: goneStatus });
    for (const connection of watched.proxy.connections) connection.reset();
    await shows(watched, keyOf('gap-deleted'), 'absent');
    expect(readingText(cache, keyOf('gap-made'))).toBe(String(compacted));
    expect(readingText(cache, keyOf('gap-changed'))).toBe(await versionOf('gap-changed'));
    expect(uidOf('gap-again')).not.toBe(firstUid);
    expect(new Set(watched.told.slice(told).map(({ key }) => key))).toEqual(new Set(['gap-changed', 'gap-deleted', 'gap-again', 'gap-made'].map(keyOf)));

    const [step] = cache.journalOf(keyOf('gap-changed'));
    expect(step).toMatchObject({ writers: expect.arrayContaining([expect.objectContaining({ manager: 'another' })]) as unknown, paths: ['data.value'] });
    expect(Date.parse(step?.notBefore ?? '')).toBeLessThanOrEqual(before.getTime());
    expect(Date.parse(step?.seenAt ?? '')).toBeGreaterThanOrEqual(before.getTime());
    expect(cache.journalOf(keyOf('gap-again'))).toEqual([]);
  });

  test('is found after a real 410 of the API server too', async () => {
    const group = `${namespace.name}.example.org`;
    const schema = { openAPIV3Schema: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true } };
    await admin.apply(
      JSON.stringify({
        apiVersion: 'apiextensions.k8s.io/v1',
        kind: 'CustomResourceDefinition',
        metadata: { name: `things.${group}` },
        spec: { group, scope: 'Namespaced', names: { kind: 'Thing', plural: 'things' }, versions: [{ name: 'v1', served: true, storage: true, schema }] },
      }),
    );
    try {
      await admin.kubectl(['wait', '--for=condition=Established', `crd/things.${group}`, '--timeout=50s']);
      const thing = (name: string): JsonObject => ({ apiVersion: `${group}/v1`, kind: 'Thing', metadata: { name, namespace: namespace.name } });
      await waitFor(() => admin.apply(JSON.stringify(thing('a'))).then(() => true), { what: 'the first Thing' });
      await using anybody = await watchCluster(admin.kubeconfig);
      const wanted = await waitFor(() => targetsIn(anybody.cluster, namespace.name).then((of) => [of(thing('a')), of(thing('b'))]), { what: 'discovery of Thing' });
      await using watched = await behindFront(wanted);
      const [gone, made] = wanted.map(({ manifest }) => manifest.key) as [ResourceKey, ResourceKey];
      for (const watch of watched.front.watches) watch.stall();
      await admin.kubectl(['delete', 'things', 'a', '-n', namespace.name]);
      await admin.apply(JSON.stringify(thing('b')));
      // From before the kind was served: the API server itself says that this is too old.
      watched.front.answerNext(isWatch, { pass: { resourceVersion: '1' } });
      const asked = watched.front.requests.length;
      for (const connection of watched.proxy.connections) connection.reset();
      await shows(watched, gone, 'absent');
      expect(watched.front.requests.slice(asked, asked + 2).map((request) => isWatch(request))).toEqual([true, false]);
      expect(watched.cache.reading(made)).toMatchObject({ type: 'live' });
    } finally {
      await admin.kubectl(['delete', 'crd', `things.${group}`, '--wait=false']);
    }
  });
});

describe('a watch', () => {
  test('that stalls half open is given up, and what was missed is seen', async () => {
    const wanted = target(configMap('stalled'));
    await write('stalled', 'before');
    await using watched = await behindFront([wanted], { pacing: { idleMs: 500 } });
    for (const connection of watched.proxy.connections) connection.stall();
    await write('stalled', 'after');
    await shows(watched, wanted.manifest.key, await versionOf('stalled'));
    expect(watched.front.requests.filter(({ isWatch: is }) => is).length).toBeGreaterThan(1);
    expect(watched.cache.journalOf(wanted.manifest.key)[0]?.notBefore).toBeDefined();
  });

  test('that ends goes on from where it was, without a list', async () => {
    const wanted = target(configMap('resumed'));
    await using watched = await behindFront([wanted]);
    const lists = (): number => watched.front.requests.filter(({ isWatch: is, url }) => !is && url.pathname.endsWith('/configmaps')).length;
    const before = lists();
    for (let turn = 1; turn <= 5; turn += 1) {
      await write('resumed', `value-${turn}`);
      await shows(watched, wanted.manifest.key, await versionOf('resumed'));
      for (const watch of watched.front.watches) watch.end();
      await waitFor(() => watched.front.watches.length > 0, { what: 'the next watch' });
    }
    expect(lists()).toBe(before);
    expect(watched.front.requests.at(-1)?.url.searchParams.get('resourceVersion')).toBe(await versionOf('resumed'));
    expect(watched.cache.journalOf(wanted.manifest.key).some(({ notBefore }) => notBefore !== undefined)).toBe(false);
  });

  test('that ends again and again as soon as it began is asked for less and less often', async () => {
    await using watched = await behindFront([target(configMap('any'))], { random: () => 0.999, pacing: { backoff: { baseMs: 50, maxMs: 400 } } });
    for (let turn = 0; turn < 6; turn += 1) watched.front.answerNext(isWatch, { status: 200 });
    for (const watch of watched.front.watches) watch.end();
    await waitFor(() => watched.front.unused === 0 && watched.front.watches.length > 0, { what: 'a watch that lasts' });
    const times = watched.front.requests.filter(({ isWatch: is }) => is).map(({ at }) => at);
    const waits = times.slice(-6).map((at, index, all) => at - (all[index - 1] ?? times.at(-7) ?? 0));
    for (const [index, least] of [50, 100, 200, 400, 400, 400].entries()) expect(waits[index]).toBeGreaterThan(least * 0.9);
  });

  test('that is refused for being too many waits as long as the server asks for', async () => {
    await using watched = await behindFront([target(configMap('any'))]);
    watched.front.answerNext(isWatch, { status: 429, headers: { 'retry-after': '1' } });
    for (const watch of watched.front.watches) watch.end();
    await waitFor(() => watched.front.unused === 0 && watched.front.watches.length > 0, { what: 'a watch after the wait' });
    const [refused = 0, next = 0] = watched.front.requests.filter(({ isWatch: is }) => is).map(({ at }) => at).slice(-2);
    expect(next - refused).toBeGreaterThan(990);
  });

  test('of a version that the server never reached is not waited for in silence', async () => {
    const wanted = target(configMap('future'));
    await using watched = await behindFront([wanted], { pacing: { idleMs: 300 } });
    for (let turn = 0; turn < 2; turn += 1) watched.front.answerNext(isWatch, { pass: { resourceVersion: '999999999999' } });
    for (const watch of watched.front.watches) watch.end();
    await write('future', 'seen');
    await shows(watched, wanted.manifest.key, await versionOf('future'));
    expect(watched.front.unused).toBe(0);
  });

  test('goes on when those who listen fail', async () => {
    const wanted = target(configMap('heard'));
    await using watched = await behindFront([wanted], {
      digest() {
        throw new Error('no digest');
      },
    });
    watched.cache.onChange(() => {
      throw new Error('not interested');
    });
    for (const value of ['one', 'two']) {
      await write('heard', value);
      await shows(watched, wanted.manifest.key, await versionOf('heard'));
    }
    expect(new Set(watched.log.lines.map(({ message }) => message))).toEqual(new Set(['an object could not be hashed', 'a change could not be passed on']));
  });
});

describe('a cluster that is out of reach', () => {
  test('is trusted for a while, then no longer, and all is well when it is back', async () => {
    const wanted = target(configMap('outage'));
    const { key } = wanted.manifest;
    await write('outage', 'before');
    await using watched = await behindFront([wanted], { pacing: { trustMs: 800 } });
    const before = readingText(watched.cache, key);
    await watched.proxy.refuse();
    await write('outage', 'after');
    expect(readingText(watched.cache, key)).toBe(before);
    await waitFor(() => watched.lastTold(key) === 'ClusterUnreachable', { what: 'it to be told that nothing is known' });
    expect(watched.cache.reading(key)).toMatchObject({ message: expect.stringMatching(/not seen since \d{4}-.*refused/) as unknown });
    expect(watched.cache.collections()).toMatchObject([{ state: 'retrying' }]);
    await watched.proxy.accept();
    await shows(watched, key, await versionOf('outage'));
    await waitFor(() => watched.lastTold(key) === readingText(watched.cache, key), { what: 'it to be told' });
    await waitFor(() => watched.log.lines.some(({ level }) => level === 'info'), { what: 'the good news' });
    const worth = watched.log.lines.filter(({ message }) => message.startsWith('watch ')).map(({ level, message }) => `${level} ${message}`);
    expect(worth).toEqual(['warn watch does not work', 'info watch works again']);
  });

  test('from the start leaves nobody waiting, and comes into sight when it is there', async () => {
    const wanted = target(configMap('late'));
    await write('late', 'there');
    await using proxy = await startFaultProxy({ host: apiServer.hostname, port: Number(apiServer.port) });
    await using watched = await watchCluster(await kubeconfigVia(admin, proxy.port), { pacing: hasty });
    await proxy.refuse();
    watched.cache.track([wanted]);
    await watched.cache.settled(signal);
    expect(readingText(watched.cache, wanted.manifest.key)).toBe('ClusterUnreachable');
    await proxy.accept();
    await shows(watched, wanted.manifest.key, await versionOf('late'));
  });

  test('for want of credentials says so', async () => {
    const elsewhere = target({ ...configMap('late'), metadata: { name: 'late', namespace: 'default' } });
    await using watched = await behindFront([target(configMap('any'))]);
    for (let turn = 0; turn < 5; turn += 1) watched.front.answerNext(({ isWatch: is }) => !is, { status: 401 });
    watched.cache.track([elsewhere]);
    await shows(watched, elsewhere.manifest.key, 'absent');
    expect(watched.told.map(({ key, reading }) => `${key} ${reading}`)).toContain(`${elsewhere.manifest.key} ClusterUnauthorized`);
  });
});
