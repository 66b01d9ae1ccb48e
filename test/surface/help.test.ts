import { expect, test } from 'vitest';
import { runCli } from '../support/cli.ts';

test.each([
  ['setpoint', ['--help']],
  ['diff', ['diff', '--help']],
  ['render', ['render', '--help']],
  ['run', ['run', '--help']],
  ...['status', 'refresh', 'history', 'sync', 'rollback', 'terminate', 'pause', 'resume', 'alerts', 'mute', 'silences', 'doctor', 'completion', 'config'].map((name): [string, string[]] => [name, [name, '--help']]),
  ...(['alerts list', 'alerts replay', 'alerts test', 'silences list', 'silences end'] as const).map((name): [string, string[]] => [name.replace(' ', '-'), [...name.split(' '), '--help']]),
])('the help of %s is as recorded', async (name, args) => {
  const { stdout } = await runCli(args);
  await expect(stdout).toMatchFileSnapshot(`golden/help-${name}.txt`);
});
