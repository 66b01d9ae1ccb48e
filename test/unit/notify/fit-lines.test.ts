import { expect, test } from 'vitest';
import { fitLines } from '../../../src/notify/fit-lines.ts';

const sizeOf = (line: string): number => line.length + 1;
const lines = Array.from({ length: 10 }, (_, at) => `line number ${at}`);

test.each([
  ['all lines stay where they fit', 140, lines],
  ['the last line counts those that do not', 60, ['line number 0', 'line number 1', 'line number 2', 'and 7 more lines']],
  ['a single line that does not fit is counted', 139, [...lines.slice(0, 8), 'and 2 more lines']],
  ['all are counted where not even the first fits', 5, ['and 10 more lines']],
])('%s', (_name, largest, expected) => {
  expect(fitLines(lines, largest, sizeOf)).toEqual(expected);
});

test('one that is left over is one line', () => {
  expect(fitLines(['a', 'b'.repeat(50)], 22, sizeOf)).toEqual(['a', 'and 1 more line']);
});

test('nothing stays nothing', () => {
  expect(fitLines([], 0, sizeOf)).toEqual([]);
});
