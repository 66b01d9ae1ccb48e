import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { ConnectionOptions } from 'node:tls';
import { Redis } from 'ioredis';
import { onTestFinished } from 'vitest';
import { freePort } from '../../support/free-port.ts';
import { tempFolder } from '../../support/temp-folder.ts';
import { waitFor } from '../../support/wait-for.ts';

export interface RedisProcess {
  readonly port: number;
  command(this: void, name: string, ...args: string[]): Promise<unknown>;
  /** As a crash would. */
  kill(this: void): Promise<void>;
}

export interface ProcessOptions {
  /** Lines of redis.conf. */
  readonly settings?: (port: number) => Promise<readonly string[]> | readonly string[];
  readonly mode?: 'server' | 'sentinel';
  /** For one that comes back where another one was. */
  readonly port?: number;
  /** How the test itself gets in. */
  readonly login?: { readonly password?: string; readonly tls?: ConnectionOptions };
}

/** A redis-server for the duration of a test, with any settings; the WebAssembly one knows neither TLS nor Sentinel. */
export async function startRedisProcess(options: ProcessOptions = {}): Promise<RedisProcess> {
  const { settings, mode = 'server', login = {} } = options;
  const port = options.port ?? (await freePort());
  const folder = await tempFolder();
  const lines = ['bind 127.0.0.1', `dir ${folder.path}`, 'daemonize no', `port ${port}`, ...((await settings?.(port)) ?? [])];
  const file = join(folder.path, 'redis.conf');
  await writeFile(file, `${lines.join('\n')}\n`);
  const child = spawn('redis-server', [file, ...(mode === 'sentinel' ? ['--sentinel'] : [])], { stdio: 'ignore' });
  const kill = async (): Promise<void> => {
    if (child.exitCode !== null || child.signalCode !== null) return;
    const exit = once(child, 'exit');
    child.kill('SIGKILL');
    await exit;
  };
  onTestFinished(async () => {
    await kill();
    await folder.remove();
  });
  const command = async (name: string, ...args: string[]): Promise<unknown> => {
    const client = new Redis({ host: '127.0.0.1', port, lazyConnect: true, retryStrategy: () => null, ...login });
    client.on('error', () => undefined);
    try {
      return await client.call(name, ...args);
    } finally {
      client.disconnect();
    }
  };
  await waitFor(() => command('PING'), { what: `redis-server to answer on port ${port}` });
  return { port, command, kill };
}
