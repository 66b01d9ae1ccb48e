import { expect, test } from 'vitest';
import { runCli } from '../support/cli.ts';

test.each([
  ['setpoint', ['--help']],
  ['diff', ['diff', '--help']],
  ['render', ['render', '--help']],
  ['run', ['run', '--help']],
  ...['status', 'refresh', 'history', 'sync', 'rollback', 'terminate', 'pause', 'resume', 'alerts', 'mute', 'silences', 'doctor', 'completion', 'config', 'import'].map((name): [string, string[]] => [name, [name, '--help']]),
  ...(['alerts list', 'alerts replay', 'alerts test', 'silences list', 'silences end'] as const).map((name): [string, string[]] => [name.replace(' ', '-'), [...name.split(' '), '--help']]),
  ['config-view', ['config', 'view', '--help']],
  ['config-check', ['config', 'check', '--help']],
  ['import-argocd', ['import', 'argocd', '--help']],
])('the help of %s is as recorded', async (name, args) => {
  const { stdout } = await runCli(args);
  await expect(stdout).toMatchFileSnapshot(`golden/help-${name}.txt`);
});
