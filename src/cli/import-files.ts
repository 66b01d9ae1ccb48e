import { readdir, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { SetpointError, whyUnreadable, type SourceFile } from '../model/index.ts';
import { renderPlain, type Rendered } from '../render/index.ts';
import { readAll } from './read-all.ts';

/** The documents of standard input, of a file, or of the files of a folder that have to do with Argo CD. */
export async function readImportFiles(given: string, stdin: NodeJS.ReadStream): Promise<Rendered> {
  if (given === '-') return renderPlain([{ path: '-', content: await readAll(stdin) }]);
  const kind = await stat(given).catch((error: unknown) => fail(given, error));
  if (!kind.isDirectory()) return renderPlain([await fileAt(given)]);
  const entries = await readdir(given, { recursive: true, withFileTypes: true });
  const names = entries.filter((entry) => !entry.isDirectory() && /\.(?:ya?ml|json)$/i.test(entry.name)).map(({ parentPath, name }) => join(parentPath, name));
  const files = await Promise.all(names.toSorted().map((name) => fileAt(name)));
  // A folder of deployments also has templates and values, which are no documents.
  const chosen = files.filter(({ content }) => Buffer.from(content).includes('argoproj.io/'));
  if (chosen.length === 0) throw new SetpointError('Usage', `Applications of argoproj.io are wanted, got none in the ${files.length} YAML and JSON files of ${given}: check -f`);
  return renderPlain(chosen);
}

async function fileAt(path: string): Promise<SourceFile> {
  return { path, content: await readFile(path).catch((error: unknown) => fail(path, error)) };
}

function fail(path: string, cause: unknown): never {
  throw new SetpointError('PathNotFound', `${path} cannot be read: ${whyUnreadable(cause)}: check -f`, { cause });
}
