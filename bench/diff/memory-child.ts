// A process with a live cache and nothing else. Arguments: a kubeconfig, and a file that lists the objects to watch.
import { readFile } from 'node:fs/promises';
import { createCluster, loadKubeconfig, type LiveCache, type Target } from '../../src/cluster/index.ts';
import { describeChange, liveDigest, type KindLookup } from '../../src/diff/index.ts';
import { resourceKey } from '../../src/model/index.ts';

export interface Cached {
  readonly apiVersion: string;
  readonly kind: string;
  readonly namespace: string;
  readonly name: string;
}

export interface MemoryUse {
  readonly objects: number;
  readonly perObject: number;
  readonly rssPerObject: number;
  readonly watches: number;
}


async function main(): Promise<MemoryUse> {
  const [, , kubeconfig = '', file = ''] = process.argv;
  const { signal } = new AbortController();
  const cluster = createCluster(await loadKubeconfig({ file: kubeconfig }));
  const log = { info: () => undefined, warn: () => undefined, error: (message: string, fields?: object) => void process.stderr.write(`${message} ${JSON.stringify(fields)}\n`) };
  const open = (): LiveCache => cluster.watch({ digest: liveDigest, describeChange, log, now: () => new Date() });
  const { lookUp } = await cluster.discover(signal);
  // Code that is compiled on the way does not grow with the number of objects: a first cache is for that.
  const first = open();
  await track(first, { file, lookUp });
  await first.close();
  const before = await use();
  const cache = open();
  const objects = await track(cache, { file, lookUp });
  const after = await use();
  const watches = cache.collections().length;
  await cluster.close();
  return { objects, watches, perObject: (after.held - before.held) / objects, rssPerObject: (after.rss - before.rss) / objects };
}

interface What {
  readonly file: string;
  readonly lookUp: KindLookup;
}

/** Nothing but the cache holds on to what is read here. */
async function track(cache: LiveCache, { file, lookUp }: What): Promise<number> {
  const listed = JSON.parse(await readFile(file, 'utf8')) as readonly Cached[];
  const targets = listed.map((object) => targetOf(object, lookUp));
  cache.track(targets);
  await cache.settled(new AbortController().signal);
  const missing = targets.filter(({ manifest }) => cache.reading(manifest.key).type !== 'live');
  if (missing.length > 0) throw new Error(`${missing.length} of ${targets.length} objects are not live`);
  return targets.length;
}

function targetOf({ apiVersion, kind, namespace, name }: Cached, lookUp: KindLookup): Target {
  const found = lookUp(apiVersion, kind);
  if (found.type !== 'served') throw new Error(`${kind} is ${found.type}`);
  const key = resourceKey({ group: found.kind.group, kind, namespace: found.kind.namespaced ? namespace : '', name });
  return { manifest: { key, origin: '', object: { apiVersion, kind, metadata: { name } } }, kind: found.kind };
}

async function use(): Promise<{ readonly held: number; readonly rss: number }> {
  const { gc } = globalThis;
  if (gc === undefined) throw new Error('run with --expose-gc');
  for (let round = 0; round < 5; round++) {
    gc();
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  // What array buffers hold is part of `external`.
  const { heapUsed, external, rss } = process.memoryUsage();
  return { held: heapUsed + external, rss };
}

process.stdout.write(JSON.stringify(await main()));
