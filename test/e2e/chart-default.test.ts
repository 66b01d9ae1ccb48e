// The chart with no values but its image, where it looks after all Applications of a cluster: one of its own, because the tests' Applications are not for it.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { agentScene, manifest } from '../support/agent-scene.ts';
import { chartFolder, helm, helmTemplate } from '../support/chart.ts';
import { podOf } from '../support/chart-install.ts';
import { startControlPlane } from '../support/cluster/start-control-plane.ts';
import type { TestCluster } from '../support/cluster/test-cluster.ts';
import { waitFor } from '../support/wait-for.ts';

let cluster: TestCluster;

beforeAll(async () => {
  cluster = await startControlPlane();
}, 180_000);
afterAll(() => cluster.stop());

test('as it comes, the agent sees the Applications of every namespace, is refused nothing, and changes nothing', { timeout: 180_000 }, async () => {
  await using scene = await agentScene(cluster, ['web', 'api']);
  await using other = await cluster.createNamespace();
  const { namespace } = scene;
  const values = { image: { repository: 'registry.example.com/setpoint' } };
  // The scene made the definition before Helm did.
  const { code, stderr } = await helm(['install', 'setpoint', chartFolder, '-n', namespace, '--kubeconfig', cluster.kubeconfig, '--take-ownership'], values);
  expect(`${code} ${code === 0 ? '' : stderr}`).toBe('0 ');
  await cluster.kubectl(['apply', '-n', namespace, '-f', '-'], manifest('web', 'on'));
  await cluster.kubectl(['apply', '-n', other.name, '-f', '-'], manifest('api', 'on'));
  await scene.declare('web');
  const source = { repoURL: scene.repository.url, targetRevision: 'main', path: 'apps/api' };
  await cluster.apply(JSON.stringify({ apiVersion: 'setpoint.dev/v1alpha1', kind: 'Application', metadata: { name: 'api', namespace: other.name }, spec: { source, destination: { namespace: other.name } } }));

  const audit = await cluster.auditLog();
  const { objects } = await helmTemplate(namespace, values);
  const pod = await podOf(cluster, scene, objects);
  await using agent = pod.start();
  await scene.until('web', 'Synced', 60_000);
  const statusOf = async (): Promise<string | undefined> => (await cluster.getJson<{ status?: { sync?: { status: string } } }>('applications.setpoint.dev', 'api', '-n', other.name)).status?.sync?.status;
  await waitFor(async () => (await statusOf()) === 'Synced' || undefined, { what: 'the Application of the other namespace', deadlineMs: 60_000 });
  await scene.edit('web', 'off');
  await scene.until('web', 'OutOfSync live-changed', 60_000);
  await scene.refresh('web');
  expect(await agent.stop()).toBe(0);

  const sent = (await audit.events()).filter(({ user }) => user.username === pod.username);
  expect(sent.length).toBeGreaterThan(0);
  expect(sent.filter(({ responseStatus }) => responseStatus?.code === 403).map(({ verb, requestURI }) => `${verb} ${requestURI}`)).toEqual([]);
  expect(await scene.live('web')).toBe('off');
});
