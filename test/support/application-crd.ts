// The definition of Applications on the cluster of the tests. All test files share it: nobody deletes it.
import { createHash } from 'node:crypto';
import { stringifyJson, type KubeObject } from '../../src/model/index.ts';
import { applicationCrd } from '../../src/apps/crd/application-crd.ts';
import type { TestCluster } from './cluster/test-cluster.ts';
import { openRawApi } from './raw-api.ts';
import { waitFor } from './wait-for.ts';

const path = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions/applications.setpoint.dev';
const mark = 'test.setpoint.dev/definition';

/** Most who ask for it find it there, and are done after a request or two. */
export async function installCrd(cluster: TestCluster): Promise<void> {
  const definition = applicationCrd() as KubeObject;
  const hash = createHash('sha256').update(stringifyJson(definition)).digest('hex').slice(0, 16);
  await using api = await openRawApi(cluster.kubeconfig);
  const isServed = async (): Promise<boolean> => (await api.send('GET', '/apis/setpoint.dev/v1alpha1/namespaces/default/applications?limit=1')).status === 200;
  const { status, text } = await api.send('GET', path);
  if (status === 200 && markOf(text) === hash && (await isServed())) return;
  const marked = { ...definition, metadata: { ...definition.metadata, annotations: { [mark]: hash } } };
  await cluster.kubectl(['apply', '--server-side', '--force-conflicts', '--field-manager', 'test-setup', '-f', '-'], stringifyJson(marked));
  await cluster.kubectl(['wait', '--for=condition=Established', 'crd/applications.setpoint.dev', '--timeout=50s']);
  // Established comes a moment before every request is answered.
  await waitFor(isServed, { what: 'Applications to be served' });
}

function markOf(text: string): string | undefined {
  return (JSON.parse(text) as { metadata: { annotations?: Readonly<Record<string, string>> } }).metadata.annotations?.[mark];
}
