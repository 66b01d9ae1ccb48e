import { startAgent } from '../app.ts';
import { cacheFolder, resolveRunConfig, type RunFlags } from '../config/index.ts';
import { parseRepositoryUrl } from '../git/index.ts';
import { createLog, type LogFormat } from '../telemetry/index.ts';
import type { CliDependencies } from './dependencies.ts';
import { exitCode } from './exit-code.ts';
import { readIgnoreRules } from './read-ignore-rules.ts';
import { createRunReport } from './run-report.ts';

export interface AgentFlags extends RunFlags {
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
  const repository = parseRepositoryUrl(flags.repo, credentialsFrom(process.env));
  const config = resolveRunConfig(flags, repository.url, process.env);
  const report = createRunReport({ write: output.write, colors: output.colors('auto'), log, now: () => new Date() });
  const ignores = await readIgnoreRules(flags.ignoreRules);
  const stopSignal = nextStopSignal(process);
  const agent = await startAgent({ config, repository, kubeconfig: { file: flags.kubeconfig, context: flags.context }, ignores, cacheFolder: cacheFolder(process.env), log, report });
  const signal = await stopSignal;
  await agent.stop();
  finish(signal === 'SIGINT' ? exitCode.interrupted : exitCode.done);
  // Timers inside the Redis libraries would keep the process for seconds after everything is closed.
  process.stdout.write('', () => process.exit());
}

function credentialsFrom(env: NodeJS.ProcessEnv): { username: string; password: string } | undefined {
  const { SETPOINT_GIT_USERNAME: username, SETPOINT_GIT_PASSWORD: password } = env;
  // Hosts that take a token as the password accept any user name.
  return password === undefined ? undefined : { username: username ?? 'git', password };
}

function nextStopSignal(process: NodeJS.Process): Promise<NodeJS.Signals> {
  return new Promise((resolve) => {
    process.once('SIGINT', resolve);
    process.once('SIGTERM', resolve);
  });
}
