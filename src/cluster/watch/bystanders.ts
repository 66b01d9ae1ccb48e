import type { ResourceKey } from '../../model/index.ts';

/**
 * Which objects of a place do not matter, by name: nothing else is kept of them. One that begins to matter and is not among them is not
 * there, and nobody has to be asked for it.
 */
export interface Bystanders {
  /** A list begins: it will name all of them. */
  listing(): void;
  listed(): void;
  add(key: ResourceKey): void;
  remove(key: ResourceKey): void;
  /** Undefined where it cannot be told. */
  isThere(key: ResourceKey): boolean | undefined;
}

// About a hundred bytes each.
const mostNames = 50_000;

export function createBystanders(most: number = mostNames): Bystanders {
  const names = new Set<ResourceKey>();
  let isComplete = false;
  let isTooMany = false;
  return {
    listing() {
      names.clear();
      isComplete = false;
      isTooMany = false;
    },
    listed() {
      isComplete = !isTooMany;
    },
    add(key) {
      if (isTooMany) return;
      names.add(key);
      if (names.size <= most) return;
      names.clear();
      isTooMany = true;
      isComplete = false;
    },
    remove: (key) => void names.delete(key),
    isThere: (key) => (isComplete ? names.has(key) : undefined),
  };
}
