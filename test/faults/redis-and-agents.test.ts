import { expect, test } from 'vitest';
import { agentScene } from '../support/agent-scene.ts';
import { startHttpSink } from '../support/http-sink.ts';
import { startRedis } from '../support/redis.ts';
import { sharedCluster } from '../support/shared-cluster/index.ts';
import { waitFor } from '../support/wait-for.ts';

const cluster = sharedCluster();

test('Redis flushed, and then gone for a minute: verdicts go on, and every drift is told with one key', async () => {
  await using at = await agentScene(cluster, ['a', 'b', 'c']);
  await using sink = await startHttpSink();
  let redis = await startRedis();
  try {
    const names = ['a', 'b', 'c'];
    for (const name of names) await at.declare(name, { syncPolicy: { automated: {} } });
    at.agent('--redis', redis.url, '--notify-webhook', sink.url);
    for (const name of names) await at.until(name, 'Synced');

    const drift = async (value: string): Promise<void> => {
      for (const name of names) await at.edit(name, value);
      for (const name of names) await at.until(name, value === 'on' ? 'Synced' : 'OutOfSync live-changed');
    };
    const flush = (): Promise<unknown> => redis.command('FLUSHALL');
    await Promise.all([drift('one'), flush()]);
    await flush();
    await drift('on');

    const { port } = redis;
    await redis.stop();
    const gone = performance.now();
    await drift('two');
    await drift('on');
    await drift('three');
    await waitFor(() => performance.now() - gone > 60_000, { what: 'a minute without Redis', deadlineMs: 70_000 });
    redis = await startRedis({ port });

    const told = async (): Promise<readonly { readonly subject: string; readonly type: string; readonly id: string }[]> => sink.requests.map(({ json }) => json as { subject: string; type: string; id: string });
    // Three drifts of each, two of them over: five transitions worth telling.
    await waitFor(async () => new Set((await told()).map(({ id }) => id)).size >= 15, { what: 'all alerts', deadlineMs: 60_000 });
    for (const name of names) {
      const ofOne = (await told()).filter(({ subject }) => subject === name);
      expect(new Set(ofOne.map(({ id }) => id)).size).toBe(5);
      expect(new Set(ofOne.filter(({ type }) => type.includes('firing')).map(({ id }) => id)).size).toBe(3);
      const { episodes = [] } = await at.status(name);
      expect(episodes.filter(({ cause }) => cause === 'live-changed')).toHaveLength(3);
      await at.until(name, 'OutOfSync live-changed');
    }
  } finally {
    await redis.stop();
  }
}, 300_000);
