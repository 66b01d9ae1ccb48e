import { isList, isObject, parseJsonOrUndefined, valueAt, type Json, type KubeObject, type ServedKind } from '../model/index.ts';
import type { ApiAnswer, Transport } from './transport.ts';

export interface ListRequest {
  readonly transport: Pick<Transport, 'send'>;
  /** `/apis/apps/v1/namespaces/shop/deployments` */
  readonly path: string;
  readonly kind: ServedKind;
  readonly query?: Readonly<Record<string, string>>;
  readonly pageSize?: number;
  readonly signal: AbortSignal;
}

export type ListPage =
  | {
      readonly type: 'page';
      readonly items: readonly KubeObject[];
      /** The state that the whole list shows: the same on every page of it. */
      readonly resourceVersion: string;
    }
  /** Ends the list: this answer was no page of it. */
  | { readonly type: 'refused'; readonly answer: ApiAnswer };

// Larger pages block the event loop while they are parsed.
const defaultPageSize = 500;

/** The objects of a kind in a place, page by page, all as they were at one moment. */
export async function* listPages({ transport, path, kind, query = {}, pageSize = defaultPageSize, signal }: ListRequest): AsyncGenerator<ListPage> {
  // Items of a list leave out what the list says for all of them.
  const common = { apiVersion: kind.group === '' ? kind.version : `${kind.group}/${kind.version}`, kind: kind.kind };
  let next = '';
  do {
    const answer = await transport.send({
      method: 'GET',
      path,
      query: { ...query, limit: String(pageSize), ...(next === '' ? {} : { continue: next }) },
      signal,
    });
    const page = answer.status === 200 ? parseJsonOrUndefined(answer.text) : undefined;
    const items = isObject(page) ? page['items'] : undefined;
    if (!isList(items)) {
      yield { type: 'refused', answer };
      return;
    }
    const named = items.filter((item) => isObject(item) && typeof valueAt(item, ['metadata', 'name']) === 'string');
    yield {
      type: 'page',
      items: named.map((item) => ({ ...common, ...(item as object) }) as KubeObject),
      resourceVersion: text(valueAt(page, ['metadata', 'resourceVersion'])),
    };
    next = text(valueAt(page, ['metadata', 'continue']));
  } while (next !== '');
}

function text(value: Json | undefined): string {
  return typeof value === 'string' ? value : '';
}
