import { parseResourceKey, SetpointError, type AppStatus, type ResourceKey } from '../model/index.ts';
import { parseResourceFilter } from './resource-filter.ts';
import { nearestName } from './status-nearest-name.ts';

/** The resources that patterns stand for; undefined where there are none: all. A pattern that matches nothing is a mistake. */
export function selectResources(patterns: readonly string[], keys: readonly ResourceKey[]): readonly ResourceKey[] | undefined {
  if (patterns.length === 0) return undefined;
  for (const pattern of patterns.filter((text) => !text.startsWith('!'))) {
    if (keys.some(parseResourceFilter([pattern]))) continue;
    const nearest = nearestName(pattern, keys.flatMap((key) => namesLike(pattern, key)));
    throw new SetpointError('Usage', `no resource matches --resource ${pattern}${nearest === undefined ? '' : `: did you mean ${nearest}?`}`);
  }
  const selected = keys.filter(parseResourceFilter(patterns));
  if (selected.length === 0) throw new SetpointError('Usage', `--resource ${patterns.join(' ')} leaves nothing to sync`);
  return selected;
}

/** Those that a status names: what differs, what is held, and what was applied once. Of what is as Git says and never was applied it says nothing. */
export function knownResources({ resources, held, inventory, unhealthy }: AppStatus): readonly ResourceKey[] {
  return [...new Set([...[...resources, ...held, ...unhealthy].map(({ key }) => key), ...(Object.keys(inventory) as ResourceKey[])])].toSorted();
}

/** A key in the words of a pattern: as many segments, in each way that they may be meant. */
function namesLike(pattern: string, key: ResourceKey): readonly string[] {
  const { group, kind, namespace, name } = parseResourceKey(key);
  switch (pattern.split('/').length) {
    case 2:
      return [`${kind}/${name}`];
    case 3:
      return [`${group}/${kind}/${name}`, `${kind}/${namespace}/${name}`];
    default:
      return [`${group}/${kind}/${namespace}/${name}`];
  }
}
