import { SetpointError, type KubeObject, type ServedKind } from '../model/index.ts';
import { collectionPath } from './collection-path.ts';
import type { ApplicationQuery } from './list-applications.ts';
import { listPages } from './list-pages.ts';
import { refusal, statusBody } from './refusal.ts';
import type { Transport } from './transport.ts';

/** The objects of a kind that there are now. Throws where any of the namespaces may not be listed, or the kind is not served. */
export async function listKind(transport: Pick<Transport, 'send'>, kind: ServedKind & Pick<ApplicationQuery, 'namespaces'>, signal: AbortSignal): Promise<readonly KubeObject[]> {
  const found: KubeObject[] = [];
  const what = `${kind.resource}.${kind.group}`;
  for (const namespace of kind.namespaces === 'all' ? [undefined] : kind.namespaces) {
    for await (const page of listPages({ transport, path: collectionPath(kind, namespace), kind, pageSize: 100, signal })) {
      if (page.type === 'page') found.push(...page.items);
      // The server says so itself; a proxy's 404 tells nothing about the cluster.
      else if (page.answer.status === 404 && (statusBody(page.answer) !== undefined || page.answer.text.startsWith('404 page not found'))) {
        throw new SetpointError('KindNotServed', `the cluster does not know ${what}`);
      } else throw refusal(page.answer, `list ${what} in ${namespace === undefined ? 'all namespaces' : `namespace ${namespace}`}`);
    }
  }
  return found;
}
