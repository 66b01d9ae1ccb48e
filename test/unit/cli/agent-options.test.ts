import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Command } from 'commander';
import { expect, test, vi } from 'vitest';
import { agentOptions, givenFlags } from '../../../src/cli/agent-options.ts';
import { configKeyNames, flagOf, traitsOf, variableOf } from '../../../src/config/config-keys.ts';
import { configProblems } from '../../../src/config/config-problems.ts';
import { fixedDefaults } from '../../../src/config/default-layer.ts';

const root = join(import.meta.dirname, '..', '..', '..');
const options = agentOptions();
const inFlags = configKeyNames.filter((key) => traitsOf(key).fileOnly !== true);

test('every key is a flag and a variable, and every flag but --config is a key', () => {
  const named = options.map((option) => `${option.long} ${option.attributeName()} ${option.envVar}`);
  expect(new Set(named)).toEqual(new Set(['--config config SETPOINT_CONFIG', ...inFlags.map((key) => `${flagOf(key)} ${key} ${variableOf(key)}`)]));
});

test('the defaults that the help shows are those that hold', () => {
  const shown = options.flatMap((option) => (option.defaultValue === undefined ? [] : [[option.attributeName(), option.defaultValue as unknown]]));
  const { receivers: _receivers, healthRules: _rules, ...held } = fixedDefaults;
  expect(Object.fromEntries(shown)).toEqual(held);
});

test('flags are what is on the command line, and neither defaults nor variables', () => {
  vi.stubEnv('SETPOINT_SWEEP', '1h');
  try {
    const command = new Command().exitOverride();
    for (const option of agentOptions()) command.addOption(option);
    command.parse(['--interval', '5m', '--set', 'a=1', '--set', 'b=2', '--skip-crds', '-n', 'shop'], { from: 'user' });
    expect(givenFlags(command)).toEqual({ interval: '5m', set: ['a=1', 'b=2'], skipCrds: true, namespace: 'shop' });
  } finally {
    vi.unstubAllEnvs();
  }
});

test('the page about configuration has every key', () => {
  const page = readFileSync(join(root, 'docs', 'configuration.md'), 'utf8');
  expect(configKeyNames.filter((key) => !page.includes(`\`${key}\``))).toEqual([]);
});

test('the example of a configuration can be used', () => {
  const text = readFileSync(join(root, 'examples', 'agent', 'config.yaml'), 'utf8');
  expect(configProblems({ path: 'config.yaml', folder: '/', text })).toEqual([]);
  // Comments show the rest: they are keys, too.
  expect(configProblems({ path: 'config.yaml', folder: '/', text: text.replaceAll(/^# (?=\w+:(?: |$))/gm, '') })).toEqual([]);
});
