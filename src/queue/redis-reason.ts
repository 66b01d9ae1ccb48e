import { reasonOf } from './work-queue.ts';

// ioredis forgets why.
const closed = /Connection is closed\.$/;

/** Why Redis cannot be used, where ioredis keeps it in another place than the message. */
export function redisReason(error: unknown, sentinelError?: unknown): string {
  const reason = reasonOf(error).replace(/^Too many Cluster redirections\. Last error: (\w+: )?/, '');
  if (error instanceof Error && 'lastNodeError' in error) {
    const last = reasonOf(error.lastNodeError);
    return closed.test(last) ? 'no node of the cluster answers' : `no node of the cluster is of use: ${last}`;
  }
  if (!reason.startsWith('All sentinels are unreachable')) return reason;
  const last = reasonOf(sentinelError ?? error);
  if (/invalid reply: null$|No such master with that name$/.test(last)) return 'no Sentinel knows a master of that name';
  return closed.test(last) ? 'no Sentinel answers' : last;
}
