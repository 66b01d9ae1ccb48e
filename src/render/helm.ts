import { SetpointError, type HelmOptions, type SourceTree } from '../model/index.ts';
import type { HelmRequest } from './engine/engine.ts';
import type { RenderContext } from './renderer.ts';
import { resolvePath } from './resolve-path.ts';

interface Chart {
  readonly tree: SourceTree;
  readonly path: string;
  readonly options: HelmOptions;
  /** The trees of the other sources, by the names that value files use. */
  readonly refs: ReadonlyMap<string, SourceTree>;
}

/** What an application asks of its chart, in Helm's words; the files it names are read here, from whichever source they lie in. */
export async function helmRequest(chart: Chart, context: RenderContext): Promise<HelmRequest> {
  const { path, options } = chart;
  const valueFiles = [];
  for (const file of options.valueFiles ?? []) {
    const content = await readNamed(chart, file, options.ignoreMissingValueFiles === true);
    if (content !== undefined) valueFiles.push({ name: file, content });
  }
  const fileParameters = [];
  for (const { name, path: file } of options.fileParameters ?? []) {
    const content = await readNamed(chart, file, false);
    fileParameters.push({ name, content: new TextDecoder().decode(content) });
  }
  const isTold = Boolean(options.kubeVersion) && Boolean(options.apiVersions?.length);
  const capabilities = isTold ? undefined : await context.capabilities?.();
  return {
    type: 'helm',
    chart: path,
    // An empty text asks for nothing, as in Argo CD.
    releaseName: options.releaseName || releaseNameFor(context.name),
    namespace: options.namespace || context.namespace,
    kubeVersion: options.kubeVersion || capabilities?.kubeVersion,
    apiVersions: options.apiVersions?.length ? options.apiVersions : (capabilities?.apiVersions ?? []),
    skipCrds: options.skipCrds ?? false,
    skipTests: options.skipTests ?? false,
    skipSchemaValidation: options.skipSchemaValidation ?? false,
    valueFiles,
    values: options.values,
    parameters: inHelmsOrder(options.parameters ?? []),
    fileParameters,
  };
}

/** Helm takes every `--set` before the first `--set-string`. */
function inHelmsOrder(parameters: NonNullable<HelmOptions['parameters']>): HelmRequest['parameters'] {
  const all = parameters.map(({ name, value, forceString = false }) => ({ name, value, forceString }));
  return [...all.filter(({ forceString }) => !forceString), ...all.filter(({ forceString }) => forceString)];
}

async function readNamed(chart: Chart, file: string, mayBeMissing: boolean): Promise<Uint8Array | undefined> {
  const { tree, path } = locate(chart, file);
  try {
    return await tree.read(path);
  } catch (error) {
    if (!(error instanceof SetpointError) || error.code !== 'PathNotFound') throw error;
    if (mayBeMissing) return undefined;
    throw new SetpointError('PathNotFound', `value file ${file} of chart ${chart.path || '.'} is not there: looked for ${path}`, { cause: error });
  }
}

function locate({ tree, path, refs }: Chart, file: string): { readonly tree: SourceTree; readonly path: string } {
  if (!file.startsWith('$')) return { tree, path: resolvePath(path, file) };
  const [name = '', ...rest] = file.slice(1).split('/');
  const other = refs.get(name);
  if (other === undefined) {
    const known = [...refs.keys()].map((ref) => `$${ref}`).join(', ') || 'none';
    throw new SetpointError('PathInvalid', `value file ${file} names the source $${name}, and no source has that ref (there is: ${known})`);
  }
  return { tree: other, path: resolvePath('', rest.join('/')) };
}

/** An application may be called after any folder; Helm takes names as of a host, of 53 characters at most. */
function releaseNameFor(name: string): string {
  const allowed = name.toLowerCase().replaceAll(/[^a-z0-9.-]+/g, '-').slice(0, 53);
  return allowed.replaceAll(/^[.-]+|[.-]+$/g, '').replaceAll(/[.-]*\.[.-]*/g, '.') || 'release';
}
