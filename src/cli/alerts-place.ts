import { Option, type Command } from 'commander';
import type { AlertsSource } from './alerts-source.ts';
import type { CliDependencies } from './dependencies.ts';
import { oneLine } from './format/index.ts';
import { addPlaceOptions, type PlaceFlags } from './status-place.ts';
import { userName } from './sync-user.ts';

/** Where the alerts of a command are. */
export interface AlertsPlaceFlags extends PlaceFlags {
  readonly agentNamespace?: string;
}

export function addAlertsPlaceOptions(command: Command): Command {
  return addPlaceOptions(command).addOption(
    new Option('--agent-namespace <name>', 'namespace of the agent, where its silences are (default: the one that the Applications name, or setpoint)').env('SETPOINT_AGENT_NAMESPACE'),
  );
}

/** The cluster, unless a state folder is named. */
export async function openAlertsSource({ state, namespace, kubeconfig, context, agentNamespace }: AlertsPlaceFlags, { process }: Pick<CliDependencies, 'process'>): Promise<AlertsSource> {
  const { env } = process;
  const common = { localUser: userName(env), now: () => new Date(), warn: (text: string): void => void process.stderr.write(`setpoint: ${oneLine(text)}\n`) };
  if (state !== undefined) {
    const { createFolderAlerts } = await import('./alerts-folder.ts');
    const { stateFolder } = await import('../config/index.ts');
    return createFolderAlerts({ folder: state === true ? stateFolder(env) : state, ...common });
  }
  const { createClusterAlerts } = await import('./alerts-cluster.ts');
  const { createCluster, loadKubeconfig } = await import('../cluster/index.ts');
  const connection = await loadKubeconfig({ file: kubeconfig, context });
  return createClusterAlerts({ cluster: createCluster(connection), context: connection.context, namespace: namespace ?? connection.namespace ?? 'default', agentNamespace, ...common });
}
