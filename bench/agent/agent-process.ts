// The agent as it is installed: a process of its own, of which only its ports and its number are known.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { open, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { freePort } from '../../test/support/free-port.ts';
import { waitFor } from '../../test/support/wait-for.ts';

export interface AgentOptions {
  /** The file that Node runs. */
  readonly program: string;
  readonly kubeconfig: string;
  readonly namespace: string;
  /** State, log and configuration go here; it outlives the agent. */
  readonly folder: string;
  readonly secretFile: string;
  /** Of Node: a profiler. */
  readonly nodeFlags?: readonly string[];
}

export interface AgentProcess extends AsyncDisposable {
  readonly pid: number;
  readonly hooks: string;
  /** Since the process was made. */
  readonly startedAt: number;
  /** Until it says so itself. */
  ready(signal: AbortSignal): Promise<void>;
  /** The sum over all labels; 0 where it was never counted. */
  counted(metric: string): Promise<number>;
  /** As Kubernetes stops it. */
  stop(): Promise<void>;
  lastLines(): Promise<string>;
}

const readyWithinMs = 60_000;
const stopWithinMs = 30_000;

export async function startAgent({ program, kubeconfig, namespace, folder, secretFile, nodeFlags = [] }: AgentOptions): Promise<AgentProcess> {
  const [operations, hooks] = [`127.0.0.1:${await freePort()}`, `127.0.0.1:${await freePort()}`];
  const configFile = join(folder, 'setpoint.yaml');
  await writeFile(configFile, JSON.stringify({ receivers: [{ id: 'push', provider: 'github', secretFile }] }));
  const logFile = join(folder, 'agent.log');
  const log = await open(logFile, 'a');
  const args = [
    ...['run', '--kubeconfig', kubeconfig, '--agent-namespace', namespace, '--state', join(folder, 'state'), '--interval', '60s'],
    ...['--listen-operations', operations, '--listen-hooks', hooks, '--config', configFile, '--log-format', 'json'],
  ];
  const foreign = /^(?:SETPOINT_|KUBECONFIG|NODE_OPTIONS|npm_)/;
  const env = Object.fromEntries(Object.entries(process.env).filter(([name]) => !foreign.test(name)));
  const startedAt = performance.now();
  const child = spawn(process.execPath, [...nodeFlags, program, ...args], { stdio: ['ignore', log.fd, log.fd], cwd: folder, env: { ...env, NO_COLOR: '1', XDG_CACHE_HOME: join(folder, 'cache') } });
  const killNow = (): void => void child.kill('SIGKILL');
  process.once('exit', killNow);
  const ended = once(child, 'exit').finally(() => process.removeListener('exit', killNow));
  await log.close();
  const { pid } = child;
  if (pid === undefined) throw new Error('the agent could not be started');
  const lastLines = async (): Promise<string> => (await readFile(logFile, 'utf8')).trimEnd().split('\n').slice(-20).join('\n');
  const isOver = (): boolean => child.exitCode !== null || child.signalCode !== null;

  async function get(path: string): Promise<{ readonly ok: boolean; readonly text: string }> {
    const answer = await fetch(`http://${operations}${path}`);
    return { ok: answer.ok, text: await answer.text() };
  }

  return {
    pid,
    hooks: `http://${hooks}/hooks/push`,
    startedAt,
    lastLines,
    async ready(signal) {
      const answer = await waitFor(async () => isOver() || signal.aborted || (await get('/readyz')).ok, { what: 'the agent to be ready', deadlineMs: readyWithinMs }).catch(async (error: Error) => {
        throw new Error(`${error.message}\n${await lastLines()}`, { cause: error });
      });
      signal.throwIfAborted();
      if (answer && isOver()) throw new Error(`the agent ended with ${child.exitCode ?? child.signalCode}\n${await lastLines()}`);
    },
    async counted(metric) {
      const { text } = await get('/metrics');
      const lines = text.split('\n').filter((line) => line.startsWith(`${metric}{`) || line.startsWith(`${metric} `));
      return lines.reduce((sum, line) => sum + Number(line.slice(line.lastIndexOf(' ') + 1)), 0);
    },
    async stop() {
      child.kill('SIGTERM');
      const late = setTimeout(killNow, stopWithinMs);
      await ended;
      clearTimeout(late);
      if (child.exitCode !== 0) throw new Error(`the agent ended with ${child.exitCode ?? child.signalCode}, not with 0\n${await lastLines()}`);
    },
    async [Symbol.asyncDispose]() {
      if (!isOver()) killNow();
      await ended;
    },
  };
}
