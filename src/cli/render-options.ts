import { Option } from 'commander';
import { SetpointError, type HelmOptions, type RenderOptions, type SourceKind } from '../model/index.ts';

export interface RenderFlags {
  readonly sourceKind?: SourceKind;
  readonly include?: string;
  readonly exclude?: string;
  readonly values: readonly string[];
  readonly set: readonly string[];
  readonly setString: readonly string[];
  readonly releaseName?: string;
  readonly kubeVersion?: string;
  readonly apiVersions: readonly string[];
  readonly skipCrds: boolean;
  readonly renderer: 'wasm' | 'binaries';
}

/** How a source becomes manifests: the same flags wherever one is named. */
export function renderOptions(): readonly Option[] {
  const option = (flags: string, description: string): Option => {
    const made = new Option(flags, description);
    return made.env(`SETPOINT_${made.attributeName().replaceAll(/[A-Z]/g, (letter) => `_${letter}`).toUpperCase()}`);
  };
  const repeatable = (flags: string, description: string): Option =>
    option(flags, `${description} (repeatable)`)
      .argParser((value: string, earlier: readonly string[]) => [...earlier, value])
      .default([], 'none');
  return [
    option('--source-kind <kind>', 'what the folder is (default: by its files)').choices(['directory', 'helm', 'kustomize']),
    option('--include <glob>', 'of a folder of manifests, only these files'),
    option('--exclude <glob>', 'of a folder of manifests, not these files'),
    repeatable('--values <file>', 'Helm: a value file, from the chart’s folder, or /FILE from the root'),
    repeatable('--set <name=value>', 'Helm: a value, as helm --set'),
    repeatable('--set-string <name=value>', 'Helm: a value that is a text, as helm --set-string'),
    option('--release-name <name>', 'Helm: name of the release (default: the application’s, or the folder’s)'),
    option('--kube-version <version>', 'Helm: the Kubernetes version that charts see (default: the cluster’s)'),
    repeatable('--api-versions <version>', 'Helm: an API version that charts see (default: the cluster’s)'),
    option('--skip-crds', 'Helm: leave out what the chart’s crds folder holds').default(false),
    option('--renderer <name>', 'what renders charts and kustomizations').choices(['wasm', 'binaries']).default('wasm'),
  ];
}

export function renderOptionsFrom(flags: RenderFlags): RenderOptions {
  const { sourceKind, include, exclude } = flags;
  return {
    ...(sourceKind === undefined ? {} : { kind: sourceKind }),
    directory: { recurse: true, ...(include === undefined ? {} : { include }), ...(exclude === undefined ? {} : { exclude }) },
    helm: helmOptionsFrom(flags),
  };
}

function helmOptionsFrom(flags: RenderFlags): HelmOptions {
  const { values, set, setString, releaseName, kubeVersion, apiVersions, skipCrds } = flags;
  return {
    ...(releaseName === undefined ? {} : { releaseName }),
    ...(kubeVersion === undefined ? {} : { kubeVersion }),
    ...(apiVersions.length === 0 ? {} : { apiVersions }),
    valueFiles: values,
    parameters: [...set.map((text) => parameter('--set', text)), ...setString.map((text) => ({ ...parameter('--set-string', text), forceString: true }))],
    skipCrds,
  };
}

function parameter(flag: string, text: string): { readonly name: string; readonly value: string } {
  const equals = text.indexOf('=');
  if (equals < 1) throw new SetpointError('Usage', `${flag} wants NAME=VALUE, got ${text === '' ? 'nothing' : text}`);
  return { name: text.slice(0, equals), value: text.slice(equals + 1) };
}
