import { resolve } from 'node:path';
import type { DestinationConfig } from '../model/index.ts';
import type { ReceiverConfig } from './agent-config.ts';
import type { LayerValues } from './settings-schema.ts';

/** What a file says about paths holds wherever the agent is started. */
export function fromFolder(values: LayerValues, folder: string | undefined): LayerValues {
  if (folder === undefined) return values;
  const { repo, filename, state, gitCredentials, ignoreRules, kubeconfig, receivers, destinations } = values;
  const paths = Object.entries({ filename, state, gitCredentials, ignoreRules, kubeconfig }).filter(([, path]) => path !== undefined);
  return {
    ...values,
    ...Object.fromEntries(paths.map(([key, path = '']) => [key, resolve(folder, path)])),
    // Without the dot it may as well be the short form of SSH.
    ...(repo !== undefined && /^\.\.?(?:\/|$)/.test(repo) && { repo: resolve(folder, repo) }),
    ...(receivers !== undefined && { receivers: receivers.map((receiver): ReceiverConfig => ({ ...receiver, secretFiles: receiver.secretFiles.map((file) => resolve(folder, file)) })) }),
    ...(destinations !== undefined && { destinations: destinations.map((destination) => destinationFrom(destination, folder)) }),
  };
}

/** Every key of a destination that names files ends in `File` or `Files`. */
function destinationFrom(destination: DestinationConfig, folder: string): DestinationConfig {
  const read = ([key, value]: [string, unknown]): [string, unknown] => {
    if (key === 'auth') return [key, Object.fromEntries(Object.entries(value as object).map(read))];
    if (key.endsWith('Files')) return [key, (value as readonly string[]).map((file) => resolve(folder, file))];
    return [key, key.endsWith('File') ? resolve(folder, value as string) : value];
  };
  return Object.fromEntries(Object.entries(destination).map(read)) as unknown as DestinationConfig;
}
