// A cluster seen through the product's live cache, with a record of all that it told.
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createCluster, loadKubeconfig, type Cluster, type LiveCache, type Target } from '../../src/cluster/index.ts';
import { describeChange, identify, liveDigest } from '../../src/diff/index.ts';
import type { JsonObject, KubeObject, ResourceKey } from '../../src/model/index.ts';
import type { TestCluster } from './cluster/test-cluster.ts';
import { recordingLog, type RecordingLog } from './recording-log.ts';

type WatchOptions = Parameters<Cluster['watch']>[0];

export interface WatchedCluster extends AsyncDisposable {
  readonly cluster: Cluster;
  readonly cache: LiveCache;
  readonly log: RecordingLog;
  /** Every change that was told, with the resourceVersion that could be read then, or what else could. */
  readonly told: readonly { readonly key: ResourceKey; readonly reading: string }[];
  /** The last of them about an object. */
  lastTold(key: ResourceKey): string | undefined;
}

export async function watchCluster(kubeconfig: string, options: Partial<WatchOptions> = {}): Promise<WatchedCluster> {
  const cluster = createCluster(await loadKubeconfig({ file: kubeconfig }));
  const log = recordingLog();
  const cache = cluster.watch({ digest: liveDigest, describeChange, log, now: () => new Date(), ...options });
  const told: { readonly key: ResourceKey; readonly reading: string }[] = [];
  const last = new Map<ResourceKey, string>();
  cache.onChange((key) => {
    const reading = readingText(cache, key);
    told.push({ key, reading });
    last.set(key, reading);
  });
  return { cluster, cache, log, told, lastTold: (key) => last.get(key), [Symbol.asyncDispose]: () => cluster.close() };
}

/** The resourceVersion of a live object, `absent`, or why it cannot be read. */
export function readingText(cache: LiveCache, key: ResourceKey): string {
  const reading = cache.reading(key);
  if (reading.type === 'live') return reading.live.resourceVersion;
  return reading.type === 'absent' ? 'absent' : reading.code;
}

/** What the cluster serves, asked once. */
export async function targetsIn(cluster: Cluster, namespace: string): Promise<(object: JsonObject) => Target> {
  const { lookUp } = await cluster.discover(new AbortController().signal);
  return (object) => {
    const { manifests, refused } = identify([{ origin: 'test#1', object: object as KubeObject }], lookUp, namespace);
    const [found] = manifests;
    if (found === undefined) throw new Error(JSON.stringify(refused));
    return found;
  };
}

/** The admin's kubeconfig, by another way to the same server. */
export async function kubeconfigVia(admin: TestCluster, port: number, authority?: string): Promise<string> {
  const config = JSON.parse(await admin.kubectl(['config', 'view', '--raw', '--minify', '--flatten', '-o', 'json'])) as { clusters: [{ cluster: JsonObject }] };
  const [{ cluster }] = config.clusters;
  const trusted = authority === undefined ? {} : { 'certificate-authority-data': Buffer.from(authority).toString('base64') };
  const clusters = [{ ...config.clusters[0], cluster: { ...cluster, server: `https://127.0.0.1:${port}`, ...trusted } }];
  const file = join(admin.description.folder, `via-${port}.kubeconfig`);
  await writeFile(file, JSON.stringify({ ...config, clusters }), { mode: 0o600 });
  return file;
}

export async function serverOf(admin: TestCluster): Promise<URL> {
  return new URL(await admin.kubectl(['config', 'view', '--raw', '--minify', '-o', 'jsonpath={.clusters[0].cluster.server}']));
}
