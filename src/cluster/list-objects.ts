import { isList, isObject, parseJson, valueAt, type KubeObject, type ServedKind } from '../model/index.ts';
import type { Transport } from './transport.ts';

interface ListRequest {
  readonly transport: Transport;
  /** `/apis/apps/v1/namespaces/shop/deployments` */
  readonly path: string;
  readonly kind: ServedKind;
  readonly signal: AbortSignal;
}

// Larger pages block the event loop while they are parsed.
const pageSize = 500;

/** All objects of a kind in a place, by name; undefined where the server does not list them: then each is read by itself. */
export async function listObjects({ transport, path, kind, signal }: ListRequest): Promise<ReadonlyMap<string, KubeObject> | undefined> {
  const found = new Map<string, KubeObject>();
  // Items of a list leave out what the list says for all of them.
  const common = { apiVersion: kind.group === '' ? kind.version : `${kind.group}/${kind.version}`, kind: kind.kind };
  let next = '';
  do {
    const query = { limit: String(pageSize), ...(next === '' ? {} : { continue: next }) };
    const answer = await transport.send({ method: 'GET', path, query, signal });
    if (answer.status !== 200) return undefined;
    const page = parseJson(answer.text);
    const items = isObject(page) ? page['items'] : undefined;
    if (!isList(items)) return undefined;
    for (const item of items) {
      const name = valueAt(item, ['metadata', 'name']);
      if (isObject(item) && typeof name === 'string') found.set(name, { ...common, ...item } as KubeObject);
    }
    const more = valueAt(page, ['metadata', 'continue']);
    next = typeof more === 'string' ? more : '';
  } while (next !== '');
  return found;
}
