import { expect, test } from 'vitest';
import { startAdmissionWebhook, type AdmissionWebhook } from '../support/admission-webhook.ts';
import { sharedCluster } from '../support/test-run/index.ts';
import { configMap, deadlineMs, syncScene, type LiveView } from '../e2e/sync/scene.ts';
import { endJob, untilWritten, wavesExample } from '../e2e/sync/waves.ts';

const cluster = sharedCluster();
const automated = { syncPolicy: { automated: {} } };
const names = ['part-0', 'part-1', 'part-2'];

/** A wave for each: one is written after the other. */
const files = (value: string): Readonly<Record<string, string>> =>
  Object.fromEntries(names.map((name, wave) => [`${name}.yaml`, configMap(name, { value, annotations: { 'setpoint.dev/sync-wave': String(wave) } })]));

/** Tells of each write of a part while the server has it in hand. */
function watchWrites(namespace: string, wrote: (line: string) => void): Promise<AdmissionWebhook> {
  return startAdmissionWebhook(cluster, {
    ...{ type: 'validating', namespace, rules: [{ apiGroups: [''], resources: ['configmaps'] }] },
    answer({ dryRun, object }) {
      const { data } = object as { readonly data?: { readonly mode?: string } };
      if (!dryRun && names.includes(object.metadata.name)) wrote(`${object.metadata.name} ${data?.mode ?? ''}`);
      return { type: 'allow' };
    },
  });
}

test('killed at each of its writes, a sync goes on where it was, ends, and writes nothing older over what is newer', { timeout: 300_000 }, async () => {
  await using parts = new AsyncDisposableStack();
  const at = parts.use(await syncScene(cluster, files('v-0')));
  const writes: string[] = [];
  let kill: (() => void) | undefined;
  let killAt = Infinity;
  parts.use(await watchWrites(at.namespace, (line) => (writes.push(line) === killAt ? kill?.() : undefined)));
  const versions = async (count: number): Promise<readonly (string | undefined)[]> => {
    const objects: readonly (LiveView | undefined)[] = await Promise.all(names.slice(0, count).map((name) => at.object('configmaps', name)));
    return objects.map((object) => object?.metadata.resourceVersion);
  };
  await at.application(automated);

  for (let writing = 1; writing <= names.length; writing += 1) {
    const value = `v-${writing}`;
    const commit = await at.commit(files(value));
    writes.length = 0;
    killAt = writing;
    const killed = await at.start();
    kill = () => killed.signal('SIGKILL');
    expect(await killed.ended).toBeNull();
    expect(writes).toEqual(names.slice(0, writing).map((name) => `${name} ${value}`));
    killAt = Infinity;
    const before = await versions(writing - 1);
    const next = await at.start();
    const { operation } = await at.synced(commit);
    expect(operation).toMatchObject({ type: 'deploy', state: 'succeeded', revision: commit });
    // What was on its way when it was killed may have arrived or not; nothing else is written twice.
    expect([...new Set(writes)]).toEqual(names.map((name) => `${name} ${value}`));
    expect(writes.length).toBeLessThanOrEqual(names.length + 1);
    expect(await versions(writing - 1)).toEqual(before);
    expect(await next.stop()).toBe(0);
  }
});

test('killed in the middle of a sync while Git goes on: the rest comes from the newer commit, and nothing of the older one after it', { timeout: 180_000 }, async () => {
  await using parts = new AsyncDisposableStack();
  const at = parts.use(await syncScene(cluster, files('old')));
  const writes: string[] = [];
  let kill: (() => void) | undefined;
  parts.use(await watchWrites(at.namespace, (line) => (writes.push(line) === 2 ? kill?.() : undefined)));
  await at.application(automated);
  const killed = await at.start();
  kill = () => killed.signal('SIGKILL');
  expect(await killed.ended).toBeNull();
  const commit = await at.commit(files('new'));
  await at.start();
  const { operation } = await at.synced(commit);
  expect(operation).toMatchObject({ state: 'succeeded', revision: commit });
  expect(writes).toEqual(['part-0 old', 'part-1 old', ...names.map((name) => `${name} new`)]);
});

test('killed while a hook runs: it is waited for, and not begun again', { timeout: 180_000 }, async () => {
  await using at = await syncScene(cluster, wavesExample('setpoint.dev'));
  await at.application(automated);
  const killed = await at.start();
  await untilWritten(at, ['create jobs/migrate']);
  await at.viewWhen('the hook on record', ({ operation }) => Object.values(operation?.hooks ?? {}).includes('running'));
  await killed.stop('SIGKILL');
  await at.start();
  await endJob(at, 'migrate', 'Succeeded');
  await at.until('shop', 'Synced', deadlineMs);
  await endJob(at, 'smoke-test', 'Succeeded');
  const { operation } = await at.viewWhen('the end', ({ operation: current }) => current?.endedAt !== undefined);
  expect(operation).toMatchObject({ type: 'deploy', state: 'succeeded' });
  expect((await at.written()).filter((line) => line.startsWith('create'))).toEqual(['create jobs/migrate', 'create jobs/smoke-test']);
});
