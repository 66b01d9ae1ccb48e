import { fieldManager, isSoftware, type ResourceKey } from '../../../src/model/index.ts';
import type { StoredApplication } from '../world/application-server.ts';
import type { Commit, Fields } from '../world/git-server.ts';
import { configMapKey, type ObjectServer, type Version } from '../world/object-server.ts';

/** Whether an apply of what Git wants would leave the object as it is. */
export function agrees({ content }: Version, wanted: Fields): boolean {
  if (content === undefined) return false;
  const { data, owners } = content;
  const isLeftOver = (field: string): boolean => wanted[field] === undefined && owners[field]?.length === 1 && owners[field].includes(fieldManager);
  return Object.entries(wanted).every(([field, value]) => data[field] === value) && !Object.keys(data).some(isLeftOver);
}

/** What a commit wants of an application, by the key of each object; undefined where nothing can be made of its files. */
export function wantedAt({ folders }: Commit, { application }: StoredApplication): ReadonlyMap<ResourceKey, Fields> | undefined {
  const folder = folders.get(application.name);
  if (folder?.type !== 'objects') return undefined;
  return new Map(Object.entries(folder.objects).map(([name, fields]) => [configMapKey(application.destination.namespace, name), fields]));
}

/** What a commit may want besides, in files that cannot be read. */
export function unreadAt({ folders }: Commit, { application }: StoredApplication): ReadonlySet<ResourceKey> {
  const folder = folders.get(application.name);
  const names = folder?.type === 'objects' ? Object.keys(folder.unread) : [];
  return new Set(names.map((name) => configMapKey(application.destination.namespace, name)));
}

export type Truth = { readonly type: 'broken' } | { readonly type: 'known'; readonly differing: ReadonlySet<ResourceKey>; readonly unread: ReadonlySet<ResourceKey> };

/** How it is, seen by nobody. */
export function truthOf(stored: StoredApplication, commit: Commit, objects: ObjectServer): Truth {
  const wanted = wantedAt(commit, stored);
  if (wanted === undefined) return { type: 'broken' };
  return { type: 'known', differing: new Set([...wanted].filter(([key, fields]) => !agrees(objects.latest(key), fields)).map(([key]) => key)), unread: unreadAt(commit, stored) };
}

/** Other software holds a value that Git wants otherwise: nobody takes it away. */
export function isContested({ content }: Version, wanted: Fields): boolean {
  return Object.entries(wanted).some(([field, value]) => content?.data[field] !== undefined && content.data[field] !== value && (content.owners[field] ?? []).some(isSoftware));
}
