import { expect, test } from 'vitest';
import { agentScene, manifest } from '../support/agent-scene.ts';
import { runCli } from '../support/cli.ts';
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

test('one that no longer asks for it when it is deleted leaves its objects, though the finalizer is still there', async () => {
  await using at = await agentScene(cluster, ['a']);
  await at.declare('a', cascade);
  const agent = at.agent();
  await at.until('a', 'Synced');
  await waitFor(async () => (await finalizersOf(at, 'a')).includes('setpoint.dev/cascade'), { what: 'the finalizer' });
  expect(await agent.stop()).toBe(0);
  await cluster.kubectl(['delete', 'sp', 'a', '-n', at.namespace, '--wait=false']);
  await cluster.kubectl(['patch', 'sp', 'a', '-n', at.namespace, '--type=merge', '-p', '{"spec":{"deletionPolicy":"Orphan"}}']);
  at.agent();
  await waitFor(() => isGone(at, 'a'), { what: 'the Application to go', deadlineMs: 60_000 });
  expect(await at.live('a')).toBe('on');
});

test('what says Delete=confirm is waited for, and goes when somebody confirms it while the Application is being deleted', async () => {
  await using at = await agentScene(cluster, ['a']);
  await at.repository.commit({ 'apps/a/asks.yaml': manifest('asks', 'on').replace('  name: asks', '  name: asks\n  annotations: { setpoint.dev/sync-options: Delete=confirm }') });
  await at.declare('a', cascade);
  at.agent();
  await at.until('a', 'Synced');
  await waitFor(async () => (await finalizersOf(at, 'a')).includes('setpoint.dev/cascade'), { what: 'the finalizer' });
  await cluster.kubectl(['delete', 'sp', 'a', '-n', at.namespace, '--wait=false']);
  await waitFor(async () => (await at.live('a')) === undefined, { what: 'the rest to go', deadlineMs: 60_000 });
  const held = await waitFor(async () => ((await at.status('a')) as { held?: readonly { name: string; code: string; confirm?: string }[] }).held?.[0], { what: 'the hold' });
  expect(held).toMatchObject({ name: 'asks', code: 'PruneNeedsConfirmation' });
  expect(await at.live('asks')).toBe('on');

  expect(await runCli(['sync', 'a', '-n', at.namespace, '--kubeconfig', cluster.kubeconfig, '--approve', held.confirm ?? ''])).toMatchObject({ code: 0 });
  await waitFor(() => isGone(at, 'a'), { what: 'the Application to go', deadlineMs: 60_000 });
  expect(await at.live('asks')).toBeUndefined();
});

test('one whose namespace is gone goes, and so does one that the agent may not delete anything for: what is left is told', { timeout: 180_000 }, async () => {
  await using parts = new AsyncDisposableStack();
  const at = parts.use(await agentScene(cluster, ['a', 'b']));
  const other = parts.use(await cluster.createNamespace());
  const rules = [
    { apiGroups: ['setpoint.dev'], resources: ['applications', 'applications/status'], verbs: ['get', 'list', 'watch', 'patch', 'update'] },
    { apiGroups: ['', 'coordination.k8s.io', 'events.k8s.io'], resources: ['secrets', 'configmaps', 'leases', 'events'], verbs: ['get', 'list', 'watch', 'create', 'patch', 'update'] },
  ];
  const kubeconfig = await cluster.restrictedUser(at.namespace, rules);
  const role = `definitions-${at.namespace}`;
  parts.defer(async () => void (await cluster.kubectl(['delete', 'clusterrole,clusterrolebinding', role, '--ignore-not-found'])));
  await cluster.kubectl(['create', 'clusterrole', role, '--verb=get,list,watch', '--resource=customresourcedefinitions.apiextensions.k8s.io']);
  await cluster.kubectl(['create', 'clusterrolebinding', role, `--clusterrole=${role}`, `--group=system:serviceaccounts:${at.namespace}`]);
  await cluster.kubectl(['create', 'rolebinding', 'edits', '--clusterrole=cluster-admin', `--group=system:serviceaccounts:${at.namespace}`, '-n', other.name]);
  await at.declare('a', { ...cascade, destination: { namespace: other.name } });
  await at.declare('b', cascade);
  const agent = at.agent('--kubeconfig', kubeconfig);
  await at.until('a', 'Synced');
  await at.until('b', 'Synced');
  await waitFor(async () => (await Promise.all(['a', 'b'].map((name) => finalizersOf(at, name)))).every((text) => text.includes('setpoint.dev/cascade')), { what: 'the finalizers' });
  await cluster.kubectl(['delete', 'namespace', other.name, '--wait=true']);
  await cluster.kubectl(['delete', 'sp', 'a', 'b', '-n', at.namespace, '--wait=false']);
  for (const name of ['a', 'b']) await waitFor(() => isGone(at, name), { what: `the Application ${name} to go`, deadlineMs: 60_000 });
  expect(await at.live('b')).toBe('on');
  await waitFor(() => agent.output.stderr.includes('objects are left of a deleted application'), { what: 'the log' });
});
