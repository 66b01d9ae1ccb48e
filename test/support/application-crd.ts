// The definition of Applications on the cluster of the tests. All test files share it: nobody deletes it.
import { stringifyJson } from '../../src/model/index.ts';
import { applicationCrd } from '../../src/apps/crd/application-crd.ts';
import type { TestCluster } from './cluster/test-cluster.ts';
import { waitFor } from './wait-for.ts';

export async function installCrd(cluster: TestCluster): Promise<void> {
  await cluster.kubectl(['apply', '--server-side', '--force-conflicts', '--field-manager', 'test-setup', '-f', '-'], stringifyJson(applicationCrd()));
  await cluster.kubectl(['wait', '--for=condition=Established', 'crd/applications.setpoint.dev', '--timeout=30s']);
  // Established comes a moment before every request is answered.
  await waitFor(() => cluster.kubectl(['get', 'applications.setpoint.dev', '-n', 'default']).then(() => true), { what: 'Applications to be served', deadlineMs: 20_000 });
}
