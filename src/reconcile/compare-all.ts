import { agreedStateOf, compareObjects, hashWith, identify, isSecret, predictSecret, type ComparedResource } from '../diff/index.ts';
import { fieldManager, type Diff, type SourceDocument } from '../model/index.ts';
import type { ClusterPort, Target } from './ports.ts';

export interface Comparison {
  readonly compared: readonly ComparedResource[];
  readonly targets: readonly Target[];
}

interface CompareOptions {
  readonly cluster: Pick<ClusterPort, 'discover' | 'read' | 'predict'>;
  readonly namespace: string;
  readonly salt: string;
  readonly signal: AbortSignal;
  readonly onProgress?: (done: number, total: number) => void;
}

// More buys nothing: the server's dry runs are as fast at 4 as at 16.
const concurrency = 4;

/** Every document against the cluster. One resource's trouble is its own; only a cluster out of reach ends the comparison. */
export async function compareAll(documents: readonly SourceDocument[], options: CompareOptions): Promise<Comparison> {
  const kinds = await options.cluster.discover(options.signal);
  const { manifests, refused } = identify(documents, kinds.lookUp, options.namespace);
  const results: ComparedResource[] = [];
  let next = 0;
  const work = async (): Promise<void> => {
    for (let target = manifests[next++]; target !== undefined; target = manifests[next++]) {
      results.push(await compareOne(target, options));
      options.onProgress?.(results.length, manifests.length);
    }
  };
  await Promise.all(Array.from({ length: concurrency }, work));
  const compared = [...results, ...refused.map((diff) => ({ diff, state: null }))];
  return { compared: compared.toSorted((a, b) => (a.diff.key < b.diff.key ? -1 : 1)), targets: manifests };
}

const tries = 3;

async function compareOne(target: Target, options: CompareOptions): Promise<ComparedResource> {
  const { key, origin } = target.manifest;
  for (let attempt = 0; attempt < tries; attempt++) {
    const result = await tryCompare(target, options);
    if (result !== 'unsettled') return result;
  }
  const message = 'it changes faster than it can be compared';
  return { diff: { type: 'unknown', key, origin, code: 'ObjectUnsettled', message }, state: null };
}

async function tryCompare(target: Target, { cluster, salt, signal }: CompareOptions): Promise<ComparedResource | 'unsettled'> {
  const { manifest, kind } = target;
  const { key, origin, object: desired } = manifest;
  const reading = await cluster.read(target, signal);
  if (reading.type === 'absent') {
    const diff = compareObjects(manifest, { live: undefined, predicted: desired, hasStatus: kind.hasStatus });
    return { diff, state: null };
  }
  if (reading.type !== 'live') return { diff: { ...reading, key, origin } as Diff, state: null };
  const { live } = reading;
  const prediction = isSecret(live.object)
    ? { type: 'predicted' as const, object: predictSecret(live.object, desired, fieldManager) }
    : await cluster.predict(target, signal);
  if (prediction.type !== 'predicted') return { diff: { ...prediction, key, origin } as Diff, state: null };
  // The server predicts from what it holds now; if that is no longer what we read, the two do not belong together.
  if (prediction.object.metadata['resourceVersion'] !== live.resourceVersion) return 'unsettled';
  const diff = compareObjects(manifest, { live, predicted: prediction.object, hasStatus: kind.hasStatus });
  return { diff, state: agreedStateOf({ desired, live: live.object, hasStatus: kind.hasStatus }, hashWith(salt)) };
}
