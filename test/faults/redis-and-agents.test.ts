import { expect, test } from 'vitest';
import { agentScene } from '../support/agent-scene.ts';
import { startHttpSink } from '../support/http-sink.ts';
import { startRedis } from '../support/redis.ts';
import { sharedCluster } from '../support/test-run/index.ts';
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

    interface Told {
      readonly id: string;
      readonly type: string;
      readonly subject: string;
      readonly data: { readonly resources: readonly { readonly since: string }[] };
    }
    const toldOf = (name: string): readonly Told[] => sink.requests.map(({ json }) => json as Told).filter(({ subject }) => subject.endsWith(`/${name}`));
    const onsets = async (name: string): Promise<readonly string[]> => ((await at.status(name)).episodes ?? []).filter(({ cause }) => cause === 'live-changed').map(({ openedAt }) => openedAt);
    for (const name of names) {
      expect(await onsets(name)).toHaveLength(3);
      // One message may tell of several: of what is over by now, too, as long as nobody has been told.
      const untold = async (): Promise<readonly string[]> => {
        const told = new Set(toldOf(name).flatMap(({ data }) => data.resources.map(({ since }) => since)));
        return (await onsets(name)).filter((onset) => !told.has(onset));
      };
      await waitFor(async () => (await untold()).length === 0, { what: `every drift of ${name} to be told`, deadlineMs: 60_000 });
      const copies = [...Map.groupBy(toldOf(name), ({ id }) => id).values()];
      for (const same of copies) expect(new Set(same.map(({ type }) => type)).size).toBe(1);
      await waitFor(() => toldOf(name).at(-1)?.type.includes('resolved') === false, { what: `${name} to be told as it is`, deadlineMs: 60_000 });
      await at.until(name, 'OutOfSync live-changed');
    }
  } finally {
    await redis.stop();
  }
}, 300_000);
