import { expect, test } from 'vitest';
import { externalDiffFrom } from '../../../src/cli/external-diff.ts';

test.each([
  ['colordiff -N -u', { command: 'colordiff', args: ['-N', '-u'], dropped: [] }],
  ['/opt/my-tool  --color=always\t-w ', { command: '/opt/my-tool', args: ['--color=always', '-w'], dropped: [] }],
  ['diff -u;rm $(id) `x` a|b --x=/etc "q" a_b', { command: 'diff', args: [], dropped: ['-u;rm', '$(id)', '`x`', 'a|b', '--x=/etc', '"q"', 'a_b'] }],
])('%j is read as kubectl reads it', (value, program) => {
  expect(externalDiffFrom({ KUBECTL_EXTERNAL_DIFF: value })).toEqual(program);
});

test.each([{}, { KUBECTL_EXTERNAL_DIFF: '' }, { KUBECTL_EXTERNAL_DIFF: '  ' }])('%j names no program', (env) => {
  expect(externalDiffFrom(env)).toBeUndefined();
});
