import { Command, Option } from 'commander';
import type { CliDependencies } from './dependencies.ts';
import { gitCredentialsOption, namespaceOption, rootOption } from './shared-options.ts';
import { renderOptions } from './render-options.ts';
import type { RenderCommandFlags } from './render.ts';

const help = `
Needs no cluster, and asks none: a chart sees the Kubernetes version that Helm was built for unless --kube-version and
--api-versions say otherwise. Charts and kustomizations are rendered in a sandbox that sees the files of the source and
nothing else. Secrets are printed as they are in Git.

Examples:
  setpoint render -f ./k8s                                             plain manifests, a chart or an overlay
  setpoint render -f ./charts/web --values prod.yaml --set replicas=3
  setpoint render --repo https://git.example.com/acme/fleet --path apps/web --revision v1.4
  setpoint render --app application.yaml                               all sources of an Application, also of Argo CD
  setpoint render -f ./k8s -o name

Exit codes:
  0  everything was rendered
  2  an error: wrong flag, no such path, a chart that fails
  3  some documents are no Kubernetes objects, or are declared twice`;

export function renderCommand(dependencies: CliDependencies): Command {
  const command = new Command('render')
    .description('print the manifests that a source stands for, with the file each comes from')
    .option('-f, --filename <path>', 'a folder, a file, or - for standard input')
    .addOption(new Option('--repo <url>', 'Git repository: https://, http://, ssh://, file:// or a local path').env('SETPOINT_REPO').conflicts('filename'))
    .addOption(new Option('--path <folder>', 'folder in the repository').env('SETPOINT_PATH').default('', 'the whole repository'))
    .addOption(new Option('--revision <name>', 'branch, tag or commit').env('SETPOINT_REVISION').default('HEAD'))
    .addOption(new Option('--app <file>', 'an Application document, of Setpoint or Argo CD').conflicts(['filename', 'repo']))
    .addOption(new Option('-o, --output <format>', 'how to print').choices(['yaml', 'json', 'name']).default('yaml'))
    .addOption(namespaceOption())
    .addOption(rootOption())
    .addOption(gitCredentialsOption());
  for (const option of renderOptions()) command.addOption(option);
  return command.addHelpText('after', help).action(async (flags: RenderCommandFlags) => {
    const { runRender } = await import('./render.ts');
    await runRender(flags, dependencies);
  });
}
