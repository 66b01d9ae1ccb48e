import { expect, test } from 'vitest';
import { startAdmissionWebhook } from '../support/admission-webhook.ts';
import { sharedCluster } from '../support/test-run/index.ts';
import { configMap, syncScene } from '../e2e/sync/scene.ts';

const cluster = sharedCluster();
const names = Array.from({ length: 24 }, (_, at) => `part-${String(at).padStart(2, '0')}`);
const files = (value: string): Readonly<Record<string, string>> => Object.fromEntries(names.map((name) => [`${name}.yaml`, configMap(name, { value })]));
/** What Kubernetes gives a pod is 30 s. */
const graceMs = 10_000;

test.each([1, 9])('asked to stop at write %i of a sync, an agent ends what is under way, records it and goes; the next one does the rest, and nothing twice', { timeout: 180_000 }, async (at) => {
  await using parts = new AsyncDisposableStack();
  const scene = parts.use(await syncScene(cluster, files('v-1')));
  const writes: string[] = [];
  let askedAt = 0;
  let stop: (() => void) | undefined;
  parts.use(
    await startAdmissionWebhook(cluster, {
      ...{ type: 'validating', namespace: scene.namespace, rules: [{ apiGroups: [''], resources: ['configmaps'] }] },
      answer({ dryRun, object }) {
        const isWrite = !dryRun && names.includes(object.metadata.name);
        if (isWrite && writes.push(object.metadata.name) === at) stop?.();
        return { type: 'allow' };
      },
    }),
  );
  await scene.application({ syncPolicy: { automated: {} } });
  const first = await scene.start();
  stop = () => {
    askedAt = performance.now();
    first.signal('SIGTERM');
  };
  expect(await first.ended).toBe(0);
  expect(performance.now() - askedAt).toBeLessThan(graceMs);
  const before = [...writes];
  expect(before.length).toBeGreaterThanOrEqual(at);
  expect(before.length).toBeLessThan(names.length);
  const { operation: left } = await scene.view();
  expect(left).toMatchObject({ type: 'deploy', state: 'running', done: { applied: before.length, failed: 0 } });

  await scene.start();
  const { operation } = await scene.viewWhen('the end', ({ operation: current }) => current?.endedAt !== undefined);
  expect(operation).toMatchObject({ id: left?.id, state: 'succeeded', done: { applied: names.length, failed: 0 } });
  expect(writes.toSorted()).toEqual(names);
});
