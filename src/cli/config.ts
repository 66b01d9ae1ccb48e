import { checkConfigFile } from '../config/index.ts';
import type { CliDependencies } from './dependencies.ts';
import { exitCode } from './exit-code.ts';
import { formatConfig } from './format-config.ts';
import { oneLine, printable } from './format/index.ts';
import { loadAgentConfig } from './load-agent-config.ts';

export interface ConfigViewFlags {
  readonly origin?: true;
  readonly output: 'yaml' | 'json';
}

interface ViewRequest {
  readonly flags: Readonly<Record<string, unknown>>;
  readonly origin: true | undefined;
  readonly output: 'yaml' | 'json';
}

export async function viewConfig({ flags, origin, output: format }: ViewRequest, { process, output, finish }: CliDependencies): Promise<void> {
  const resolved = await loadAgentConfig(flags, process);
  for (const warning of resolved.warnings) process.stderr.write(`setpoint: ${oneLine(warning)}\n`);
  output.write(formatConfig(resolved, { format, origins: origin === true ? 'shown' : 'left out' }));
  finish(exitCode.done);
}

export async function checkConfig(path: string, { process, output, finish }: CliDependencies): Promise<void> {
  const problems = await checkConfigFile({ path, cwd: process.cwd() }, new AbortController().signal);
  for (const problem of problems) process.stderr.write(`${oneLine(problem)}\n`);
  if (problems.length === 0) output.write(`${printable(path)} can be used\n`);
  finish(problems.length === 0 ? exitCode.done : exitCode.error);
}
