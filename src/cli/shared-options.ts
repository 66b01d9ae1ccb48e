import { Option } from 'commander';

export function namespaceOption(): Option {
  return new Option('-n, --namespace <name>', 'namespace of manifests that name none (default: the context’s)').env('SETPOINT_NAMESPACE');
}

export function contextOption(): Option {
  return new Option('--context <name>', 'context of the kubeconfig (default: the current one)').env('SETPOINT_CONTEXT');
}

export function kubeconfigOption(): Option {
  return new Option('--kubeconfig <file>', 'kubeconfig file (default: $KUBECONFIG, ~/.kube/config, or the pod’s account)').env('SETPOINT_KUBECONFIG');
}

export function ignoreRulesOption(): Option {
  return new Option('--ignore-rules <file>', 'what may differ: a YAML list of rules, or an Application with ignoreDifferences').env('SETPOINT_IGNORE_RULES');
}

export function rootOption(): Option {
  return new Option('--root <folder>', 'with -f: nothing outside of it is read (default: the Git work tree around the folder)').env('SETPOINT_ROOT');
}

export function gitCredentialsOption(): Option {
  return new Option('--git-credentials <folder>', 'files that hold the credentials of the repository, as in a mounted Secret').env('SETPOINT_GIT_CREDENTIALS');
}
