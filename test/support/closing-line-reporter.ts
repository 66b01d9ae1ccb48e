import type { Reporter, TestModule } from 'vitest/node';

/** At the very end: what had to be tried again, and one plain line for logs that are read by programs. */
export default class ClosingLineReporter implements Reporter {
  onTestRunEnd(modules: readonly TestModule[]): void {
    const tests = modules.flatMap((module) => [...module.children.allTests()]);
    const count = (state: string): number => tests.filter((test) => test.result().state === state).length;
    const again = tests.filter((test) => test.diagnostic()?.flaky === true).map((test) => `passed only when tried again: ${test.module.relativeModuleId} > ${test.fullName}\n`);
    process.stdout.write(`\n${again.join('')}${count('passed')} passed, ${count('failed')} failed, ${count('skipped')} skipped\n`);
  }
}
