import { applicationKind, type KubeObject } from '../model/index.ts';
import { applicationRefusal } from './application-refusal.ts';
import { collectionPath } from './collection-path.ts';
import { listPages } from './list-pages.ts';
import type { Transport } from './transport.ts';

export interface ApplicationQuery {
  readonly namespaces: 'all' | readonly string[];
  /** As kubectl writes label selectors. */
  readonly selector?: string;
}

/** Those that there are now. Throws where any of the namespaces may not be listed. */
export async function listApplications(transport: Pick<Transport, 'send'>, { namespaces, selector }: ApplicationQuery, signal: AbortSignal): Promise<readonly KubeObject[]> {
  const found: KubeObject[] = [];
  for (const namespace of namespaces === 'all' ? [undefined] : namespaces) {
    const query = selector === undefined ? {} : { labelSelector: selector };
    // Pages are small: an Application may be half a megabyte.
    for await (const page of listPages({ transport, path: collectionPath(applicationKind, namespace), kind: applicationKind, query, pageSize: 100, signal })) {
      if (page.type === 'refused') throw applicationRefusal(page.answer, 'list', namespace);
      found.push(...page.items);
    }
  }
  return found;
}
