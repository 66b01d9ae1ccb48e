import { describe, expect, test } from 'vitest';
import { cut, plainText, shownValue } from '../../../src/notify/plain-text.ts';
import { shownSpan, shownTime } from '../../../src/notify/shown-time.ts';

describe('text from outside', () => {
  test.each([
    ['is kept as it is', 'checkout – Zürich 日本', 'checkout – Zürich 日本'],
    ['shows its line ends', 'a\nb\r\n\tc', String.raw`a\nb\r\n\tc`],
    ['loses what steers a terminal', '\u001b[31mred\u0007\u0000', '[31mred'],
    ['loses what turns the direction of writing', 'a\u202etxt\u2066b\u200f', 'atxtb'],
    ['loses what nobody sees', 'a\u200bb\ufeffc\u2028d', 'abcd'],
    ['has no halves of signs', 'a\ud800b', 'a\ufffdb'],
    ['is cut', 'x'.repeat(30), `${'x'.repeat(19)}…`],
    ['is cut however long it is', 'x'.repeat(100_000), `${'x'.repeat(19)}…`],
    ['is cut where it was long and is not any more', `${'\u200b'.repeat(100)}abc`, '…'],
  ])('%s', (_what, text, shown) => {
    expect(plainText(text, 20)).toBe(shown);
  });

  test('is never cut within a sign', () => {
    expect(cut('aa😀😀', 4)).toBe('aa…');
    expect(cut('aa😀😀', 5)).toBe('aa😀…');
    expect(cut('aa😀', 4)).toBe('aa😀');
  });
});

test.each([
  [3, '3'],
  [true, 'true'],
  [null, 'null'],
  ['nginx:1.27@sha256', 'nginx:1.27@sha256'],
  ['3', '"3"'],
  ['1e3', '"1e3"'],
  ['true', '"true"'],
  ['', '""'],
  ['two words', '"two words"'],
  ['a\nb', String.raw`"a\nb"`],
  [{ a: [1, 'x'] }, '{"a":[1,"x"]}'],
  ['y'.repeat(5000), `${'y'.repeat(199)}…`],
])('the value %j reads %s', (value, shown) => {
  expect(shownValue(value)).toBe(shown);
});

test('a number that a double cannot hold reads exactly', () => {
  expect(shownValue(12345678901234567890n)).toBe('12345678901234567890');
});

describe('times', () => {
  const at = '2026-11-16T10:46:12Z';

  test.each([
    ['2026-11-16T10:40:12Z', '10:40 UTC'],
    ['2026-11-16T11:40:12+01:00', '10:40 UTC'],
    ['2026-11-15T23:59:59Z', '2026-11-15 23:59 UTC'],
    ['whenever', 'an unknown time'],
  ])('%s is %s', (time, shown) => {
    expect(shownTime(time, at)).toBe(shown);
  });

  test.each([
    ['2026-11-16T10:46:00Z', '12 s'],
    ['2026-11-16T10:40:12Z', '6 min'],
    ['2026-11-16T09:20:12Z', '86 min'],
    ['2026-11-15T08:46:12Z', '26 h'],
    ['2026-11-12T10:46:12Z', '4 d'],
    ['2026-11-17T10:46:12Z', '0 s'],
    ['whenever', 'an unknown time'],
  ])('since %s it is %s', (from, shown) => {
    expect(shownSpan(from, at)).toBe(shown);
  });
});
