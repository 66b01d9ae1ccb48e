// For a whole test run: a cluster and the product as it is installed, made before the first test file and gone after the last one.
import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { TestProject } from 'vitest/node';
import { bundleAgent } from '../../../release/bundle.ts';
import { getCluster } from '../cluster/get-cluster.ts';
import type { TestCluster, TestClusterDescription } from '../cluster/test-cluster.ts';

declare module 'vitest' {
  interface ProvidedContext {
    cluster: TestClusterDescription;
    /** The file that Node runs. */
    program: string;
  }
}

interface TestRun extends AsyncDisposable {
  readonly cluster: TestCluster;
  readonly program: string;
}

// Beside the packaged one: it finds what belongs to it from there.
const programs = join(import.meta.dirname, '..', '..', '..', 'dist');

// Each vitest project runs this set-up in the same process; what it makes is theirs together.
const running = globalThis as { setpointTestRun?: { promise: Promise<TestRun>; users: number } };

export default async function setUp({ provide }: TestProject): Promise<() => Promise<void>> {
  const shared = (running.setpointTestRun ??= { promise: begin(), users: 0 });
  shared.users += 1;
  const { cluster, program, [Symbol.asyncDispose]: end } = await shared.promise;
  provide('cluster', cluster.description);
  provide('program', program);
  return async () => {
    shared.users -= 1;
    if (shared.users > 0) return;
    delete running.setpointTestRun;
    await end();
  };
}

async function begin(): Promise<TestRun> {
  const started = Date.now();
  await using parts = new AsyncDisposableStack();
  const cluster = parts.adopt(await getCluster(), ({ stop }) => stop());
  process.stderr.write(`test cluster: ${cluster.origin}, ready after ${((Date.now() - started) / 1000).toFixed(1)} s\n`);
  await mkdir(programs, { recursive: true });
  const folder = parts.adopt(await mkdtemp(join(programs, 'test-')), (path) => rm(path, { recursive: true, force: true }));
  const program = await bundleAgent(folder);
  const whole = parts.move();
  return { cluster, program, [Symbol.asyncDispose]: () => whole.disposeAsync() };
}
