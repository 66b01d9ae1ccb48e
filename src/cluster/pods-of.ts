import { entriesOf, valueAt, type KubeObject, type ServedKind } from '../model/index.ts';
import { listPages } from './list-pages.ts';
import type { Transport } from './transport.ts';

const podKind: ServedKind = { group: '', version: 'v1', kind: 'Pod', resource: 'pods', namespaced: true, hasStatus: true };
// One page: what is wrong with some of them is what is wrong.
const mostPods = 50;

/** Pods that a workload selects; none where it selects none, or they may not be seen. */
export async function podsOf(workload: KubeObject, transport: Pick<Transport, 'send'>, signal: AbortSignal): Promise<readonly KubeObject[]> {
  const labels = entriesOf(valueAt(workload, ['spec', 'selector', 'matchLabels']));
  const { namespace } = workload.metadata;
  if (labels.length === 0 || namespace === undefined) return [];
  const query = { labelSelector: labels.flatMap(([name, value]) => (typeof value === 'string' ? [`${name}=${value}`] : [])).join(',') };
  for await (const page of listPages({ transport, path: `/api/v1/namespaces/${namespace}/pods`, kind: podKind, query, pageSize: mostPods, signal })) {
    return page.type === 'page' ? page.items : [];
  }
  return [];
}
