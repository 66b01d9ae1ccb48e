import { createHash } from 'node:crypto';
import { entriesOf, parseJsonOrUndefined, valueAt, type Schema, type ServedKind } from '../model/index.ts';
import { compilerVersion, compileSchemas } from './compile-schema.ts';
import { refusal } from './refusal.ts';
import { createSchemaCache } from './schema-cache.ts';
import { createSharedWork } from './shared-work.ts';
import type { ApiAnswer, Transport } from './transport.ts';

export interface KindSchema {
  readonly schema: Schema;
  /** Names the content of the document that it comes from, and how we read it. */
  readonly hash: string;
}

export interface Schemas {
  /** Undefined where the cluster has no schema for it, or none that can be read: then only the server can tell. */
  find(kind: ServedKind, signal: AbortSignal): Promise<KindSchema | undefined>;
  /** Has the index read again before the next answer: definitions come, go and change. */
  refresh(): void;
}

interface SchemasOptions {
  /** Where compiled schemas are kept for the next process. */
  readonly cacheFolder?: string | undefined;
}

type Document =
  | { readonly type: 'read'; readonly hash: string; readonly kinds: ReadonlyMap<string, Schema> }
  /** The server no longer has it under that hash. */
  | { readonly type: 'moved' }
  | { readonly type: 'unreadable' };

interface KnownDocument {
  /** Names the content: the server puts its hash there. */
  readonly url: string;
  read(signal: AbortSignal): Promise<Document>;
}

// Of characters; the largest document of Kubernetes itself has under two million.
const longestDocument = 64 * 1024 * 1024;

/** Fetches the document of a group and version when it is first asked for, and again only when its hash has changed. */
export function createSchemas(transport: Transport, { cacheFolder }: SchemasOptions = {}): Schemas {
  const cache = cacheFolder === undefined ? undefined : createSchemaCache(cacheFolder);
  const documents = new Map<string, KnownDocument>();
  const unreadable = new Set<string>();

  const get = async (url: string, signal: AbortSignal): Promise<ApiAnswer> => {
    const [path = url, search = ''] = url.split('?');
    const answer = await transport.send({ method: 'GET', path, query: Object.fromEntries(new URLSearchParams(search)), signal });
    if (answer.status === 401) throw refusal(answer, `the schemas at ${path}`);
    return answer;
  };

  /** The URL of each document, by its path. A server that does not tell has none. */
  const readIndex = async (signal: AbortSignal): Promise<ReadonlyMap<string, string>> => {
    const answer = await get('/openapi/v3', signal);
    const paths = answer.status === 200 ? valueAt(parseJsonOrUndefined(answer.text), ['paths']) : undefined;
    const urls = entriesOf(paths).flatMap(([path, entry]) => {
      const url = valueAt(entry, ['serverRelativeURL']);
      // Anything else would not be a path on this server.
      return typeof url === 'string' && url.startsWith('/') ? [[path, url] as const] : [];
    });
    return new Map(urls);
  };

  const readDocument = async (url: string, signal: AbortSignal): Promise<Document> => {
    const named = (new URLSearchParams(url.split('?')[1]).get('hash') ?? '').toLowerCase();
    const known = /^[0-9a-f]{128}$/.test(named) ? await cache?.load(named) : undefined;
    if (known !== undefined) return { type: 'read', hash: versioned(named), kinds: known };
    const { status, text } = await get(url, signal);
    if (status === 301) return { type: 'moved' };
    if (status !== 200 || text.length > longestDocument) return { type: 'unreadable' };
    const document = parseJsonOrUndefined(text);
    if (document === undefined) return { type: 'unreadable' };
    const kinds = compileSchemas(document);
    const hash = createHash('sha512').update(text).digest('hex');
    // Other clusters may be read from the same folder: what one calls by a hash that is not its own is not kept.
    if (hash === named) await cache?.save(hash, kinds);
    return { type: 'read', hash: versioned(hash), kinds };
  };

  const newIndex = (): ((signal: AbortSignal) => Promise<ReadonlyMap<string, string>>) =>
    createSharedWork(async (signal) => {
      const urls = await readIndex(signal);
      for (const path of documents.keys()) if (!urls.has(path)) documents.delete(path);
      return urls;
    });
  let index = newIndex();
  const refresh = (): void => {
    index = newIndex();
    // What could not be read is asked for once until then, not once for each object.
    for (const path of unreadable) documents.delete(path);
    unreadable.clear();
  };

  const documentAt = async (path: string, signal: AbortSignal): Promise<Document> => {
    const url = (await index(signal)).get(path);
    if (url === undefined) return { type: 'unreadable' };
    let known = documents.get(path);
    if (known?.url !== url) {
      known = { url, read: createSharedWork((working) => readDocument(url, working)) };
      documents.set(path, known);
    }
    const document = await known.read(signal);
    if (document.type !== 'read') unreadable.add(path);
    return document;
  };

  const find = async ({ group, version, kind }: ServedKind, signal: AbortSignal): Promise<KindSchema | undefined> => {
    const path = group === '' ? `api/${version}` : `apis/${group}/${version}`;
    let document = await documentAt(path, signal);
    if (document.type === 'moved') {
      // It changed between the index and now.
      refresh();
      document = await documentAt(path, signal);
    }
    const schema = document.type === 'read' ? document.kinds.get(kind) : undefined;
    return schema === undefined || document.type !== 'read' ? undefined : { schema, hash: document.hash };
  };
  return { find, refresh };
}

function versioned(hash: string): string {
  return `${compilerVersion}-${hash}`;
}
