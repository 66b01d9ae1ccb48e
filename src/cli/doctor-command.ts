import { Command, Option } from 'commander';
import type { CliDependencies } from './dependencies.ts';
import type { DoctorFlags } from './doctor.ts';
import { contextOption, gitCredentialsOption, kubeconfigOption } from './shared-options.ts';

const help = `
Changes nothing. Rights are those of the credentials in use: with --as-agent, run it with the agent's own, in its pod or
with its kubeconfig. Which kinds are needed is taken from the Applications that may be seen, and from -f.

Examples:
  setpoint doctor                          the cluster, and what may be seen of it
  setpoint doctor -f ./k8s -n shop         and what comparing these manifests takes
  setpoint doctor --as-agent --redis redis://redis:6379

Exit codes:
  0  all is well
  2  something does not work
  3  warnings only: it works, but not all of it, or not for ever
  4  something does not work, for want of rights or credentials only`;

export function doctorCommand(dependencies: CliDependencies): Command {
  return new Command('doctor')
    .description('check the cluster, rights, Git, Redis and the agent, and say what to do')
    .addOption(new Option('-n, --namespace <name>', 'look at this namespace only (default: all, or the context’s where that is not allowed)').env('SETPOINT_NAMESPACE'))
    .option('-f, --filename <path>', 'also the rights that comparing these manifests takes')
    .option('--as-agent', 'also the rights that the agent takes', false)
    .addOption(new Option('--agent-namespace <name>', 'namespace of the agent').env('SETPOINT_AGENT_NAMESPACE').default('setpoint'))
    .addOption(new Option('--lease <name>', 'name of the agent’s Lease').env('SETPOINT_LEASE').default('setpoint-agent'))
    .addOption(new Option('--redis <url>', 'also this Redis').env('SETPOINT_REDIS'))
    .addOption(gitCredentialsOption())
    .addOption(new Option('-o, --output <format>', 'how to print').choices(['text', 'json']).default('text'))
    .addOption(new Option('--color <when>', 'colours in the output').choices(['auto', 'always', 'never']).default('auto'))
    .addOption(contextOption())
    .addOption(kubeconfigOption())
    .addHelpText('after', help)
    .action(async (flags: DoctorFlags) => {
      const { runDoctor } = await import('./doctor.ts');
      await runDoctor(flags, dependencies);
    });
}
