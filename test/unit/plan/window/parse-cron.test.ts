import { expect, test } from 'vitest';
import { parseCron } from '../../../../src/plan/window/parse-cron.ts';

function shown(text: string): string {
  const cron = parseCron(text);
  if (cron === undefined) return 'none';
  const list = (values: ReadonlySet<number>): string => [...values].toSorted((a, b) => a - b).join(',');
  return [cron.minutes, cron.hours, cron.days, cron.months, cron.weekdays].map((values) => list(values).slice(0, 24)).join(' | ');
}

test.each([
  ['0 22 1 1 0', '0 | 22 | 1 | 1 | 0'],
  ['*/20 8-10 1 1 1', '0,20,40 | 8,9,10 | 1 | 1 | 1'],
  ['5/25 0 1 1 1', '5,30,55 | 0 | 1 | 1 | 1'],
  ['0 0 1,15 jan,DEC mon-fri', '0 | 0 | 1,15 | 1,12 | 1,2,3,4,5'],
  ['0 0 1 1 7', '0 | 0 | 1 | 1 | 0'],
  ['0 0 1 1 5-7', '0 | 0 | 1 | 1 | 0,5,6'],
  ['0 0 1 1 */2', '0 | 0 | 1 | 1 | 0,2,4,6'],
])('%s', (text, wanted) => {
  expect(shown(text)).toBe(wanted);
});

test.each(['', '* * * *', '* * * * * *', '60 * * * *', '* 24 * * *', '* * 0 * *', '* * * 13 *', '* * * * 8', '5-1 * * * *', '*/0 * * * *', '1-2-3 * * * *', 'a * * * *', '1//2 * * * *', '@daily', '1, * * * *', '-1 * * * *'])('"%s" is no schedule', (text) => {
  expect(parseCron(text)).toBeUndefined();
});

test('one kind of days is enough where both are given', () => {
  expect(parseCron('0 0 13 * 5')?.eitherDay).toBe(true);
  expect(parseCron('0 0 13 * *')?.eitherDay).toBe(false);
  expect(parseCron('0 0 ? * 5')?.eitherDay).toBe(false);
});
