import { SetpointError } from '../../../model/index.ts';
import type { HelmRequest } from '../engine.ts';
import type { WorkFolder } from './work-folder.ts';

export interface HelmInputs {
  readonly args: readonly string[];
  /** What the files beside the chart are called in messages. */
  readonly names: ReadonlyMap<string, string>;
}

/** Writes the inputs that are no part of the chart and tells Helm where they are. Helm cuts paths at commas, so they go from the folder. */
export async function writeHelmInputs(request: HelmRequest, work: WorkFolder): Promise<HelmInputs> {
  const names = new Map<string, string>();
  const write = async (name: string, input: { readonly file: string; readonly content: string | Uint8Array }): Promise<string> => {
    const path = await work.writeInput(input.file, input.content);
    names.set(path, name);
    return path;
  };
  const inline = request.values === undefined ? [] : [{ name: 'values', content: request.values }];
  const files: string[] = [];
  for (const [index, { name, content }] of [...request.valueFiles, ...inline].entries()) {
    files.push(`--values=${await write(name, { file: `setpoint-values-${index}.yaml`, content })}`);
  }
  for (const [index, { name, content }] of request.fileParameters.entries()) {
    checkFileParameter(name);
    files.push(`--set-file=${name}=${await write(name, { file: `setpoint-parameter-${index}`, content })}`);
  }
  const args = ['template', ...flagsOf(request), ...files, '--', request.releaseName, work.inTree(request.chart)];
  if (args.some((argument) => argument.includes('\0'))) throw refused('an option of the chart holds a NUL character');
  return { args, names };
}

function flagsOf(request: HelmRequest): readonly string[] {
  return [
    `--namespace=${request.namespace}`,
    ...(request.kubeVersion === undefined ? [] : [`--kube-version=${request.kubeVersion}`]),
    ...request.apiVersions.map((version) => `--api-versions=${checkApiVersion(version)}`),
    request.skipCrds ? '--skip-crds' : '--include-crds',
    ...(request.skipTests ? ['--skip-tests'] : []),
    ...(request.skipSchemaValidation ? ['--skip-schema-validation'] : []),
    ...request.parameters.map(({ name, value, forceString }) => `--set${forceString ? '-string' : ''}=${name}=${value}`),
  ];
}

/** Helm reads the flag as a line of CSV. */
function checkApiVersion(version: string): string {
  if (!/^[\w./-]+$/.test(version)) throw refused(`${JSON.stringify(version)} is no API version: wanted such as apps/v1 or apps/v1/Deployment`);
  return version;
}

/** `a=/etc/passwd,b` would make Helm read a file of its own choice. */
function checkFileParameter(name: string): void {
  if (/[=,]/.test(name.replaceAll(/\\./gs, ''))) {
    throw refused(`${JSON.stringify(name)} is no name of a parameter: write \\, and \\= for a comma and an equals sign in it`);
  }
}

function refused(problem: string): SetpointError {
  return new SetpointError('RenderFailed', problem);
}
