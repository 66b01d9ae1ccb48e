import { leadsToEntry, leadsToItem, type Path } from './path.ts';
import { whollyIgnored, type Place } from './place.ts';

/** The place at which paths have arrived, each with the rest of its way; undefined: it is ignored. */
export function pathPlace(ways: readonly (Path | undefined)[]): Place | undefined {
  if (ways.length === 0) return undefined;
  if (ways.some(endsHere)) return whollyIgnored;
  const open = new Set<Path>();
  for (const way of ways) addOpen(open, way);
  const keyOf = ({ step }: Path): string | undefined => (step.type === 'key' || step.type === 'token' ? step.key : undefined);
  const byKey = Map.groupBy(open, keyOf);
  const tested = byKey.get(undefined) ?? [];
  const namedAt = (key: string): readonly Path[] => byKey.get(key) ?? [];
  return {
    ignored: false,
    entry: (key, sides) => pathPlace([...namedAt(key), ...tested.filter(({ step }) => leadsToEntry(step, key, sides))].map(onwards)),
    item: (sides) => pathPlace(tested.filter(({ step }) => leadsToItem(step, sides)).map(onwards)),
    at: (index) => pathPlace(namedAt(String(index)).filter(({ step }) => step.type === 'token').map(onwards)),
    itemFields: tested.flatMap(({ step }) => (step.type === 'where' ? step.conditions.map(({ field }) => field) : [])),
  };
}

/** A way that begins with any number of levels may begin with none. */
function addOpen(open: Set<Path>, way: Path | undefined): void {
  for (let path = way; path !== undefined && !open.has(path); path = path.step.type === 'deep' ? path.rest : undefined) open.add(path);
}

function endsHere(way: Path | undefined): boolean {
  let path = way;
  while (path?.step.type === 'deep') path = path.rest;
  return path === undefined;
}

function onwards(path: Path): Path | undefined {
  return path.step.type === 'deep' ? path : path.rest;
}
