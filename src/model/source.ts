import type { JsonObject } from './json.ts';

/** How the documents of a source come about. */
export type SourceKind = 'directory' | 'helm' | 'kustomize';

/** Where documents come from and what is asked for on the way; names and meanings are Argo CD's. */
export interface Source {
  /** Never holds credentials. */
  readonly repository: string;
  readonly revision: string;
  /** Undefined for a source that only lends files to the others. */
  readonly path: string | undefined;
  /** The name by which the others reach its files: `$values/prod.yaml`. */
  readonly ref: string | undefined;
  readonly options: RenderOptions;
}

export interface RenderOptions {
  /** Detected from the files where it is not stated. */
  readonly kind?: SourceKind;
  readonly directory?: DirectoryOptions;
  readonly helm?: HelmOptions;
  readonly kustomize?: KustomizeOptions;
}

export interface DirectoryOptions {
  readonly recurse?: boolean;
  /** Globs over the path below the folder; `*` crosses folders, `{a,b}` is either. */
  readonly include?: string;
  readonly exclude?: string;
}

export interface HelmOptions {
  readonly releaseName?: string;
  /** From the chart's folder; `/x` from the root of the repository; `$ref/x` from another source. The later wins. */
  readonly valueFiles?: readonly string[];
  readonly ignoreMissingValueFiles?: boolean;
  /** YAML text; wins over value files. */
  readonly values?: string;
  /** As `--set` and `--set-string`; win over values. */
  readonly parameters?: readonly { readonly name: string; readonly value: string; readonly forceString?: boolean }[];
  /** As `--set-file`; paths as in `valueFiles`. */
  readonly fileParameters?: readonly { readonly name: string; readonly path: string }[];
  readonly namespace?: string;
  readonly kubeVersion?: string;
  readonly apiVersions?: readonly string[];
  readonly skipCrds?: boolean;
  readonly skipTests?: boolean;
  readonly skipSchemaValidation?: boolean;
}

export interface KustomizeOptions {
  readonly namePrefix?: string;
  readonly nameSuffix?: string;
  readonly namespace?: string;
  /** `name`, `name=new`, `name:tag`, `name=new:tag@digest`: as `kustomize edit set image`. */
  readonly images?: readonly string[];
  readonly replicas?: readonly { readonly name: string; readonly count: number | string }[];
  readonly commonLabels?: Readonly<Record<string, string>>;
  readonly forceCommonLabels?: boolean;
  readonly labelWithoutSelector?: boolean;
  readonly labelIncludeTemplates?: boolean;
  readonly commonAnnotations?: Readonly<Record<string, string>>;
  readonly forceCommonAnnotations?: boolean;
  /** As in a kustomization file. */
  readonly patches?: readonly JsonObject[];
  readonly components?: readonly string[];
  readonly ignoreMissingComponents?: boolean;
}
