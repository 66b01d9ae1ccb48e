import { expect, test } from 'vitest';
import { globOf, literally, matchesGlob } from '../../../../src/diff/ignore/glob.ts';

test.each<[string, string, boolean]>([
  ['a', 'a', true],
  ['a', 'ab', false],
  ['', '', true],
  ['', 'a', false],
  ['*', '', true],
  ['*', 'anything\nat all', true],
  ['a*', 'a', true],
  ['a*', 'ba', false],
  ['*a', 'ba', true],
  ['*a', 'ab', false],
  ['a*a', 'a', false],
  ['a*a', 'aa', true],
  ['ab*ba', 'aba', false],
  ['*ab*ab*', 'abab', true],
  ['*ab*ab*', 'aba', false],
  ['*aab*', 'aaab', true],
  ['a*b*c', 'abbbc', true],
  ['a*b*c', 'acb', false],
  ['a*bc*c', 'abc', false],
  ['a**c', 'ac', true],
  ['a.c', 'abc', false],
  ['[a]+(', '[a]+(', true],
])('%s and %s: %s', (glob, text, expected) => {
  expect(matchesGlob(globOf(glob), text)).toBe(expected);
});

test('a text may stand for itself, stars and all', () => {
  expect(matchesGlob(literally('a*'), 'a*')).toBe(true);
  expect(matchesGlob(literally('a*'), 'ab')).toBe(false);
});

test('a glob that would make a regular expression try for years gives its answer', () => {
  const text = 'a'.repeat(50_000);
  expect(matchesGlob(globOf(`${'*a'.repeat(1000)}*b`), text)).toBe(false);
  expect(matchesGlob(globOf(`${'*a'.repeat(1000)}*b*`), text)).toBe(false);
  expect(matchesGlob(globOf(`${'*a'.repeat(1000)}*`), text)).toBe(true);
});
