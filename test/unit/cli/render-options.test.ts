import { Command } from 'commander';
import { expect, test, vi } from 'vitest';
import { renderOptions, renderOptionsFrom, type RenderFlags } from '../../../src/cli/render-options.ts';
import type { RenderOptions } from '../../../src/model/index.ts';

function flagsOf(...args: readonly string[]): RenderFlags {
  const command = new Command().exitOverride().configureOutput({ writeErr: () => undefined });
  for (const option of renderOptions()) command.addOption(option);
  return command.parse([...args], { from: 'user' }).opts();
}

const optionsOf = (...args: readonly string[]): RenderOptions => renderOptionsFrom(flagsOf(...args));
const nothing = { directory: { recurse: true }, helm: { valueFiles: [], parameters: [], skipCrds: false } };

test('nothing said is folders read to the bottom, and a chart as it is', () => {
  expect(optionsOf()).toEqual(nothing);
  expect(flagsOf().renderer).toBe('wasm');
});

test.each<[readonly string[], RenderOptions]>([
  [['--source-kind', 'helm'], { ...nothing, kind: 'helm' }],
  [['--include', '*.yaml', '--exclude', 'x/*'], { ...nothing, directory: { recurse: true, include: '*.yaml', exclude: 'x/*' } }],
  [['--values', 'a.yaml', '--values', '/b.yaml'], { ...nothing, helm: { ...nothing.helm, valueFiles: ['a.yaml', '/b.yaml'] } }],
  [['--set', 'a.b=1,c=2', '--set-string', 'd=', '--set', 'e=x=y'], { ...nothing, helm: { ...nothing.helm, parameters: [{ name: 'a.b', value: '1,c=2' }, { name: 'e', value: 'x=y' }, { name: 'd', value: '', forceString: true }] } }],
  [['--release-name', 'r', '--kube-version', 'v1.30.0', '--api-versions', 'a/v1', '--api-versions', 'b/v1', '--skip-crds'], { ...nothing, helm: { ...nothing.helm, releaseName: 'r', kubeVersion: 'v1.30.0', apiVersions: ['a/v1', 'b/v1'], skipCrds: true } }],
])('%j', (args, expected) => {
  expect(optionsOf(...args)).toEqual(expected);
});

test.each(['a', '=1', ''])('--set %j is refused by name', (text) => {
  expect(() => optionsOf('--set', text)).toThrow(expect.objectContaining({ code: 'Usage', message: expect.stringContaining('--set wants NAME=VALUE') as string }));
  expect(() => optionsOf('--set-string', text)).toThrow('--set-string wants NAME=VALUE');
});

test.each([['--source-kind', 'jsonnet'], ['--renderer', 'docker']])('%s %s is no choice', (flag, value) => {
  expect(() => flagsOf(flag, value)).toThrow(/Allowed choices/);
});

test('each flag has an environment variable, and the flag wins', () => {
  vi.stubEnv('SETPOINT_RELEASE_NAME', 'from-env');
  vi.stubEnv('SETPOINT_VALUES', 'env.yaml');
  try {
    expect(optionsOf().helm).toMatchObject({ releaseName: 'from-env', valueFiles: ['env.yaml'] });
    expect(optionsOf('--release-name', 'flag').helm?.releaseName).toBe('flag');
  } finally {
    vi.unstubAllEnvs();
  }
});
