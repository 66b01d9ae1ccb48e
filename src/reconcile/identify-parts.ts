import { identify, type Identified, type KindLookup } from '../diff/index.ts';
import type { SourceDocument } from '../model/index.ts';
import { isHook } from '../plan/index.ts';

/** What documents stand for, hooks set apart: those are run, and not compared. */
export interface IdentifiedParts extends Identified {
  readonly hooks: Identified['manifests'];
}

export function identifyParts(documents: readonly SourceDocument[], lookUp: KindLookup, namespace: string): IdentifiedParts {
  const { manifests, refused } = identify(documents, lookUp, namespace);
  const { hooks = [], resources = [] } = Object.groupBy(manifests, ({ manifest }) => (isHook(manifest.object) ? 'hooks' : 'resources'));
  return { manifests: resources, hooks, refused };
}
