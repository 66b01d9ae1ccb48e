import { cacheFolder } from '../config/index.ts';
import { stringifyJson } from '../model/index.ts';
import type { CliDependencies } from './dependencies.ts';
import { exitCodeOfChecks, failureOf, type Check } from './doctor-check.ts';
import { examineCluster } from './doctor-examine.ts';
import { checkRenderEngine, checkRepositories } from './doctor-sources.ts';
import { checkRedis } from './doctor-redis.ts';
import { oneLine } from './format/index.ts';
import type { Colors } from './output.ts';
import { untilInterrupted } from './status-interrupt.ts';

export interface DoctorFlags {
  readonly namespace?: string;
  readonly filename?: string;
  readonly asAgent: boolean;
  readonly agentNamespace: string;
  readonly lease: string;
  readonly redis?: string;
  readonly gitCredentials?: string;
  readonly output: 'text' | 'json';
  readonly color: 'auto' | 'always' | 'never';
  readonly context?: string;
  readonly kubeconfig?: string;
}

/** Each part by itself: what fails in one says nothing about the next. */
export async function runDoctor(flags: DoctorFlags, { process, output, finish }: CliDependencies): Promise<void> {
  const { env } = process;
  const signal = untilInterrupted(process);
  const colors = output.colors(flags.color);
  const checks: Check[] = [];
  const tell = (...found: readonly Check[]): void => {
    checks.push(...found);
    if (flags.output === 'text') output.write(found.map((check) => checkText(check, colors)).join(''));
  };
  const tryTo = async (about: string, work: () => Promise<readonly Check[]>): Promise<void> => {
    tell(...(await work().catch((error: unknown) => [failureOf(about, error)])));
  };

  const specs = await examineCluster(flags, { env, stdin: process.stdin, tell, signal });
  await tryTo('git', () => checkRepositories({ specs, env, gitCredentials: flags.gitCredentials, cacheFolder: cacheFolder(env) }, signal));
  await tryTo('render', async () => [await checkRenderEngine(env)]);
  if (flags.redis !== undefined) await tryTo('redis', () => checkRedis(flags.redis ?? '', env));

  finish(exitCodeOfChecks(checks));
  if (flags.output === 'json') output.write(`${stringifyJson({ apiVersion: 'setpoint.dev/v1', kind: 'DoctorReport', checks: checks.map((check) => ({ ...check })) }, 2)}\n`);
  else output.write(`${summaryOf(checks)}\n`);
}

const signs = { fine: '✓', warning: '!', failure: '✗' } as const;

export function checkText({ level, about, text, advice }: Check, colors: Colors): string {
  const paint = { fine: colors.green, warning: colors.yellow, failure: colors.red }[level];
  return `${paint(signs[level])} ${about.padEnd(12)}  ${oneLine(text)}\n${advice === undefined ? '' : `  ${' '.repeat(12)}  ${colors.dim(`→ ${oneLine(advice)}`)}\n`}`;
}

function summaryOf(checks: readonly Check[]): string {
  const count = (level: Check['level']): number => checks.filter((check) => check.level === level).length;
  const [failures, warnings] = [count('failure'), count('warning')];
  if (failures + warnings === 0) return `all ${checks.length} checks are fine`;
  return `${checks.length} checks: ${[...(failures > 0 ? [`${failures} failed`] : []), ...(warnings > 0 ? [`${warnings} with a warning`] : [])].join(', ')}`;
}
