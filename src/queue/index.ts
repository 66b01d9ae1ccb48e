// Keys in → the same keys handed to a handler, one run per key at a time; touches Redis, or memory only.
export { createMemoryQueue } from './memory-queue.ts';
export { createRedisQueue } from './redis-queue.ts';
export { waitingInRedis } from './redis-waiting.ts';
export type { Backoff } from './backoff.ts';
export type { QueueLog, QueueStats, WorkHandler, WorkQueue } from './work-queue.ts';
