import { Command } from 'commander';
import { agentOptions, givenFlags } from './agent-options.ts';
import type { CliDependencies } from './dependencies.ts';
import { keepHeapSmall } from './small-heap.ts';

const help = `
With --repo it looks after one application, with -f after those in files, and with neither after the Applications in the
cluster. Nothing in the cluster is ever changed unless --mode auto or the Application says so. Credentials of the repository
come from --git-credentials, or from SETPOINT_GIT_USERNAME and SETPOINT_GIT_PASSWORD or SETPOINT_GIT_TOKEN.

A flag goes before its environment variable (--repo is SETPOINT_REPO), that before the configuration file (repo: URL).
"setpoint config view --origin" shows what holds, and why.

Examples:
  setpoint run --repo https://git.example.com/acme/fleet --path apps/web
  setpoint run --repo file:///srv/fleet --path apps/web --mode auto
  setpoint run --repo URL --path apps/web --notify-webhook https://hooks.example.com/x --redis redis://localhost:6379
  setpoint run -f applications.yaml
  setpoint run --namespaces shop,search --config /etc/setpoint/config.yaml

Exit codes:
  0    ended by SIGTERM
  2    an error that does not heal by itself: wrong flag, no kubeconfig, a state folder of another application; or a crash
  4    not allowed what it cannot start without
  130  interrupted (SIGINT), or ended at once by a second signal`;

export function runCommand(dependencies: CliDependencies): Command {
  const command = new Command('run').description('watch applications: compare, report, and alert or sync');
  for (const option of agentOptions()) command.addOption(option);
  return command.addHelpText('after', help).action(async () => {
    keepHeapSmall();
    const { runAgent } = await import('./run.ts');
    await runAgent(givenFlags(command), dependencies);
  });
}
