// An applier that writes nothing and remembers what it was asked for.
import type { KubeObject, ResourceKey, Step } from '../../../src/model/index.ts';
import type { Applier } from '../../../src/sync/index.ts';

type Result = Awaited<ReturnType<Applier['apply']>> | Awaited<ReturnType<Applier['remove']>>;

export interface RecordingApplier extends Applier {
  /** `apply a`, `remove b`, and `wrote a` or `wrote b: gone`, in their order. */
  readonly calls: readonly string[];
  /** How many were under way at the same time, at most. */
  readonly mostAtOnce: () => number;
}

interface Options {
  /** Undefined: it does as it was asked. */
  readonly answer?: (call: string, signal: AbortSignal) => Result | undefined | Promise<Result | undefined>;
  readonly mayWrite?: () => void;
  readonly untilEstablished?: Applier['untilEstablished'];
}

export function recordingApplier({ answer = () => undefined, mayWrite = () => undefined, untilEstablished = () => Promise.resolve(true) }: Options = {}): RecordingApplier {
  const calls: string[] = [];
  let [underWay, most] = [0, 0];
  const ask = async (call: string, signal: AbortSignal): Promise<Result | undefined> => {
    calls.push(call);
    underWay += 1;
    most = Math.max(most, underWay);
    try {
      // Others have a chance to begin.
      await Promise.resolve();
      return await answer(call, signal);
    } finally {
      underWay -= 1;
    }
  };
  const write = async (call: string, key: ResourceKey, signal: AbortSignal): Promise<never> =>
    ((await ask(`${call} ${nameOf(key)}`, signal)) ?? { type: 'applied', object: objectOf(key) }) as never;
  return {
    calls,
    mostAtOnce: () => most,
    mayWrite,
    apply: ({ key, replace }, signal) => write(replace === true ? 'replace' : 'apply', key, signal),
    create: ({ key, run }, signal) => write(run === undefined ? 'create' : `create ${run}`, key, signal),
    recreate: ({ key, uid, propagation }, signal) => write(`recreate ${uid} ${propagation}`, key, signal),
    async remove({ key, uid, propagation }, signal) {
      return ((await ask(`remove ${uid} ${propagation} ${nameOf(key)}`, signal)) ?? { type: 'deleted', left: null }) as never;
    },
    async untilEstablished(definition, options) {
      calls.push(`established ${definition.metadata.name} within ${options.withinMs}`);
      return untilEstablished(definition, options);
    },
    wrote: (key, object) => void calls.push(`wrote ${nameOf(key)}${object === null ? ': gone' : ''}`),
  };
}

export function objectOf(key: ResourceKey): KubeObject {
  return { apiVersion: 'v1', kind: key.split('/')[1] ?? '', metadata: { name: nameOf(key) } };
}

function nameOf(key: ResourceKey): string {
  return key.split('/').at(-1) ?? '';
}

export function applyOf(name: string, place: { readonly kind?: string; readonly wave?: number; readonly phase?: Step['phase'] } = {}): Step {
  const { kind = '/ConfigMap/shop', wave = 0, phase = 'Sync' } = place;
  return { type: 'apply', key: `${kind}/${name}` as ResourceKey, phase, wave, why: 'changed' };
}

export function stepOf<T extends Step['type']>(type: T, more: Omit<Extract<Step, { type: T }>, 'type' | 'key' | 'phase' | 'wave'>, name: string = type): Step {
  return { type, key: `batch/Job/shop/${name}` as ResourceKey, phase: 'Sync', wave: 0, ...more } as unknown as Step;
}
