// The local path of a comparison, with nobody to ask.
import type { Target } from '../../src/cluster/index.ts';
import { tagWith, type ComparedResource } from '../../src/diff/index.ts';
import { compareOne } from '../../src/reconcile/compare-one.ts';
import type { CompareContext } from '../../src/reconcile/comparison.ts';
import type { Prediction, Reading, Sight } from '../../src/reconcile/ports.ts';
import type { World } from './world.ts';

export const salt = 'bench';
export const tag = tagWith(salt);

/** What the server would say; where it is not given, that it was asked is all there is to know. */
export type Server = (target: Target) => Prediction | undefined;

export interface LocalComparison {
  readonly compared: ComparedResource | 'unsettled';
  readonly asked: boolean;
}

/** From the packed live object to the verdict, as `compareAll` does it where nothing is remembered. */
export async function compareLocally(target: Target, world: World, server?: Server): Promise<LocalComparison> {
  let asked = false;
  const answer = (): Promise<Prediction> => {
    asked = true;
    return Promise.resolve(server?.(target) ?? { type: 'unknown', code: 'ClusterError', message: 'nobody is asked here' });
  };
  const read = (): Promise<Reading> => Promise.reject(new Error('nothing changes meanwhile here'));
  const context: CompareContext = { cluster: { read, predict: answer, predictPatch: answer }, salt, tag, ignores: undefined, scaledBy: () => Promise.resolve(undefined), saw: undefined, signal: never };
  const sight = sightOf(target, world);
  const known = { reading: sight.reading(), journal: sight.journal(), schema: world.schemaOf(target)?.schema, recorded: undefined };
  return { compared: await compareOne(target, known, context), asked };
}

const never = new AbortController().signal;

function sightOf({ manifest }: Target, { watch }: World): Sight {
  const sight = watch.sight(manifest.key);
  if (sight === undefined) throw new Error(`${manifest.key} is out of sight`);
  return sight;
}
