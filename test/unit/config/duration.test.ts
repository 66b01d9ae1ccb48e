import { expect, test } from 'vitest';
import { parseDuration } from '../../../src/config/index.ts';

test.each([['60s', 60_000], ['5m', 300_000], ['1h30m', 5_400_000], ['1.5s', 1500], ['250ms', 250]])('%s is a duration', (text, expected) => {
  expect(parseDuration(text)).toBe(expected);
});

test.each(['', '60', 's', '5 m', '1d', '-5s', '5m!'])('%j is no duration', (text) => {
  expect(() => parseDuration(text)).toThrow('a duration such as');
});
