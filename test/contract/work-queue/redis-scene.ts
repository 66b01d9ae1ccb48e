import { spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { onTestFinished } from 'vitest';
import { createRedisQueue } from '../../../src/queue/index.ts';
import { recordingLog } from '../../support/recording-log.ts';
import type { Agent, Scene } from './crashes.ts';
import { momentNow, type AgentEvent } from './run-history.ts';

export interface RedisAgent extends Agent {
  /** The whole process, as a machine that hangs. */
  pause(): void;
  goOn(): void;
}

/** Keys are added here, and worked on by processes of their own. */
export interface RedisScene extends Scene {
  readonly startAgent: (...args: Parameters<Scene['startAgent']>) => Promise<RedisAgent>;
}

export const lockMs = 300;

const script = fileURLToPath(new URL('./worker-child.ts', import.meta.url));

export function redisScene(url: () => string): RedisScene {
  const name = `test-${randomUUID()}`;
  const queue = createRedisQueue({ url: url(), name, concurrency: 1, log: recordingLog() });
  onTestFinished(() => queue.close());
  let agents = 0;

  return {
    forgets: false,
    add: (key, options) => queue.add(key, options),
    stats: () => queue.stats(),
    async startAgent(tell, random) {
      agents += 1;
      const agent = `agent-${agents}`;
      const args = ['--disable-warning=ExperimentalWarning', script, url(), name, agent, String(random.below(2 ** 31)), String(lockMs)];
      const child = spawn(process.execPath, args, { stdio: ['pipe', 'pipe', 'inherit'] });
      const exit = once(child, 'exit');
      const lines = createInterface({ input: child.stdout });
      const told = once(lines, 'close');
      lines.on('line', (line) => tell(JSON.parse(line) as AgentEvent));
      const kill = async (): Promise<{ name: string; at: number }> => {
        const at = momentNow();
        child.kill('SIGKILL');
        await Promise.all([exit, told]);
        return { name: agent, at };
      };
      onTestFinished(async () => {
        await kill();
      });
      return { kill, pause: () => void child.kill('SIGSTOP'), goOn: () => void child.kill('SIGCONT') };
    },
  };
}
