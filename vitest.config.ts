import { availableParallelism } from 'node:os';
import { defineConfig } from 'vitest/config';
import { patienceMs } from './test/support/wait-for.ts';

const prebuild = './test/support/test-run/prebuild.ts';
const patient = { expect: { poll: { timeout: patienceMs } }, testTimeout: 2 * patienceMs, hookTimeout: 2 * patienceMs };
// What depends on servers and on time may fail once on a machine that is shared: it is named at the end then. By hand, nothing is tried again.
const retry = process.env['CI'] === undefined ? 0 : 1;
const real = { ...patient, retry, globalSetup: [prebuild, './test/support/test-run/global-setup.ts'] };

export default defineConfig({
  test: {
    projects: [
      { test: { ...patient, name: 'simulation', include: ['test/simulation/**/*.test.ts'], testTimeout: 300_000 } },
      { test: { ...patient, name: 'unit', include: ['test/unit/**/*.test.ts'], isolate: false, unstubEnvs: true } },
      { test: { ...patient, name: 'surface', include: ['test/surface/**/*.test.ts'], globalSetup: [prebuild] } },
      { test: { ...patient, retry, name: 'contract', include: ['test/contract/**/*.test.ts'] } },
      { test: { name: 'integration', include: ['test/integration/**/*.test.ts'], ...real } },
      { test: { name: 'differential', include: ['test/differential/**/*.test.ts'], ...real } },
      { test: { name: 'catalogue', include: ['test/catalogue/**/*.test.ts'], ...real } },
      { test: { name: 'faults', include: ['test/faults/**/*.test.ts'], ...real } },
      { test: { name: 'e2e', include: ['test/e2e/**/*.test.ts'], ...real } },
    ],
    // Much of the time a test waits.
    maxWorkers: availableParallelism() + 1,
    reporters: ['default', './test/support/closing-line-reporter.ts'],
  },
});
