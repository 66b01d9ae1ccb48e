import { expect, test } from 'vitest';
import { redisReason } from '../../../src/queue/redis-reason.ts';

const allSentinels = new Error('All sentinels are unreachable. Retrying from scratch after 100ms. Last error: x');
const noSlots = (last: string): Error => Object.assign(new Error('Failed to refresh slots cache.'), { lastNodeError: new Error(last) });

test.each<[unknown, unknown, string]>([
  [new Error('connect ECONNREFUSED 127.0.0.1:1'), undefined, 'connect ECONNREFUSED 127.0.0.1:1'],
  ['text', undefined, 'text'],
  [noSlots('Connection is closed.'), undefined, 'no node of the cluster answers'],
  [noSlots('NOAUTH Authentication required.'), undefined, 'no node of the cluster is of use: NOAUTH Authentication required.'],
  [new Error('Too many Cluster redirections. Last error: ReplyError: CLUSTERDOWN The cluster is down'), undefined, 'CLUSTERDOWN The cluster is down'],
  [allSentinels, undefined, allSentinels.message],
  [allSentinels, new Error('failed to connect to sentinel a:1 because Connection is closed.'), 'no Sentinel answers'],
  [allSentinels, new Error('failed to connect to sentinel a:1 because WRONGPASS'), 'failed to connect to sentinel a:1 because WRONGPASS'],
  [allSentinels, new Error('connected to sentinel a:1 successfully, but got an invalid reply: null'), 'no Sentinel knows a master of that name'],
  [allSentinels, new Error('failed to connect to sentinel a:1 because ERR No such master with that name'), 'no Sentinel knows a master of that name'],
  [new Error('WRONGPASS'), new Error('of another time'), 'WRONGPASS'],
])('%s (%s) is told as %s', (error, sentinelError, told) => {
  expect(redisReason(error, sentinelError)).toBe(told);
});
