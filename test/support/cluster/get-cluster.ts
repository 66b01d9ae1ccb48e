// Which cluster the tests use: the one of SETPOINT_TEST_KUBECONFIG, or a control plane of our own.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { startControlPlane } from './start-control-plane.ts';
import { createTestCluster, type TestCluster } from './test-cluster.ts';

/** Where the API server of a given cluster writes its audit log, as a file of this machine: `npm run e2e:kind` has one. */
const auditLogVariable = 'SETPOINT_TEST_AUDIT_LOG';

export async function getCluster(): Promise<TestCluster> {
  const given = process.env['SETPOINT_TEST_KUBECONFIG'];
  if (given === undefined || given === '') return startControlPlane();
  const folder = await mkdtemp(join(tmpdir(), 'setpoint-test-'));
  return createTestCluster({
    origin: `SETPOINT_TEST_KUBECONFIG (${given})`,
    kubeconfig: resolve(given),
    kubectl: ['kubectl'],
    auditLogFile: process.env[auditLogVariable] || null,
    folder,
    stop: () => rm(folder, { recursive: true, force: true }),
  });
}
