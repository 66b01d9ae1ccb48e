// A credential plugin for tests: a script that counts its runs and answers as it is told.
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

export interface TestPlugin {
  /** The `exec` of a kubeconfig user. */
  readonly exec: Readonly<Record<string, unknown>>;
  /** What the plugin saw at each of its runs: its arguments and KUBERNETES_EXEC_INFO. */
  runs(): Promise<readonly { readonly args: readonly string[]; readonly env: string; readonly info: Record<string, unknown>; readonly hasInput: boolean }[]>;
  /** The `status` of the answers, one for each run; the last one stays. */
  answer(...statuses: readonly object[]): Promise<void>;
}

const apiVersion = 'client.authentication.k8s.io/v1';

export async function execPlugin(folder: string, overrides: Readonly<Record<string, unknown>> = {}): Promise<TestPlugin> {
  const [script, log, answers] = ['plugin.mjs', 'runs.jsonl', 'answers.json'].map((name) => join(folder, name)) as [string, string, string];
  const source = `
    import { appendFileSync, readFileSync } from 'node:fs';
    const [log, answers] = ${JSON.stringify([log, answers])};
    const info = JSON.parse(process.env.KUBERNETES_EXEC_INFO);
    const hasInput = readFileSync(0).length > 0;
    appendFileSync(log, JSON.stringify({ args: process.argv.slice(2), env: process.env.PLUGIN_SETTING ?? '', info, hasInput }) + '\\n');
    const run = readFileSync(log, 'utf8').trim().split('\\n').length;
    const statuses = JSON.parse(readFileSync(answers, 'utf8'));
    const status = statuses[Math.min(run, statuses.length) - 1];
    process.stdout.write(JSON.stringify({ kind: 'ExecCredential', apiVersion: info.apiVersion, status }));
  `;
  await writeFile(script, source);
  await writeFile(log, '');
  return {
    exec: { apiVersion, interactiveMode: 'Never', command: process.execPath, args: [script], ...overrides },
    async runs() {
      const lines = (await readFile(log, 'utf8')).trim().split('\n');
      return lines.filter((line) => line !== '').map((line) => JSON.parse(line) as Awaited<ReturnType<TestPlugin['runs']>>[number]);
    },
    answer: (...statuses) => writeFile(answers, JSON.stringify(statuses)),
  };
}
