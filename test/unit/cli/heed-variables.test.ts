import { Command, Option } from 'commander';
import { afterEach, expect, test, vi } from 'vitest';
import { heedVariables } from '../../../src/cli/heed-variables.ts';
import { renderOptions } from '../../../src/cli/render-options.ts';
import { contextOption, kubeconfigOption } from '../../../src/cli/shared-options.ts';

afterEach(() => {
  vi.unstubAllEnvs();
});

function flagsWith(variables: Readonly<Record<string, string>>, ...args: readonly string[]): Readonly<Record<string, unknown>> {
  for (const [name, text] of Object.entries(variables)) vi.stubEnv(name, text);
  const verb = new Command('verb').exitOverride().configureOutput({ writeErr: () => undefined }).addOption(contextOption()).addOption(kubeconfigOption());
  for (const option of renderOptions()) verb.addOption(option);
  const program = new Command('program').addCommand(verb.addOption(new Option('--timeout <duration>').env('SETPOINT_TIMEOUT').default('5m')).action(() => undefined));
  heedVariables(program, process.env);
  program.parse(['verb', ...args], { from: 'user' });
  return verb.opts();
}

test.each<[string, Readonly<Record<string, string>>, readonly string[], Readonly<Record<string, unknown>>]>([
  ['one that is empty is not set', { SETPOINT_CONTEXT: '', SETPOINT_KUBECONFIG: '', SETPOINT_TIMEOUT: '' }, [], { context: undefined, kubeconfig: undefined, timeout: '5m' }],
  ['one that is empty is no choice that is not there', { SETPOINT_RENDERER: '', SETPOINT_SOURCE_KIND: '' }, [], { renderer: 'wasm', sourceKind: undefined }],
  ['an empty list is none', { SETPOINT_VALUES: '' }, [], { values: [] }],
  ['a list has a line for each item', { SETPOINT_VALUES: 'a.yaml\n/b.yaml\n' }, [], { values: ['a.yaml', '/b.yaml'] }],
  ['a flag takes the place of the whole list', { SETPOINT_VALUES: 'a.yaml\n/b.yaml' }, ['--values', 'c.yaml'], { values: ['c.yaml'] }],
  ['false is false', { SETPOINT_SKIP_CRDS: 'false' }, [], { skipCrds: false }],
  ['0 is false', { SETPOINT_SKIP_CRDS: '0' }, [], { skipCrds: false }],
  ['an empty truth value is not set', { SETPOINT_SKIP_CRDS: '' }, [], { skipCrds: false }],
  ['true is true', { SETPOINT_SKIP_CRDS: 'true' }, [], { skipCrds: true }],
  ['a flag goes before it', { SETPOINT_SKIP_CRDS: 'false', SETPOINT_CONTEXT: 'here' }, ['--skip-crds', '--context', 'there'], { skipCrds: true, context: 'there' }],
  ['any other text is taken', { SETPOINT_CONTEXT: 'here' }, [], { context: 'here' }],
])('of variables: %s', (_name, variables, args, expected) => {
  const flags = flagsWith(variables, ...args);
  expect(Object.fromEntries(Object.keys(expected).map((name) => [name, flags[name]]))).toEqual(expected);
});

test('a truth value that is none is refused by its name', () => {
  expect(() => flagsWith({ SETPOINT_SKIP_CRDS: 'maybe' })).toThrow(expect.objectContaining({ code: 'Usage', message: 'SETPOINT_SKIP_CRDS wants true or false, got "maybe"' }));
});

test('a choice that is not there is still refused', () => {
  expect(() => flagsWith({ SETPOINT_RENDERER: 'docker' })).toThrow(/Allowed choices/);
});
