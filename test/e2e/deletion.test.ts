import { expect, test } from 'vitest';
import { agentScene, manifest } from '../support/agent-scene.ts';
import { sharedCluster } from '../support/test-run/index.ts';
import { waitFor } from '../support/wait-for.ts';

const cluster = sharedCluster();
const automated = { syncPolicy: { automated: {} } };
const cascade = { ...automated, deletionPolicy: 'Cascade' };

type Scene = Awaited<ReturnType<typeof agentScene>>;

const finalizersOf = (at: Scene, name: string): Promise<string> => cluster.kubectl(['get', 'sp', name, '-n', at.namespace, '-o', 'jsonpath={.metadata.finalizers}']);
const isGone = async (at: Scene, name: string): Promise<boolean> => (await cluster.kubectl(['get', 'sp', name, '-n', at.namespace, '--ignore-not-found', '-o', 'name'])) === '';

test('an Application that is deleted leaves its objects', async () => {
  await using at = await agentScene(cluster, ['a']);
  await at.declare('a', automated);
  at.agent();
  await at.until('a', 'Synced');
  const log = await cluster.auditLog();
  await cluster.kubectl(['delete', 'sp', 'a', '-n', at.namespace, '--wait=false']);
  await waitFor(() => isGone(at, 'a'), { what: 'the Application to go' });
  expect(await at.live('a')).toBe('on');
  const deletions = (await log.events()).filter(({ verb, objectRef }) => verb.startsWith('delete') && objectRef?.namespace === at.namespace && objectRef.resource === 'configmaps');
  expect(deletions).toEqual([]);
});

test('one that asked for it before takes with it what was applied, and nothing else', async () => {
  await using at = await agentScene(cluster, ['a', 'b']);
  await at.repository.commit({ 'apps/a/more.yaml': `${manifest('more', 'on')}---\n${manifest('kept', 'on').replace('  name: kept', '  name: kept\n  annotations: { setpoint.dev/sync-options: Delete=false }')}` });
  await at.declare('a', cascade);
  await at.declare('b', automated);
  at.agent();
  await at.until('a', 'Synced');
  await at.until('b', 'Synced');
  await waitFor(async () => (await finalizersOf(at, 'a')).includes('setpoint.dev/cascade'), { what: 'the finalizer' });
  await cluster.kubectl(['create', 'configmap', 'bystander', '-n', at.namespace, '--from-literal=mode=on']);
  await cluster.kubectl(['delete', 'sp', 'a', '-n', at.namespace, '--wait=false']);
  await waitFor(() => isGone(at, 'a'), { what: 'the Application to go', deadlineMs: 60_000 });
  expect(await Promise.all(['a', 'more', 'kept', 'b', 'bystander'].map((name) => at.live(name)))).toEqual([undefined, undefined, 'on', 'on', 'on']);
});

test('one that no longer asks for it is let go, and its objects stay', async () => {
  await using at = await agentScene(cluster, ['a']);
  await at.declare('a', cascade);
  at.agent();
  await at.until('a', 'Synced');
  await waitFor(async () => (await finalizersOf(at, 'a')).includes('setpoint.dev/cascade'), { what: 'the finalizer' });
  await cluster.kubectl(['patch', 'sp', 'a', '-n', at.namespace, '--type=merge', '-p', '{"spec":{"deletionPolicy":"Orphan"}}']);
  await waitFor(async () => !(await finalizersOf(at, 'a')).includes('setpoint.dev/cascade'), { what: 'the finalizer to go' });
  await cluster.kubectl(['delete', 'sp', 'a', '-n', at.namespace, '--wait=false']);
  await waitFor(() => isGone(at, 'a'), { what: 'the Application to go' });
  expect(await at.live('a')).toBe('on');
});

test('one whose repository is gone goes all the same, with what was applied', async () => {
  await using at = await agentScene(cluster, ['a']);
  await at.declare('a', cascade);
  at.agent('--interval', '10s');
  await at.until('a', 'Synced');
  await waitFor(async () => (await finalizersOf(at, 'a')).includes('setpoint.dev/cascade'), { what: 'the finalizer' });
  await cluster.kubectl(['patch', 'sp', 'a', '-n', at.namespace, '--type=merge', '-p', '{"spec":{"source":{"path":"apps/nowhere"}}}']);
  await at.until('a', 'Unknown');
  await cluster.kubectl(['delete', 'sp', 'a', '-n', at.namespace, '--wait=false']);
  await waitFor(() => isGone(at, 'a'), { what: 'the Application to go', deadlineMs: 60_000 });
  expect(await at.live('a')).toBeUndefined();
});
