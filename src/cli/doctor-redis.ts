import { waitingInRedis, type QueueLog } from '../queue/index.ts';
import { toSetpointError } from '../model/index.ts';
import { failure, fine, type Check } from './doctor-check.ts';

/** Whether the queue can use it, and whether it keeps what it is given. */
export async function checkRedis(url: string, env: NodeJS.ProcessEnv): Promise<readonly Check[]> {
  const found: Check[] = [];
  const log: QueueLog = {
    info: () => undefined,
    warn: (message) => void (message.includes('INFO') && found.push({ level: 'warning', about: 'redis', text: message, advice: 'let its user run INFO' })),
    error: (message, fields = {}) => void found.push(failure('redis', [message, ...Object.entries(fields).map(([name, value]) => `${name} ${String(value)}`)].join(', '))),
  };
  try {
    // The agent has one queue for each destination.
    const waiting = await waitingInRedis({ url, env, begin: 'alerts-', log });
    return found.length > 0 ? found : [fine('redis', `keeps what it is given (noeviction); ${waiting} alerts are waiting`)];
  } catch (error) {
    return [...found, failure('redis', toSetpointError(error).message, 'check --redis, and that Redis is running')];
  }
}
