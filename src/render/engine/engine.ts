import type { SourceTree } from '../../model/index.ts';

/** All that Helm is told. File contents that may lie in other trees come with it; the chart is read from the tree. */
export interface HelmRequest {
  readonly type: 'helm';
  /** The folder of the chart in the tree. */
  readonly chart: string;
  readonly releaseName: string;
  readonly namespace: string;
  /** Such as `v1.36.3`; what the engine was built for where it is not given. */
  readonly kubeVersion: string | undefined;
  /** Besides the engine's own, as `--api-versions` adds them. */
  readonly apiVersions: readonly string[];
  readonly skipCrds: boolean;
  readonly skipTests: boolean;
  readonly skipSchemaValidation: boolean;
  /** The later wins. Names are for messages. */
  readonly valueFiles: readonly { readonly name: string; readonly content: Uint8Array }[];
  /** YAML text; wins over the files. */
  readonly values: string | undefined;
  /** As `--set` and `--set-string`, in this order, after all values. */
  readonly parameters: readonly { readonly name: string; readonly value: string; readonly forceString: boolean }[];
  /** As `--set-file`, last. */
  readonly fileParameters: readonly { readonly name: string; readonly content: string }[];
}

export interface KustomizeRequest {
  readonly type: 'kustomize';
  /** The folder of the kustomization in the tree. */
  readonly folder: string;
  /** Takes the place of the folder's own kustomization file. */
  readonly kustomization: { readonly path: string; readonly content: Uint8Array } | undefined;
}

export type EngineRequest = HelmRequest | KustomizeRequest;

export interface EngineOutput {
  /** Byte for byte what `helm template` or `kubectl kustomize` prints. */
  readonly text: string;
  /** Where each `---` document of the text comes from, in order, as far as the engine knows: a path in the tree. */
  readonly origins: readonly (string | undefined)[];
}

/**
 * Turns a chart or a kustomization into text. It reaches nothing but the tree, and asks the tree for no more than it uses: that is
 * how we know what a result depends on. Throws `RenderFailed` for what is wrong with the input, `RenderTimeout`, `SourceTooLarge`
 * beyond a limit, `RendererMissing` where it is not installed; the tree's own errors come through as they are.
 */
export interface Engine {
  /** Names what renders: another version may print something else. */
  version(): Promise<string>;
  render(request: EngineRequest, tree: SourceTree, signal: AbortSignal): Promise<EngineOutput>;
  close(): Promise<void>;
}
