import { startAgent } from '../app.ts';
import { cacheFolder, resolveRunConfig, type RunFlags } from '../config/index.ts';
import { locateRepository } from '../sources.ts';
import { createLog, type LogFormat } from '../telemetry/index.ts';
import type { CliDependencies } from './dependencies.ts';
import { exitCode } from './exit-code.ts';
import { readIgnoreRules } from './read-ignore-rules.ts';
import { renderOptionsFrom, type RenderFlags } from './render-options.ts';
import { createRunReport } from './run-report.ts';

export interface AgentFlags extends RunFlags, RenderFlags {
  readonly gitCredentials?: string;
  readonly context?: string;
  readonly kubeconfig?: string;
  readonly ignoreRules?: string;
  readonly logFormat?: LogFormat;
  readonly logLevel?: 'debug' | 'info' | 'warn' | 'error';
}

/** Runs the agent until a signal stops it. */
export async function runAgent(flags: AgentFlags, { process, output, finish }: CliDependencies): Promise<void> {
  const terminal = process.stderr.isTTY;
  const log = createLog({
    format: flags.logFormat ?? (terminal ? 'text' : 'json'),
    level: flags.logLevel ?? (terminal ? 'warn' : 'info'),
    write: (line) => void process.stderr.write(line),
  });
  const credentials = { env: process.env, folder: flags.gitCredentials, repository: flags.repo };
  const { url } = await locateRepository(flags.repo, credentials);
  const config = resolveRunConfig(flags, { repository: url, options: renderOptionsFrom(flags), env: process.env });
  const report = createRunReport({ write: output.write, colors: output.colors('auto'), log, now: () => new Date() });
  const ignores = await readIgnoreRules(flags.ignoreRules);
  const stopSignal = nextStopSignal(process);
  const agent = await startAgent({
    ...{ config, credentials, renderer: flags.renderer, ignores, log, report },
    kubeconfig: { file: flags.kubeconfig, context: flags.context },
    cacheFolder: cacheFolder(process.env),
  });
  const signal = await stopSignal;
  await agent.stop();
  finish(signal === 'SIGINT' ? exitCode.interrupted : exitCode.done);
  // Timers inside the Redis libraries would keep the process for seconds after everything is closed.
  process.stdout.write('', () => process.exit());
}

function nextStopSignal(process: NodeJS.Process): Promise<NodeJS.Signals> {
  return new Promise((resolve) => {
    process.once('SIGINT', resolve);
    process.once('SIGTERM', resolve);
  });
}
