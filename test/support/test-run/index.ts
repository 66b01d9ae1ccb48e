import { inject } from 'vitest';
import { createTestCluster, type TestCluster } from '../cluster/test-cluster.ts';

/** The cluster of this test run. */
export function sharedCluster(): TestCluster {
  const description = inject('cluster');
  return createTestCluster({ ...description, stop: () => Promise.reject(new Error('the shared cluster is stopped by the test run')) });
}
