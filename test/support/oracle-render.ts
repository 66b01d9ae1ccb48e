// What the real `helm template` and `kubectl kustomize` say of a folder.
import { execFile } from 'node:child_process';
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { dirname, join, relative } from 'node:path';
import type { HelmRequest } from '../../src/render/engine/engine.ts';
import { controlPlaneBinary } from './control-plane.ts';

export type Said = { readonly text: string } | { readonly error: string };

export async function writeFiles(folder: string, files: Readonly<Record<string, string | Uint8Array>>): Promise<void> {
  for (const [name, content] of Object.entries(files)) {
    await mkdir(dirname(join(folder, name)), { recursive: true });
    await writeFile(join(folder, name), content);
  }
}

export async function readFiles(folder: string): Promise<Readonly<Record<string, Uint8Array>>> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
  return Object.fromEntries(await Promise.all(files.map(async (file) => [relative(folder, file), await readFile(file)] as const)));
}

export async function helm(...argv: readonly string[]): Promise<Said> {
  return runTool('helm', argv);
}

/** `scratch` is where value files go; it must not be in the chart. */
export async function helmTemplate(folder: string, request: HelmRequest, scratch: string): Promise<Said> {
  const argv = ['template', request.releaseName, join(folder, request.chart), '--namespace', request.namespace];
  if (!request.skipCrds) argv.push('--include-crds');
  if (request.skipTests) argv.push('--skip-tests');
  if (request.skipSchemaValidation) argv.push('--skip-schema-validation');
  if (request.kubeVersion !== undefined) argv.push('--kube-version', request.kubeVersion);
  for (const version of request.apiVersions) argv.push('--api-versions', version);
  const inline = request.values === undefined ? [] : [{ name: 'inline', content: Buffer.from(request.values) }];
  for (const [index, { content }] of [...request.valueFiles, ...inline].entries()) {
    await writeFiles(scratch, { [`values-${index}.yaml`]: content });
    argv.push('--values', join(scratch, `values-${index}.yaml`));
  }
  for (const { name, value, forceString } of request.parameters) argv.push(forceString ? '--set-string' : '--set', `${name}=${value}`);
  for (const [index, { name, content }] of request.fileParameters.entries()) {
    await writeFiles(scratch, { [`file-${index}`]: content });
    argv.push('--set-file', `${name}=${join(scratch, `file-${index}`)}`);
  }
  return runTool('helm', argv);
}

export async function kubectlKustomize(folder: string): Promise<Said> {
  return runTool('kubectl', ['kustomize', folder]);
}

async function runTool(tool: string, argv: readonly string[]): Promise<Said> {
  const binary = await controlPlaneBinary();
  const options = { encoding: 'utf8', maxBuffer: 64 * 1024 * 1024, timeout: 30_000, env: { ...process.env, TZ: 'UTC' } } as const;
  return new Promise((resolve) => {
    execFile(binary, [tool, ...argv], options, (error, stdout, stderr) => {
      resolve(error === null ? { text: stdout } : { error: stderr });
    });
  });
}
