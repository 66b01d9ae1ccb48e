import type { KubeObject } from '../../model/index.ts';
import { neutralise } from './neutralise.ts';
import { readEntry } from './read-entry.ts';

/** The object in which these places, called as differences are, are as live has them. Throws where one of them cannot be left. */
export function leftAsLive(object: KubeObject, live: KubeObject, names: readonly string[]): KubeObject {
  const paths = names.flatMap((name) => readEntry('paths', name.startsWith('[') ? name : `.${name}`).paths);
  return neutralise(object, live, { ignores: { paths, managers: [] }, fillIn: false });
}
