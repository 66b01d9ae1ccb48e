import type { KubeObject } from '../../model/index.ts';
import { managedEntries } from '../field-owners.ts';
import { fieldsPlace, withoutIdentity } from './fields-place.ts';
import { matchesGlob, type Glob } from './glob.ts';
import { anywhere } from './identity.ts';
import { leadsToEntry, type Path } from './path.ts';
import { pathPlace } from './path-place.ts';
import { combine, type Place } from './place.ts';

/** What is ignored of one object. */
export interface ObjectIgnores {
  readonly paths: readonly IgnoredPath[];
  /** Whatever of live they own, by its managed fields. */
  readonly managers: readonly Glob[];
}

export interface IgnoredPath {
  readonly path: Path;
  /** It begins at any depth where neither side has its first field at the root. */
  readonly floats: boolean;
}

/** The root of everything that is ignored; undefined: nothing is. */
export function rootPlace({ paths, managers }: ObjectIgnores, object: KubeObject, live: KubeObject): Place | undefined {
  const isAtRoot = ({ step }: Path): boolean =>
    [object, live].some((root) => Object.keys(root).some((key) => leadsToEntry(step, key, { object: root[key], live: undefined })));
  const ways = paths.map(({ path, floats }) => (floats && !isAtRoot(path) ? anywhere(path) : path));
  const isTrusted = (manager: string): boolean => managers.some((glob) => matchesGlob(glob, manager));
  const owned = managers.length === 0 ? [] : managedEntries(live).filter(({ owner }) => isTrusted(owner.manager));
  return combine([pathPlace(ways), ...owned.map(({ fields }) => fieldsPlace(withoutIdentity(fields)))]);
}
