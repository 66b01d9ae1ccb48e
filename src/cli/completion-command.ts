import { Argument, Command } from 'commander';
import type { CliDependencies } from './dependencies.ts';
import { exitCode } from './exit-code.ts';

const help = `
The script asks setpoint itself what may follow, so that it need not be made anew with a new release. For kubectl setpoint,
kubectl finds kubectl_complete-setpoint on the PATH by itself.

Examples:
  source <(setpoint completion bash)                                        in ~/.bashrc
  source <(setpoint completion zsh)                                         in ~/.zshrc, after compinit
  setpoint completion fish > ~/.config/fish/completions/setpoint.fish
  setpoint completion powershell | Out-String | Invoke-Expression           in $PROFILE`;

export function completionCommand({ output, finish }: CliDependencies): Command {
  return new Command('completion')
    .description('print what makes a shell complete setpoint’s words')
    .addArgument(new Argument('<shell>', 'which').choices(['bash', 'zsh', 'fish', 'powershell']))
    .addHelpText('after', help)
    .action(async (shell: 'bash' | 'zsh' | 'fish' | 'powershell') => {
      const { completionScripts } = await import('./completion-scripts.ts');
      output.write(completionScripts[shell]);
      finish(exitCode.done);
    });
}
