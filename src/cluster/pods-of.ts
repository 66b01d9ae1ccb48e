import { entriesOf, groupOf, isList, isObject, valueAt, type Json, type KubeObject, type ServedKind } from '../model/index.ts';
import { listPages } from './list-pages.ts';
import type { Transport } from './transport.ts';

const podKind: ServedKind = { group: '', version: 'v1', kind: 'Pod', resource: 'pods', namespaced: true, hasStatus: true };
// One page: what is wrong with some of them is what is wrong.
const mostPods = 50;

/** Pods of a workload; none where it selects none, or they may not be seen. */
export async function podsOf(workload: KubeObject, transport: Pick<Transport, 'send'>, signal: AbortSignal): Promise<readonly KubeObject[]> {
  const labelSelector = selectorText(valueAt(workload, ['spec', 'selector']));
  const { namespace } = workload.metadata;
  if (labelSelector === undefined || namespace === undefined) return [];
  for await (const page of listPages({ transport, path: `/api/v1/namespaces/${namespace}/pods`, kind: podKind, query: { labelSelector }, pageSize: mostPods, signal })) {
    return page.type === 'page' ? page.items.filter((pod) => isOf(pod, workload)) : [];
  }
  return [];
}

/** As the API takes it in a query; undefined where it selects nothing, or cannot be read. */
export function selectorText(selector: Json | undefined): string | undefined {
  const labels = entriesOf(valueAt(selector, ['matchLabels'])).map(([name, value]) => (typeof value === 'string' ? `${name}=${value}` : undefined));
  const expressions = valueAt(selector, ['matchExpressions']);
  const all = [...labels, ...(isList(expressions) ? expressions.map(requirementText) : [])];
  // Half a selector would select more.
  return all.length === 0 || all.includes(undefined) ? undefined : all.join(',');
}

function requirementText(expression: Json): string | undefined {
  const { key, operator, values } = isObject(expression) ? expression : {};
  if (typeof key !== 'string') return undefined;
  const list = isList(values) ? values.filter((value) => typeof value === 'string').join(',') : '';
  const texts: Readonly<Record<string, string>> = { Exists: key, DoesNotExist: `!${key}`, In: `${key} in (${list})`, NotIn: `${key} notin (${list})` };
  return typeof operator === 'string' && Object.hasOwn(texts, operator) ? texts[operator] : undefined;
}

/** Labels may be those of two workloads: whose a pod is, its controller says. A Deployment has its pods through ReplicaSets that bear its name and the hash of their template. */
export function isOf(pod: KubeObject, workload: KubeObject): boolean {
  const owners = pod.metadata['ownerReferences'];
  const controller = isList(owners) ? owners.find((owner) => valueAt(owner, ['controller']) === true) : undefined;
  const text = (name: string): string => {
    const value = valueAt(controller, [name]);
    return typeof value === 'string' ? value : '';
  };
  const hash = valueAt(pod, ['metadata', 'labels', 'pod-template-hash']);
  const isOfGroup = groupOf(text('apiVersion')) === groupOf(workload.apiVersion);
  if (workload.kind === 'Deployment') return isOfGroup && text('kind') === 'ReplicaSet' && typeof hash === 'string' && text('name') === `${workload.metadata.name}-${hash}`;
  return isOfGroup && text('kind') === workload.kind && text('uid') === workload.metadata['uid'];
}
