import { parseJson, valueAt, type Json, type Schema, type ServedKind } from '../model/index.ts';
import { compileSchemas } from './compile-schema.ts';
import { refusal } from './refusal.ts';
import type { Transport } from './transport.ts';

export interface Schemas {
  /** Undefined where the cluster has no schema for it. */
  of(kind: ServedKind, signal: AbortSignal): Promise<Schema | undefined>;
  /** Has the index read again before the next answer: definitions come, go and change. */
  refresh(): void;
}

interface Document {
  /** Names the content: the server puts its hash there. */
  readonly url: string;
  readonly kinds: Promise<ReadonlyMap<string, Schema>>;
}

/** Fetches the document of a group and version when it is first asked for, and again only when its hash has changed. */
export function createSchemas(transport: Transport): Schemas {
  const documents = new Map<string, Document>();
  let index: Promise<Json> | undefined;

  const readJson = async (url: string, signal: AbortSignal): Promise<Json> => {
    const [path = url, search = ''] = url.split('?');
    const answer = await transport.send({ method: 'GET', path, query: Object.fromEntries(new URLSearchParams(search)), signal });
    if (answer.status !== 200) throw refusal(answer, `the schemas at ${path}`);
    return parseJson(answer.text);
  };

  const documentAt = (path: string, url: string, signal: AbortSignal): Document => {
    const known = documents.get(path);
    if (known?.url === url) return known;
    const document = { url, kinds: readJson(url, signal).then(compileSchemas) };
    documents.set(path, document);
    // A failure is not kept: the next one who asks tries again.
    document.kinds.catch(() => documents.delete(path));
    return document;
  };

  return {
    async of({ group, version, kind }, signal) {
      index ??= readJson('/openapi/v3', signal);
      const path = group === '' ? `api/${version}` : `apis/${group}/${version}`;
      const url = valueAt(await index, ['paths', path, 'serverRelativeURL']);
      return typeof url === 'string' ? (await documentAt(path, url, signal).kinds).get(kind) : undefined;
    },
    refresh() {
      index = undefined;
    },
  };
}
