import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { compileGlob } from '../../../src/render/glob.ts';

// Recorded from the glob library of Argo CD, gobwas/glob 0.2.3, without separators. Left out: patterns on which it panics, takes an
// overlap twice (`a*a` for `a`) or loses an empty alternative.
const table = JSON.parse(readFileSync(new URL('../../fixtures/glob-table.json', import.meta.url), 'utf8')) as {
  readonly paths: readonly string[];
  readonly patterns: readonly { readonly pattern: string; readonly matches?: readonly string[]; readonly refused?: true }[];
};

test.each(table.patterns.filter(({ refused }) => refused !== true))('$pattern matches what it matches in Argo CD', ({ pattern, matches }) => {
  expect(table.paths.filter(compileGlob(pattern))).toEqual(matches);
});

test.each(table.patterns.filter(({ refused }) => refused === true))('$pattern is refused, as in Argo CD', ({ pattern }) => {
  expect(() => compileGlob(pattern)).toThrow(expect.objectContaining({ code: 'Usage', message: expect.stringContaining(pattern) as string }));
});

describe('where that library is wrong we are right', () => {
  test.each([
    ['a*a', 'a', false],
    ['a*a', 'aa', true],
    ['?', '', false],
    ['b{,a}*', 'b', true],
    ['{a,b}{}', 'a', true],
    ['?{*.yaml,b}', 'x/a.yaml', true],
  ])('%s over %j is %s', (pattern, path, expected) => {
    expect(compileGlob(pattern)(path)).toBe(expected);
  });
});

test.each(['{a', 'a{b,{c}', '{'])('%s has no end, which is said', (pattern) => {
  expect(() => compileGlob(pattern)).toThrow('without its }');
});

test.each([
  ['many alternatives', '{a,b}'.repeat(11), 'alternatives'],
  ['long alternatives', `{${'x'.repeat(30)},y}`.repeat(9), 'characters'],
  ['deep alternatives', '{a,'.repeat(2000) + '}'.repeat(2000), 'alternatives'],
])('a pattern of %s is refused at once', (_name, pattern, reason) => {
  const start = performance.now();
  expect(() => compileGlob(pattern)).toThrow(reason);
  expect(performance.now() - start).toBeLessThan(1000);
});

test.each([
  ['stars before a letter that never comes', '*a'.repeat(50), 'a'.repeat(4000) + 'b'],
  ['stars and single characters', '*?'.repeat(50) + 'b', 'a'.repeat(4000)],
  ['stars in braces', '{*a*a*a*a*b,*a*a*a*a*c}', 'a'.repeat(4000)],
])('%s take no longer for it', (_name, pattern, path) => {
  const matches = compileGlob(pattern);
  const start = performance.now();
  expect(matches(path)).toBe(false);
  expect(performance.now() - start).toBeLessThan(500);
});
