import type { BinaryLimits } from './limits.ts';

/** Nothing of our own environment: no credentials, no proxies, no cluster. The path is empty, so that no further program is found. */
export function childEnvironment(folder: string, { memoryBytes }: BinaryLimits): Readonly<Record<string, string>> {
  const home = `${folder}/home`;
  return {
    PATH: `${home}/bin`,
    HOME: home,
    TMPDIR: folder,
    XDG_CACHE_HOME: `${home}/cache`,
    XDG_CONFIG_HOME: `${home}/config`,
    XDG_DATA_HOME: `${home}/data`,
    HELM_CACHE_HOME: `${home}/cache/helm`,
    HELM_CONFIG_HOME: `${home}/config/helm`,
    HELM_DATA_HOME: `${home}/data/helm`,
    HELM_PLUGINS: `${home}/plugins`,
    HELM_NO_PLUGINS: '1',
    KUBECONFIG: `${home}/kubeconfig`,
    LANG: 'C.UTF-8',
    TZ: 'UTC',
    // Go collects harder before it comes near the kernel's limit.
    GOMEMLIMIT: String(Math.floor(memoryBytes * 0.75)),
  };
}
