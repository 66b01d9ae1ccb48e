import type { KubeObject, Schema } from '../../model/index.ts';
import { neutraliseAt } from './neutralise.ts';
import { keepsWholes } from './position.ts';
import { readEntry } from './read-entry.ts';

interface Left {
  /** As differences are called. */
  readonly names: readonly string[];
  readonly schema: Schema | undefined;
}

/** The object in which these places are as live has them. Throws where one of them cannot be left. */
export function leftAsLive(object: KubeObject, live: KubeObject, { names, schema }: Left): KubeObject {
  const paths = names.flatMap((name) => readEntry('paths', name.startsWith('[') ? name : `.${name}`).paths);
  return neutraliseAt({ object, live, ignores: { paths, managers: [] } }, keepsWholes(schema ?? { type: 'any' }));
}
