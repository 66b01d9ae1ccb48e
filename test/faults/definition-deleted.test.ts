import { expect, test } from 'vitest';
import { agentScene } from '../support/agent-scene.ts';
import { startControlPlane } from '../support/cluster/start-control-plane.ts';
import { waitFor } from '../support/wait-for.ts';

const cascade = { syncPolicy: { automated: {} }, deletionPolicy: 'Cascade' };
const names = ['a', 'b', 'c'];

test.each([
  ['while an agent looks', true],
  ['while none is there, and one is installed again', false],
])('whoever deletes the definition of Applications deletes no workload: %s', { timeout: 300_000 }, async (_name, isThere) => {
  await using parts = new AsyncDisposableStack();
  // Its own: all Applications of a cluster go with their definition.
  const cluster = parts.adopt(await startControlPlane(), ({ stop }) => stop());
  const at = parts.use(await agentScene(cluster, names));
  for (const name of names) await at.declare(name, cascade);
  const agent = at.agent();
  for (const name of names) await at.until(name, 'Synced', 60_000);
  const finalizers = (): Promise<string> => cluster.kubectl(['get', 'sp', '-n', at.namespace, '-o', 'jsonpath={.items[*].metadata.finalizers}']);
  await waitFor(async () => (await finalizers()).split('setpoint.dev/cascade').length === names.length + 1, { what: 'the finalizers', deadlineMs: 60_000 });
  const log = await cluster.auditLog();
  if (!isThere) await agent.stop();
  await cluster.kubectl(['delete', 'crd', 'applications.setpoint.dev', '--wait=false']);
  if (!isThere) {
    await waitFor(async () => (await cluster.kubectl(['get', 'sp', '-n', at.namespace, '-o', 'jsonpath={.items[*].metadata.deletionTimestamp}'])).split(' ').length === names.length, { what: 'the Applications to be deleted', deadlineMs: 60_000 });
    at.agent();
  }
  await waitFor(async () => (await cluster.kubectl(['get', 'crd', 'applications.setpoint.dev', '--ignore-not-found', '-o', 'name'])) === '', { what: 'the definition to go', deadlineMs: 90_000 });
  expect(await Promise.all(names.map((name) => at.live(name)))).toEqual(['on', 'on', 'on']);
  const deletions = (await log.events()).filter(({ verb, objectRef }) => verb.startsWith('delete') && objectRef?.resource === 'configmaps' && objectRef.namespace === at.namespace);
  expect(deletions).toEqual([]);
});
