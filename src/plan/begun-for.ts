import { createHash } from 'node:crypto';
import { canonicalJson, type Application, type Json } from '../model/index.ts';

type Rendered = Pick<Application, 'name' | 'sources' | 'destination'>;

/** Names what the sources of an application say at these commits, one for each of them. Which names stood for the commits is all the same. */
export function sourcesName({ name, sources, destination }: Rendered, commits: readonly string[]): string {
  const rendered = sources.map(({ repository, path, ref, options }) => ({ repository, path, ref, options }));
  return nameOf({ name, namespace: destination.namespace, sources: rendered, commits });
}

/** Names all of a spec that a sync may turn out differently by. */
export function specName({ name, sources, destination, policy, ignoreRules, retry, syncOptions, syncTimeoutMs, namespaceMetadata, syncWindows }: Application): string {
  return nameOf({ name, sources, destination, policy, ignoreRules, retry, syncOptions, syncTimeoutMs, namespaceMetadata, syncWindows });
}

function nameOf(value: unknown): string {
  return createHash('sha256').update(canonicalJson(value as Json)).digest('base64url').slice(0, 16);
}
