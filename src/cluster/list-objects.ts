import type { KubeObject } from '../model/index.ts';
import { listPages, type ListRequest } from './list-pages.ts';

/** All objects of a kind in a place, by name; undefined where the server does not list them: then each is read by itself. */
export async function listObjects(request: ListRequest): Promise<ReadonlyMap<string, KubeObject> | undefined> {
  const found = new Map<string, KubeObject>();
  for await (const page of listPages(request)) {
    if (page.type === 'refused') return undefined;
    for (const item of page.items) found.set(item.metadata.name, item);
  }
  return found;
}
