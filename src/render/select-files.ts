import { SetpointError, type DirectoryOptions, type Finding, type SourceTree } from '../model/index.ts';
import { kustomizationNames } from './detect-kind.ts';
import { compileGlob } from './glob.ts';

export interface SelectedFiles {
  readonly paths: readonly string[];
  readonly findings: readonly Finding[];
}

const manifestFile = /\.(?:ya?ml|json)$/;
const otherKinds: ReadonlySet<string> = new Set(['Chart.yaml', ...kustomizationNames]);
const mostFiles = 50_000;

/** The manifests of a folder, or the one file that is named. Links to files are followed inside the source, links to folders are not. */
export async function selectFiles(tree: SourceTree, path: string, options: DirectoryOptions): Promise<SelectedFiles> {
  const type = await tree.typeOf(path);
  if (type === undefined) throw new SetpointError('PathNotFound', `the source has no path ${path}: check the path and the revision`);
  if (type === 'file') return { paths: [path], findings: [] };
  const isWanted = filterOf(options);
  const paths: string[] = [];
  const findings: Finding[] = [];
  const warn = (origin: string, message: string): void => void findings.push({ severity: 'warning', origin, message });
  const folders = [path];
  for (let folder = folders.pop(); folder !== undefined; folder = folders.pop()) {
    const inside: string[] = [];
    for (const { name, type: entryType } of await tree.list(folder)) {
      const at = folder === '' ? name : `${folder}/${name}`;
      const below = path === '' ? at : at.slice(path.length + 1);
      if (entryType === 'folder') inside.push(at);
      else if (entryType === 'submodule') warn(at, 'is a submodule, which is not read');
      else if (otherKinds.has(name) && isWanted(below)) throw mixed(at, path);
      else if (!isWanted(below)) continue;
      else if (name.endsWith('.jsonnet')) warn(at, 'is Jsonnet, which is not rendered: what it makes is not compared');
      else if (!manifestFile.test(name)) continue;
      else if (entryType === 'file' || (await leadsToFile({ tree, at, findings, warn }))) paths.push(at);
      if (paths.length > mostFiles) throw new SetpointError('SourceTooLarge', `${path} has more than ${mostFiles} manifest files`);
    }
    if (options.recurse === true) folders.push(...inside.toReversed());
  }
  return { paths: paths.toSorted(byBytes), findings };
}

function filterOf({ include = '', exclude = '' }: DirectoryOptions): (path: string) => boolean {
  const included = include === '' ? () => true : compileGlob(include);
  const excluded = exclude === '' ? () => false : compileGlob(exclude);
  return (path) => !excluded(path) && included(path);
}

interface Link {
  readonly tree: SourceTree;
  readonly at: string;
  readonly findings: Finding[];
  readonly warn: (origin: string, message: string) => void;
}

async function leadsToFile({ tree, at, findings, warn }: Link): Promise<boolean> {
  try {
    const type = await tree.typeOf(at);
    if (type !== 'file') warn(at, 'is a link to a folder, which is not followed');
    return type === 'file';
  } catch (error) {
    if (!(error instanceof SetpointError) || error.code !== 'PathInvalid') throw error;
    findings.push({ severity: 'error', origin: at, message: error.message });
    return false;
  }
}

/** Read as plain manifests, a chart would be wrong and an overlay incomplete. */
function mixed(at: string, path: string): SetpointError {
  const folder = at.slice(0, at.lastIndexOf('/') + 1).replace(/\/$/, '') || '.';
  const what = at.endsWith('Chart.yaml') ? 'a Helm chart' : 'a Kustomize folder';
  const message = `${folder} is ${what} inside ${path || 'the source'}, which is read as plain manifests: point at it by itself, or exclude it`;
  return new SetpointError('InvalidManifest', message);
}

function byBytes(a: string, b: string): number {
  return Buffer.compare(Buffer.from(a), Buffer.from(b));
}
