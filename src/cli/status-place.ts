import { Option, type Command } from 'commander';
import { contextOption, kubeconfigOption } from './shared-options.ts';
import type { StatusSource } from './status-source.ts';

/** Where the applications of a command are. */
export interface PlaceFlags {
  readonly namespace?: string;
  readonly context?: string;
  readonly kubeconfig?: string;
  /** True: the folder that an agent uses that is told none. */
  readonly state?: string | true;
}

export function addPlaceOptions(command: Command): Command {
  return command
    .addOption(new Option('-n, --namespace <name>', 'namespace of the Application (default: the context’s)').env('SETPOINT_NAMESPACE'))
    .addOption(contextOption())
    .addOption(kubeconfigOption())
    .addOption(new Option('--state [folder]', 'not the cluster: what an agent without Applications there keeps (default: ~/.local/state/setpoint)'));
}

interface Surroundings {
  readonly env: NodeJS.ProcessEnv;
  readonly now: () => Date;
  readonly warn: (text: string) => void;
}

/** The cluster, unless a state folder is named. */
export async function openStatusSource({ state, kubeconfig, context }: PlaceFlags, { env, now, warn }: Surroundings): Promise<StatusSource> {
  if (state !== undefined) {
    const { createFolderSource } = await import('./status-folder.ts');
    const { stateFolder } = await import('../config/index.ts');
    return createFolderSource({ folder: state === true ? stateFolder(env) : state, now, warn });
  }
  const { createClusterSource } = await import('./status-cluster.ts');
  const { createCluster, loadKubeconfig } = await import('../cluster/index.ts');
  const connection = await loadKubeconfig({ file: kubeconfig, context });
  return createClusterSource({ cluster: createCluster(connection), context: connection.context, namespace: connection.namespace ?? 'default', now, warn });
}
