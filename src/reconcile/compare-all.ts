import {
  agreedStateOf,
  compareObjects,
  hashWith,
  identify,
  isSecret,
  predictSecret,
  prove,
  type ComparedResource,
} from '../diff/index.ts';
import { fieldManager, type AgreedState, type Diff, type KubeObject, type Schema, type ServedKind, type SourceDocument } from '../model/index.ts';
import type { ClusterPort, Reading, Target } from './ports.ts';

export interface Comparison {
  readonly compared: readonly ComparedResource[];
  readonly targets: readonly Target[];
}

interface CompareOptions {
  readonly cluster: Pick<ClusterPort, 'discover' | 'schemaOf' | 'read' | 'readMany' | 'predict'>;
  readonly namespace: string;
  readonly salt: string;
  readonly signal: AbortSignal;
  /** From how many objects of an API version on its schema is worth fetching: it costs as much as some ten dry runs. */
  readonly proveFrom: number;
  readonly onProgress?: (done: number, total: number) => void;
}

// More buys nothing: the server's dry runs are as fast at 4 as at 16.
const concurrency = 4;

/** Every document against the cluster. One resource's trouble is its own; only a cluster out of reach ends the comparison. */
export async function compareAll(documents: readonly SourceDocument[], options: CompareOptions): Promise<Comparison> {
  const kinds = await options.cluster.discover(options.signal);
  const { manifests, refused } = identify(documents, kinds.lookUp, options.namespace);
  const perVersion = Map.groupBy(manifests, ({ manifest }) => manifest.object.apiVersion);
  const worthProving = ({ manifest }: Target): boolean => (perVersion.get(manifest.object.apiVersion)?.length ?? 0) >= options.proveFrom;
  const readings = await options.cluster.readMany(manifests, options.signal);
  const results: ComparedResource[] = [];
  let next = 0;
  const work = async (): Promise<void> => {
    for (let target = manifests[next++]; target !== undefined; target = manifests[next++]) {
      results.push(await compareOne(target, { ...options, reading: readings.get(target.manifest.key), proveFirst: worthProving(target) }));
      options.onProgress?.(results.length, manifests.length);
    }
  };
  await Promise.all(Array.from({ length: concurrency }, work));
  const compared = [...results, ...refused.map((diff) => ({ diff, state: null }))];
  return { compared: compared.toSorted((a, b) => (a.diff.key < b.diff.key ? -1 : 1)), targets: manifests };
}

const tries = 3;

interface CompareOneOptions extends CompareOptions {
  /** What is known already; undefined: to be read. */
  readonly reading: Reading | undefined;
  readonly proveFirst: boolean;
}

async function compareOne(target: Target, options: CompareOneOptions): Promise<ComparedResource> {
  const { key, origin } = target.manifest;
  for (let attempt = 0; attempt < tries; attempt++) {
    const result = await tryCompare(target, attempt === 0 ? options : { ...options, reading: undefined });
    if (result !== 'unsettled') return result;
  }
  const message = 'it changes faster than it can be compared';
  return { diff: { type: 'unknown', key, origin, code: 'ObjectUnsettled', message }, state: null };
}

async function tryCompare(target: Target, options: CompareOneOptions): Promise<ComparedResource | 'unsettled'> {
  const { cluster, salt, signal, proveFirst } = options;
  const { manifest, kind } = target;
  const { key, origin, object: desired } = manifest;
  const { hasStatus } = kind;
  const reading = options.reading ?? (await cluster.read(target, signal));
  if (reading.type === 'absent') return { diff: compareObjects(manifest, { live: undefined, predicted: desired, hasStatus }), state: null };
  if (reading.type !== 'live') return { diff: { ...reading, key, origin } as Diff, state: null };

  const { live } = reading;
  const state = (): AgreedState => agreedStateOf({ desired, live: live.object, hasStatus }, hashWith(salt));
  const compared = (predicted: KubeObject): ComparedResource => ({ diff: compareObjects(manifest, { live, predicted, hasStatus }), state });
  const isProven = async (): Promise<boolean> => prove(desired, live.object, await schemaFor(kind, options)) === 'equal';
  if (isSecret(live.object)) return compared(predictSecret(live.object, desired, fieldManager));
  if (proveFirst && (await isProven())) return compared(live.object);
  const prediction = await cluster.predict(target, signal);
  if (prediction.type === 'unknown' && prediction.code === 'Forbidden' && !proveFirst && (await isProven())) return compared(live.object);
  if (prediction.type !== 'predicted') return { diff: { ...prediction, key, origin } as Diff, state: null };
  // The server predicts from what it holds now; if that is no longer what we read, the two do not belong together.
  if (prediction.object.metadata['resourceVersion'] !== live.resourceVersion) return 'unsettled';
  return compared(prediction.object);
}

/** Without a schema nothing is proven, and the server is asked: a schema that cannot be had costs time only. */
async function schemaFor(kind: ServedKind, { cluster, signal }: CompareOptions): Promise<Schema | undefined> {
  return cluster.schemaOf(kind, signal).catch(() => undefined);
}
