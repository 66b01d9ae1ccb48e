import { posix } from 'node:path';
import { isObject, SetpointError, type JsonObject, type SourceTree } from '../../../model/index.ts';
import { parseYaml } from '../../yaml/parse-yaml.ts';
import type { KustomizeRequest } from '../engine.ts';
import { helmField, isRemote, namedFiles, referencesOf } from './kustomization-references.ts';
import { nothingToRender } from './nothing-to-render.ts';
import type { WorkFolder } from './work-folder.ts';

const fileNames = ['kustomization.yaml', 'kustomization.yml', 'Kustomization'];

interface Target {
  readonly work: WorkFolder;
  readonly signal: AbortSignal;
}

/** Where a reference stands, and where its path goes from. */
interface Place {
  readonly path: string;
  readonly folder: string;
  readonly pluginsOf: string | undefined;
}

/**
 * The kustomization and all that it names, transitively: Kustomize reads nothing else, so the tree is asked for nothing else. What
 * would be fetched, and what leaves the tree, is refused here, before anything runs: the network may not be shut off on this machine.
 * Gives the path of the kustomization file.
 */
export async function copyKustomization(request: KustomizeRequest, tree: SourceTree, { work, signal }: Target): Promise<string> {
  const visited = new Set<string>();
  const [own] = await kustomizationsOf(request.folder);
  if (own === undefined) throw await nothingToRender({ folder: request.folder, names: fileNames, what: 'kustomization' }, tree);
  await visitFolder(request.folder, undefined);
  return own.path;

  /** In a folder of plugins, the files are configurations whose paths go from the folder that named it. */
  async function visitFolder(folder: string, pluginsOf: string | undefined): Promise<void> {
    const visit = JSON.stringify([folder, pluginsOf]);
    if (visited.has(visit)) return;
    visited.add(visit);
    signal.throwIfAborted();
    await work.makeFolder(folder);
    for (const { path, content } of await kustomizationsOf(folder)) {
      await work.writeTreeFile(path, content);
      for (const kustomization of documentsOf(path, content)) await visitKustomization({ path, folder, pluginsOf }, kustomization);
    }
  }

  async function kustomizationsOf(folder: string): Promise<readonly { readonly path: string; readonly content: Uint8Array }[]> {
    const { kustomization: override } = request;
    if (folder === request.folder && override !== undefined) return [override];
    const found = [];
    for (const path of fileNames.map((name) => posix.join(folder, name))) {
      if ((await tree.typeOf(path)) === 'file') found.push({ path, content: await tree.read(path) });
    }
    return found;
  }

  async function visitKustomization(place: Place, kustomization: JsonObject): Promise<void> {
    const helm = helmField(kustomization);
    if (helm !== undefined) throw failed(place.path, `${helm} is not supported: make the chart a source of its own`);
    const { resources, plugins, files } = referencesOf(kustomization);
    for (const reference of files) await visitFile(place, reference);
    for (const reference of resources) await visitEither(place, { reference, pluginsOf: place.pluginsOf });
    for (const reference of plugins) await visitEither(place, { reference, pluginsOf: place.folder });
  }

  async function visitEither(place: Place, { reference, pluginsOf }: { readonly reference: string; readonly pluginsOf: string | undefined }): Promise<void> {
    const path = resolve(place, reference);
    if (path === undefined) throw failed(place.path, `${JSON.stringify(reference)} leads out of the repository`);
    if ((await tree.typeOf(path)) === 'folder') return visitFolder(path, pluginsOf);
    const content = await visitFile(place, reference);
    if (content === undefined || pluginsOf === undefined) return;
    const configurations = parseYaml(content).map(({ value }) => value);
    for (const named of configurations.flatMap((value) => namedFiles(value))) await visitFile({ ...place, path, folder: pluginsOf }, named);
  }

  /** What is not there, or not in the tree, is left for Kustomize to complain about: it loads no file from outside the folder. */
  async function visitFile(place: Place, reference: string): Promise<Uint8Array | undefined> {
    signal.throwIfAborted();
    const path = resolve(place, reference);
    const type = path === undefined ? undefined : await tree.typeOf(path);
    if (path === undefined || type === undefined) return undefined;
    if (type === 'folder') {
      await work.makeFolder(path);
      return undefined;
    }
    const content = await tree.read(path);
    await work.writeTreeFile(path, content);
    return content;
  }
}

function resolve({ path, folder }: Place, reference: string): string | undefined {
  if (isRemote(reference)) throw failed(path, `${reference} is remote: nothing is fetched for rendering, so vendor it into the repository`);
  const resolved = posix.join(folder, reference).replace(/\/$/, '');
  if (posix.isAbsolute(reference) || reference.includes('\0') || resolved === '..' || resolved.startsWith('../')) return undefined;
  return resolved === '.' ? '' : resolved;
}

function documentsOf(path: string, content: Uint8Array): readonly JsonObject[] {
  const documents = parseYaml(content);
  const broken = documents.flatMap(({ findings }) => findings).find(({ severity }) => severity === 'error');
  if (broken !== undefined) throw failed(path, `line ${broken.line}: ${broken.message}`);
  return documents.flatMap(({ value }) => (isObject(value) ? [value] : []));
}

function failed(path: string, problem: string): SetpointError {
  return new SetpointError('RenderFailed', `${path}: ${problem}`);
}
