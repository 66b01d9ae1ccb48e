import { SetpointError, type Finding, type RenderOptions, type SourceTree } from '../model/index.ts';
import { lfsPointer, type ParsedFile } from './documents.ts';
import type { YamlReader } from './parse/yaml-reader.ts';
import { selectFiles } from './select-files.ts';

/** What a source came to, before its documents are looked at. */
export interface SourceOutput {
  readonly files: readonly ParsedFile[];
  readonly findings: readonly Finding[];
  readonly bytes: number;
}

interface Folder {
  readonly tree: SourceTree;
  readonly path: string;
  readonly options: RenderOptions;
  /** What all files of the application together may have, and how much of it is left. */
  readonly bytes: { readonly limit: number; readonly left: number };
}

/** Plain manifests: every document of every file, as it stands. */
export async function readFolder({ tree, path, options, bytes }: Folder, yaml: YamlReader, signal: AbortSignal): Promise<SourceOutput> {
  const { paths, findings } = await selectFiles(tree, path, options.directory ?? {});
  if (paths.length === 0 && findings.length === 0) {
    throw new SetpointError('PathNotFound', `${path || 'the source'} has no .yaml, .yml or .json file${hint(options)}: nothing to compare`);
  }
  let sum = 0;
  const read = async (file: string): Promise<Uint8Array> => {
    const content = await readManifest(tree, file);
    sum += content.length;
    if (sum > bytes.left) throw tooLarge(bytes.limit, 'bytes of manifests');
    return content;
  };
  const files = [];
  for (const file of paths) files.push({ id: await tree.idOf(file), path: file, content: () => read(file) });
  const parsed = await yaml.read(files, signal);
  return {
    files: parsed.map(({ documents }, at) => ({ documents, originOf: (index) => `${paths[at] ?? path}#${index}` })),
    findings,
    bytes: parsed.reduce((total, file) => total + file.bytes, 0),
  };
}

export function tooLarge(limit: number, what: string): SetpointError {
  return new SetpointError('SourceTooLarge', `the application has more than ${limit} ${what}, which is the limit: split it, or exclude what is no part of it`);
}

function hint({ directory = {} }: RenderOptions): string {
  if (directory.include !== undefined || directory.exclude !== undefined) return ' that include and exclude let through';
  return directory.recurse === true ? '' : ' of its own (folders inside are read with recurse)';
}

// How Argo CD is told to leave a file out.
const skipMark = '+argocd:skip-file-rendering';

async function readManifest(tree: SourceTree, path: string): Promise<Uint8Array> {
  try {
    const content = await tree.read(path);
    return Buffer.from(content.buffer, content.byteOffset, content.length).includes(skipMark) ? new Uint8Array() : content;
  } catch (error) {
    // The text of the pointer, so that the document says what it is.
    if (error instanceof SetpointError && error.code === 'PathInvalid') return Buffer.from(lfsPointer);
    throw error;
  }
}
