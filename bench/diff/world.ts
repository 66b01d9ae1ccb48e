// A cluster with the sets deployed by the product itself, and the product's own view of it.
import { setTimeout as pause } from 'node:timers/promises';
import { createCluster, followWith, loadKubeconfig, type Cluster, type LiveCache, type Target } from '../../src/cluster/index.ts';
import { describeChange, identify, liveDigest } from '../../src/diff/index.ts';
import { displayKey, type KubeObject, type ResourceKey, type SourceDocument } from '../../src/model/index.ts';
import type { WatchPort } from '../../src/reconcile/index.ts';
import type { KindSchema } from '../../src/reconcile/ports.ts';
import { getCluster } from '../../test/support/cluster/get-cluster.ts';
import type { TestCluster } from '../../test/support/cluster/test-cluster.ts';
import type { BenchOptions } from '../bench.ts';
import { eachOf } from '../each-of.ts';
import { exampleSet, generatedSet, type DocumentSet } from './sets.ts';
import { isSettled, settles } from './settled.ts';

export interface World extends AsyncDisposable {
  readonly admin: TestCluster;
  /** The whole cluster port, with discovery as a process that stays has it. */
  readonly cluster: Cluster;
  readonly cache: LiveCache;
  readonly watch: WatchPort;
  readonly sets: readonly DeployedSet[];
  /** Of both sets: what a look is given. */
  readonly documents: readonly SourceDocument[];
  readonly targets: readonly Target[];
  schemaOf(target: Target): KindSchema | undefined;
  /** The live side from the cache, unpacked. */
  liveOf(target: Target): { readonly object: KubeObject; readonly resourceVersion: string };
}

export interface DeployedSet extends DocumentSet {
  readonly targets: readonly Target[];
}

const silent = { info: () => undefined, warn: () => undefined, error: () => undefined, debug: () => undefined };

export async function openWorld(options: BenchOptions): Promise<World> {
  const { quick, signal, say } = options;
  await using undo = new AsyncDisposableStack();
  say('starting a control plane');
  const admin = undo.adopt(await getCluster(), (cluster) => cluster.stop());
  signal.throwIfAborted();
  await admin.kubectl(['label', 'nodes', '--selector', '!kubernetes.io/os', 'kubernetes.io/os=linux']);
  const connected = undo.adopt(createCluster(await loadKubeconfig({ file: admin.kubeconfig })), (cluster) => cluster.close());
  const now = (): Date => new Date();
  const definitions = connected.watchDefinitions({ log: silent, now });
  const cluster = { ...connected, discover: definitions.discover };

  const makeNamespace = async (): Promise<string> => undo.use(await admin.createNamespace()).name;
  const sets = [await exampleSet(makeNamespace), await generatedSet(makeNamespace, quick ? 1 : 5)];
  const documents = sets.flatMap((set) => set.documents);
  // What is not in a namespace does not go with one; an aggregated API that does not answer would keep namespaces from going at all.
  undo.defer(() => removeClusterScoped(admin, documents));

  const definers = documents.filter(({ object }) => object.kind === 'CustomResourceDefinition');
  say(`applying ${documents.length} objects`);
  await applyAll(connected, await targetsOf(connected, definers, signal), signal);
  const targets = await targetsOf(connected, documents, signal);
  await applyAll(connected, targets, signal);

  const cache = connected.watch({ digest: liveDigest, describeChange, log: silent, now });
  cache.track(targets);
  await cache.settled(signal);
  say('waiting until the controllers are done');
  await untilQuiet(cache, targets, options);
  const schemas = new Map<ResourceKey, KindSchema | undefined>();
  for (const target of targets) schemas.set(target.manifest.key, await cluster.schemaOf(target.kind, signal));

  const ending = undo.move();
  const inSet = (set: DocumentSet): DeployedSet => {
    const origins = new Set(set.documents.map(({ origin }) => origin));
    return { ...set, targets: targets.filter(({ manifest }) => origins.has(manifest.origin)) };
  };
  return {
    admin,
    cluster,
    cache,
    watch: followWith(cache, definitions),
    sets: sets.map(inSet),
    documents,
    targets,
    schemaOf: ({ manifest }) => schemas.get(manifest.key),
    liveOf({ manifest }) {
      const reading = cache.reading(manifest.key);
      if (reading.type !== 'live') throw new Error(`${manifest.key} is ${reading.type}, not live`);
      return reading.live;
    },
    [Symbol.asyncDispose]: () => ending.disposeAsync(),
  };
}

async function targetsOf(cluster: Cluster, documents: readonly SourceDocument[], signal: AbortSignal): Promise<readonly Target[]> {
  const served = async (): Promise<readonly Target[] | undefined> => {
    const { lookUp } = await cluster.discover(signal);
    const { manifests, refused } = identify(documents, lookUp, 'default');
    const [first] = refused;
    if (first !== undefined && first.type === 'invalid' && !first.message.includes('not served')) throw new Error(`${first.key}: ${first.message}`);
    const kinds = new Map(manifests.map(({ kind }) => [`${kind.group}/${kind.kind}`, kind]));
    const schemas = await Promise.all(kinds.values().map((kind) => cluster.schemaOf(kind, signal)));
    return refused.length === 0 && !schemas.includes(undefined) ? manifests : undefined;
  };
  const deadline = performance.now() + 60_000;
  for (;;) {
    const targets = await served();
    if (targets !== undefined) return targets;
    if (performance.now() > deadline) throw new Error('not all kinds are served with their schemas, after 60 s');
    await pause(200, undefined, { signal });
  }
}

async function applyAll(cluster: Cluster, targets: readonly Target[], signal: AbortSignal): Promise<void> {
  await eachOf(targets, 4, async (target) => {
    const applied = await cluster.apply(target, { force: true, signal });
    if (applied.type !== 'applied') throw new Error(`${target.manifest.key} was not applied: ${JSON.stringify(applied)}`);
  });
}

const patienceMs = 120_000;

/** Rollouts are done, claims are bound, and nothing that a comparison looks at has changed for a while. */
async function untilQuiet(cache: LiveCache, targets: readonly Target[], { quick, signal, say }: BenchOptions): Promise<void> {
  const quietMs = quick ? 2000 : 5000;
  const start = performance.now();
  let changedAt = start;
  const forget = cache.onChange(() => (changedAt = performance.now()));
  let waiting = targets.filter(({ kind }) => settles(kind.kind)).map(({ manifest }) => manifest.key);
  try {
    while (waiting.length > 0 || performance.now() - changedAt < quietMs) {
      await pause(500, undefined, { signal });
      waiting = waiting.filter((key) => {
        const reading = cache.reading(key);
        return reading.type !== 'live' || !isSettled(reading.live.object);
      });
      if (performance.now() - start < patienceMs) continue;
      // Where pods cannot run, all else is as it would be.
      say(`going on, though the controllers are not done with ${waiting.map(displayKey).join(', ') || 'something that keeps changing'}`);
      return;
    }
  } finally {
    forget();
  }
}

async function removeClusterScoped(admin: TestCluster, documents: readonly SourceDocument[]): Promise<void> {
  const items = documents.map(({ object }) => object).filter(({ kind, metadata }) => metadata.namespace === undefined && kind !== 'Namespace');
  if (items.length === 0) return;
  await admin.kubectl(['delete', '--ignore-not-found', '--wait=false', '-f', '-'], JSON.stringify({ apiVersion: 'v1', kind: 'List', items }));
}
