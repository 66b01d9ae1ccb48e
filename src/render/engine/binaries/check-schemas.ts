import { parseJsonOrUndefined, SetpointError, type SourceTree } from '../../../model/index.ts';
import { packedSchemas } from './packed-schemas.ts';
import { foreignReference } from './schema-references.ts';

/** The same tree; a values schema that Helm would have to fetch parts of is refused before Helm sees it. */
export function checkSchemas(tree: SourceTree): SourceTree {
  return {
    ...tree,
    read: async (path) => {
      const content = await tree.read(path);
      for (const schema of await schemasOf(path, content)) {
        const foreign = foreignReference(parseJsonOrUndefined(Buffer.from(schema).toString('utf8')) ?? null);
        if (foreign === undefined) continue;
        throw new SetpointError('RenderFailed', `${path}: the values schema refers to ${foreign}: nothing is fetched for rendering, so put that into the schema`);
      }
      return content;
    },
  };
}

async function schemasOf(path: string, content: Uint8Array): Promise<readonly Uint8Array[]> {
  if (path.endsWith('.tgz')) return packedSchemas(content);
  return path === 'values.schema.json' || path.endsWith('/values.schema.json') ? [content] : [];
}
