import { createHash } from 'node:crypto';
import { canonicalJson, parseResourceKey, type Json, type ResourceKey } from '../../model/index.ts';
import { matchesGlob, type Glob } from './glob.ts';
import type { ObjectIgnores } from './object-ignores.ts';

export interface IgnoreRules {
  /** The same for the same rules, in whatever order they are written. */
  readonly hash: string;
  /** Undefined: nothing of that object is ignored. */
  for(key: ResourceKey): ObjectIgnores | undefined;
}

export interface CompiledRule extends ObjectIgnores {
  readonly written: Readonly<Record<string, string | readonly string[]>>;
  readonly matches: readonly { readonly field: 'group' | 'kind' | 'name' | 'namespace'; readonly glob: Glob }[];
}

export function createIgnoreRules(rules: readonly CompiledRule[]): IgnoreRules {
  const contents = new Set(rules.map(({ written }) => canonicalJson(inOrder(written))));
  return {
    hash: createHash('sha256').update(canonicalJson([...contents].toSorted())).digest('hex').slice(0, 16),
    for: (key) => {
      const identity = parseResourceKey(key);
      const about = rules.filter(({ matches }) => matches.every(({ field, glob }) => matchesGlob(glob, identity[field])));
      if (about.length === 0) return undefined;
      return { paths: about.flatMap(({ paths }) => paths), managers: about.flatMap(({ managers }) => managers) };
    },
  };
}

/** What either says. */
export function joinIgnoreRules(one: IgnoreRules, other: IgnoreRules): IgnoreRules {
  return {
    hash: createHash('sha256').update(`${one.hash} ${other.hash}`).digest('hex').slice(0, 16),
    for(key) {
      const [first, second] = [one.for(key), other.for(key)];
      if (first === undefined || second === undefined) return first ?? second;
      return { paths: [...first.paths, ...second.paths], managers: [...first.managers, ...second.managers] };
    },
  };
}

function inOrder(written: CompiledRule['written']): Json {
  const entries = Object.entries(written).map(([field, value]) => [field, typeof value === 'string' ? value : [...new Set(value)].toSorted()] as const);
  return Object.fromEntries(entries.filter(([, value]) => typeof value === 'string' || value.length > 0));
}
