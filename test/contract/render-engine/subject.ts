import { SetpointError, type SourceTree } from '../../../src/model/index.ts';
import type { Engine, EngineOutput, EngineRequest, HelmRequest, KustomizeRequest } from '../../../src/render/engine/engine.ts';
import { memoryTree, type MemoryFiles } from '../../support/memory-tree.ts';

export interface EngineLimits {
  /** Of one render. */
  readonly deadlineMs?: number;
  /** Of the text. */
  readonly outputBytes?: number;
}

export type OpenEngine = (limits: EngineLimits) => Engine | Promise<Engine>;

export interface Subject {
  /** The one that all tests share, so that each sees what the others leave behind. */
  engine(): Engine;
  readonly open: OpenEngine;
}

export const chartFile = 'apiVersion: v2\nname: shop\nversion: 1.2.3\nappVersion: "9"\n';

export const configMap = (name: string, data = ''): string => `apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: ${name}\n${data}`;

export function helm(options: Partial<HelmRequest> = {}): HelmRequest {
  return {
    type: 'helm',
    chart: 'charts/web',
    releaseName: 'web',
    namespace: 'prod',
    kubeVersion: undefined,
    apiVersions: [],
    skipCrds: false,
    skipTests: false,
    skipSchemaValidation: false,
    valueFiles: [],
    values: undefined,
    parameters: [],
    fileParameters: [],
    ...options,
  };
}

export function kustomize(folder: string, kustomization?: KustomizeRequest['kustomization']): KustomizeRequest {
  return { type: 'kustomize', folder, kustomization };
}

/** A chart in charts/web; paths from there. */
export function chart(files: MemoryFiles): MemoryFiles {
  const below = Object.entries(files).map(([path, file]) => [`charts/web/${path}`, file] as const);
  return { 'charts/web/Chart.yaml': chartFile, ...Object.fromEntries(below) };
}

export function render(engine: Engine, request: EngineRequest, files: MemoryFiles | SourceTree): Promise<EngineOutput> {
  return engine.render(request, isTree(files) ? files : memoryTree(files), new AbortController().signal);
}

export async function failureOf(rendering: Promise<EngineOutput>): Promise<SetpointError> {
  const outcome = await rendering.then(
    ({ text }) => `it rendered ${text.slice(0, 200)}`,
    (error: unknown) => error,
  );
  if (outcome instanceof SetpointError) return outcome;
  throw outcome instanceof Error ? outcome : new Error(String(outcome));
}

/** The engine is not worse off: it renders the simplest chart and kustomization. */
export async function stillRenders(engine: Engine): Promise<boolean> {
  const helmText = await render(engine, helm(), chart({ 'templates/a.yaml': configMap('a') }));
  const kustomizeText = await render(engine, kustomize('k'), { 'k/kustomization.yaml': 'resources: [a.yaml]\n', 'k/a.yaml': configMap('a') });
  return helmText.text === `---\n# Source: shop/templates/a.yaml\n${configMap('a')}` && kustomizeText.text === configMap('a');
}

function isTree(files: MemoryFiles | SourceTree): files is SourceTree {
  return typeof files['read'] === 'function';
}
