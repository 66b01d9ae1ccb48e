import { startAgent } from '../app.ts';
import { cacheFolder, withRepository } from '../config/index.ts';
import { locateRepository } from '../sources.ts';
import { createLog } from '../telemetry/index.ts';
import type { CliDependencies } from './dependencies.ts';
import { endOnCrash } from './end-on-crash.ts';
import { loadAgentConfig } from './load-agent-config.ts';
import { readIgnoreRules } from './read-ignore-rules.ts';
import { createRunReport } from './run-report.ts';
import { letHeapGrow } from './small-heap.ts';
import { stopSignal } from './stop-signal.ts';
import { exitCodeOfSignal, untilOver } from './until-over.ts';

/** Runs the agent until a signal stops it. */
export async function runAgent(flags: Readonly<Record<string, unknown>>, { process, output, finish }: CliDependencies): Promise<void> {
  const { config, settings, files, warnings } = await loadAgentConfig(flags, process);
  const { repo, gitCredentials, renderer, logFormat, logLevel } = settings;
  const terminal = process.stderr.isTTY;
  const log = createLog({
    format: logFormat ?? (terminal ? 'text' : 'json'),
    level: logLevel ?? (terminal ? 'warn' : 'info'),
    write: (line) => void process.stderr.write(line),
  });
  endOnCrash(process, log);
  letHeapGrow();
  log.debug('configured', { scope: config.scope.type, files });
  for (const reason of warnings) log.warn('part of the configuration has no effect', { reason });
  const credentials = { env: process.env, folder: gitCredentials, repository: repo };
  const known = repo === undefined ? config : withRepository(config, (await locateRepository(repo, credentials)).url);
  const ignores = await readIgnoreRules(settings.ignoreRules);
  const report = createRunReport({ write: output.write, colors: output.colors('auto'), log, now: () => new Date() });
  const asked = stopSignal(process);
  const starting = new AbortController();
  const given = asked.then((signal) => {
    starting.abort();
    return signal;
  });
  const agent = await startAgent({
    ...{ config: known, credentials, renderer, ignores, log, report },
    kubeconfig: { file: settings.kubeconfig, context: settings.context },
    cacheFolder: cacheFolder(process.env),
    signal: starting.signal,
  }).catch((error: unknown) => {
    if (!starting.signal.aborted) throw error;
    return undefined;
  });
  finish(agent === undefined ? exitCodeOfSignal(await given) : await untilOver({ agent, asked: given, log }));
  // Timers inside the Redis libraries would keep the process for seconds after everything is closed.
  process.stdout.write('', () => process.exit());
}
