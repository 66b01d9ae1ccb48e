// One cluster for a whole test run: started before the first test file, stopped after the last one.
import type { TestProject } from 'vitest/node';
import { getCluster } from '../cluster/get-cluster.ts';
import type { TestCluster, TestClusterDescription } from '../cluster/test-cluster.ts';

declare module 'vitest' {
  interface ProvidedContext {
    cluster: TestClusterDescription;
  }
}

// Each vitest project runs this set-up in the same process; the cluster is theirs together.
const running = globalThis as { setpointTestCluster?: { promise: Promise<TestCluster>; users: number } };

export default async function setUp({ provide }: TestProject): Promise<() => Promise<void>> {
  const started = Date.now();
  const first = running.setpointTestCluster === undefined;
  const shared = (running.setpointTestCluster ??= { promise: getCluster(), users: 0 });
  shared.users += 1;
  const cluster = await shared.promise;
  if (first) process.stderr.write(`test cluster: ${cluster.origin}, ready after ${((Date.now() - started) / 1000).toFixed(1)} s\n`);
  provide('cluster', cluster.description);
  return async () => {
    shared.users -= 1;
    if (shared.users > 0) return;
    delete running.setpointTestCluster;
    await cluster.stop();
  };
}
