import { parseResourceKey, type ResourceKey } from '../../model/index.ts';
import { scopeFor, type Scope } from './place.ts';

/** In how many namespaces the objects of one kind are, and where they are watched because of that. */
export interface Spread {
  readonly keys: ReadonlySet<ResourceKey>;
  add(key: ResourceKey): void;
  remove(key: ResourceKey): void;
  /** May not be watched in the whole cluster. */
  confine(): void;
  scope(): Scope;
  /** Whether the scope is another one than before. */
  settle(): boolean;
}

export function createSpread(): Spread {
  const keys = new Set<ResourceKey>();
  const namespaces = new Map<string, number>();
  let scope: Scope = 'namespace';
  let isConfined = false;
  const count = (key: ResourceKey, by: number): void => {
    const { namespace } = parseResourceKey(key);
    const after = (namespaces.get(namespace) ?? 0) + by;
    if (after > 0) namespaces.set(namespace, after);
    else namespaces.delete(namespace);
  };
  return {
    keys,
    add(key) {
      if (keys.has(key)) return;
      keys.add(key);
      count(key, 1);
    },
    remove(key) {
      if (keys.delete(key)) count(key, -1);
    },
    confine: () => void (isConfined = true),
    scope: () => scope,
    settle() {
      const before = scope;
      scope = isConfined ? 'namespace' : scopeFor({ namespaces: namespaces.size, before });
      return scope !== before;
    },
  };
}
