import { SetpointError, type RenderOptions, type SourceKind, type SourceTree } from '../model/index.ts';
import { detectKind } from './detect-kind.ts';
import { readDocuments, type Rendered } from './documents.ts';
import type { Engine, EngineRequest } from './engine/engine.ts';
import { helmRequest } from './helm.ts';
import { kustomizeRequest } from './kustomize.ts';
import type { YamlReader } from './parse/yaml-reader.ts';
import { readFolder, tooLarge, type SourceOutput } from './read-folder.ts';
import { readOutput } from './read-output.ts';
import { resolvePath } from './resolve-path.ts';

/** A source whose files are at hand. */
export interface OpenSource {
  readonly tree: SourceTree;
  /** Names all of the tree: the same commit of the same repository has the same files. */
  readonly commit?: string;
  /** Undefined for one that only lends files to the others. */
  readonly path: string | undefined;
  readonly ref: string | undefined;
  readonly options: RenderOptions;
}

/** What a chart may ask about where it goes. */
export interface RenderContext {
  /** Of the application, among all: what was rendered is remembered under it. */
  readonly id?: string;
  /** The application's: a release is named after it unless stated. */
  readonly name: string;
  readonly namespace: string;
  /** Asked only by a chart; where there is no cluster, the engine's own idea stands. */
  readonly capabilities: (() => Promise<Capabilities>) | undefined;
}

/** What a cluster serves. */
export interface Capabilities {
  /** Such as `v1.36.3`. */
  readonly kubeVersion: string;
  /** `apps/v1` and `apps/v1/Deployment` alike. */
  readonly apiVersions: readonly string[];
}

/** Sources in, documents with their origins out. The same input gives the same output. */
export interface Renderer {
  render(sources: readonly OpenSource[], context: RenderContext, signal: AbortSignal): Promise<Rendered>;
  close(): Promise<void>;
}

export interface RenderLimits {
  /** Of all files that are read as manifests and all text that an engine prints, for one application. */
  readonly bytes: number;
  readonly documents: number;
}

interface Parts {
  readonly engine: Engine;
  readonly yaml: YamlReader;
  readonly limits?: Partial<RenderLimits>;
  readonly onRender?: (kind: SourceKind) => void;
}

const defaultLimits: RenderLimits = { bytes: 10 * 1024 * 1024, documents: 50_000 };

export function createRenderer({ engine, yaml, limits: given, onRender }: Parts): Renderer {
  const limits = { ...defaultLimits, ...given };
  return {
    async render(sources, context, signal) {
      const outputs: SourceOutput[] = [];
      for (const { path: written, ...source } of sources) {
        if (written === undefined) continue;
        const path = written === '' ? '' : resolvePath('', written);
        const place: Place = { ...source, path, sources, context };
        const kind = await detectKind(place.tree, path, place.options);
        onRender?.(kind);
        const bytes = { limit: limits.bytes, left: limits.bytes - bytesOf(outputs) };
        outputs.push(kind === 'directory' ? await readFolder({ ...place, bytes }, yaml, signal) : await renderWith(await requestFor(kind, place), place, signal));
        if (bytesOf(outputs) > limits.bytes) throw tooLarge(limits.bytes, 'bytes of manifests');
      }
      return collect(outputs, { limits, sources });
    },
    async close() {
      await Promise.all([engine.close(), yaml.close()]);
    },
  };

  async function renderWith(request: EngineRequest, { tree, path }: Place, signal: AbortSignal): Promise<SourceOutput> {
    return readOutput(await engine.render(request, tree, signal), { path, yaml, signal });
  }
}

interface Place extends Omit<OpenSource, 'path'> {
  readonly path: string;
  readonly sources: readonly OpenSource[];
  readonly context: RenderContext;
}

async function requestFor(kind: 'helm' | 'kustomize', { tree, path, options, sources, context }: Place): Promise<EngineRequest> {
  if (kind === 'kustomize') return kustomizeRequest(tree, path, options.kustomize ?? {});
  const refs = new Map(sources.flatMap((source) => (source.ref === undefined ? [] : [[source.ref, source.tree] as const])));
  return helmRequest({ tree, path, options: options.helm ?? {}, refs }, context);
}

interface Frame {
  readonly limits: RenderLimits;
  readonly sources: readonly OpenSource[];
}

function collect(outputs: readonly SourceOutput[], { limits, sources }: Frame): Rendered {
  const { documents, findings } = readDocuments(outputs.flatMap(({ files }) => files));
  if (documents.length > limits.documents) throw tooLarge(limits.documents, 'objects');
  const all = [...outputs.flatMap((output) => output.findings), ...findings];
  if (documents.length > 0 || all.length > 0) return { documents, findings: all };
  // An empty answer is what a broken pipe or a wrong path looks like; it must not read as "in sync".
  const places = sources.flatMap(({ path }) => (path === undefined ? [] : [path || 'the source']));
  throw new SetpointError('InvalidManifest', `no Kubernetes object in ${places.join(', ')}: nothing to compare`);
}

function bytesOf(outputs: readonly SourceOutput[]): number {
  return outputs.reduce((sum, { bytes }) => sum + bytes, 0);
}
