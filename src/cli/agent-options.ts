import { Option, type Command } from 'commander';
import { renderOptions } from './render-options.ts';
import { contextOption, gitCredentialsOption, ignoreRulesOption, kubeconfigOption, namespaceOption } from './shared-options.ts';

/** All that can be said to the agent on the command line. Each has an environment variable and, but for --config, a key in a configuration file. */
export function agentOptions(): readonly Option[] {
  const flag = (flags: string, description: string): Option => {
    const option = new Option(flags, description);
    return option.env(`SETPOINT_${option.attributeName().replaceAll(/[A-Z]/g, (letter) => `_${letter}`).toUpperCase()}`);
  };
  return [
    flag('--config <file>', 'configuration file (default: ./.setpoint.yaml, and ~/.config/setpoint/config.yaml)'),
    flag('--repo <url>', 'one application, from this Git repository: https://, http://, ssh://, file:// or a local path'),
    flag('--path <folder>', 'folder of manifests, a chart or a kustomization in the repository').default('', 'the whole repository'),
    flag('--revision <name>', 'branch, tag or commit').default('main'),
    flag('--mode <mode>', 'what to do about a difference').choices(['alert', 'auto']).default('alert'),
    flag('--name <name>', 'name of the application (default: the last part of the path)'),
    namespaceOption(),
    flag('-f, --filename <path>', 'the Applications in this file or folder'),
    flag('--namespaces <names>', 'without --repo and -f: the Applications in these namespaces of the cluster, with commas between them').default('all'),
    flag('--agent-namespace <name>', 'namespace of the agent’s own Lease and Secret (default: the pod’s, or setpoint)'),
    flag('--lease <name>', 'name of the Lease that agents take turns by').default('setpoint-agent'),
    flag('--lease-duration <duration>', 'time after which another agent takes over from one that is silent; whole seconds').default('15s'),
    flag('--interval <duration>', 'time between two looks at Git').default('60s'),
    flag('--sweep <duration>', 'time after which everything is looked at without a reason').default('30m'),
    flag('--looks-at-once <number>', 'applications that are looked at side by side').default(8),
    flag('--notify-webhook <url>', 'where alerts are posted, as CloudEvents'),
    flag('--redis <url>', 'queue in Redis (default: in memory)'),
    flag('--state <folder>', 'where verdicts and alerts are kept (default: ~/.local/state/setpoint)'),
    flag('--listen-hooks <host:port>', 'where webhooks of Git hosts come in, if the configuration file has receivers').default('127.0.0.1:8080'),
    flag('--listen-operations <host:port>', 'where /healthz, /readyz and /metrics are, or none (default: 127.0.0.1:8081, with --repo none)'),
    ignoreRulesOption(),
    contextOption(),
    kubeconfigOption(),
    flag('--cluster-name <name>', 'what alerts call the cluster (default: the name of the context; in a pod in-cluster)'),
    flag('--log-format <format>', 'log lines on stderr (default: text on a terminal, else json)').choices(['text', 'json']),
    flag('--log-level <level>', 'least level logged (default: warn on a terminal, else info)').choices(['debug', 'info', 'warn', 'error']),
    gitCredentialsOption(),
    ...renderOptions(),
  ];
}

/** What was said on the command line itself: the environment is a place of its own. */
export function givenFlags(command: Command): Readonly<Record<string, unknown>> {
  return Object.fromEntries(Object.entries<unknown>(command.opts()).filter(([name]) => command.getOptionValueSource(name) === 'cli'));
}
