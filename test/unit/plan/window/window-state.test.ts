import { describe, expect, test } from 'vitest';
import type { SyncWindow } from '../../../../src/model/index.ts';
import { windowState } from '../../../../src/plan/window/window-state.ts';

const hourMs = 3_600_000;
const window = (schedule: string, hours: number, timeZone = 'UTC'): SyncWindow => ({ kind: 'deny', schedule, durationMs: hours * hourMs, timeZone });

describe('a window is open from its time on, for its length', () => {
  test.each<[string, SyncWindow, string, string]>([
    ['at its time', window('0 22 * * *', 1), '2026-03-02T22:00:00Z', 'open'],
    ['just before', window('0 22 * * *', 1), '2026-03-02T21:59:59Z', 'shut'],
    ['to its end', window('0 22 * * *', 1), '2026-03-02T22:59:59Z', 'open'],
    ['no longer at its end', window('0 22 * * *', 1), '2026-03-02T23:00:00Z', 'shut'],
    ['past midnight', window('0 22 * * *', 4), '2026-03-03T01:00:00Z', 'open'],
    ['over a weekend, from Friday', window('0 18 * * fri', 62), '2026-03-09T07:59:00Z', 'open'],
    ['and not after it', window('0 18 * * fri', 62), '2026-03-09T08:00:00Z', 'shut'],
    ['on the 29th of February', window('0 0 29 2 *', 1), '2028-02-29T00:30:00Z', 'open'],
    ['on the 13th or on a Friday', window('0 0 13 * 5', 1), '2026-03-06T00:30:00Z', 'open'],
    ['on the clocks of its zone', window('0 22 * * *', 1, 'America/New_York'), '2026-01-16T03:30:00Z', 'open'],
    ['where a zone is half an hour off', window('30 9 * * *', 1, 'Asia/Kolkata'), '2026-03-02T04:00:00Z', 'open'],
    ['for a month', window('0 0 1 * *', 24 * 31), '2026-01-31T23:59:00Z', 'open'],
    ['every minute', window('* * * * *', 1 / 60), '2026-03-02T21:59:59Z', 'open'],
  ])('%s', (_name, given, at, wanted) => {
    expect(windowState(given, new Date(at))).toBe(wanted);
  });
});

describe('in spring, when New York goes from 02:00 EST (07:00Z) to 03:00 EDT on 8 March 2026', () => {
  test.each([
    ['a time that is skipped comes an hour later on the clocks', '30 2 * * *', '2026-03-08T07:30:00Z', 'open'],
    ['and not before', '30 2 * * *', '2026-03-08T07:29:00Z', 'shut'],
    ['the next day is at its own time', '30 2 * * *', '2026-03-09T06:30:00Z', 'open'],
    ['a time after the gap is at its own time', '0 3 * * *', '2026-03-08T07:00:00Z', 'open'],
    ['a time before the gap too', '30 1 * * *', '2026-03-08T06:30:00Z', 'open'],
  ])('%s', (_name, schedule, at, wanted) => {
    expect(windowState(window(schedule, 0.5, 'America/New_York'), new Date(at))).toBe(wanted);
  });
});

describe('in autumn, when New York goes from 02:00 EDT (06:00Z) to 01:00 EST on 1 November 2026', () => {
  test.each([
    ['a time that comes twice opens it the first time', '30 1 * * *', '2026-11-01T05:30:00Z', 'open'],
    ['and the second time', '30 1 * * *', '2026-11-01T06:30:00Z', 'open'],
    ['and not between', '30 1 * * *', '2026-11-01T06:15:00Z', 'shut'],
    ['a time that comes once opens it once', '30 2 * * *', '2026-11-01T07:30:00Z', 'open'],
    ['not an hour earlier', '30 2 * * *', '2026-11-01T06:29:00Z', 'shut'],
  ])('%s', (_name, schedule, at, wanted) => {
    expect(windowState(window(schedule, 0.5, 'America/New_York'), new Date(at))).toBe(wanted);
  });
});

test('zones whose clocks move by half an hour, or at midnight', () => {
  // Lord Howe goes from 02:00 (+11) to 01:30 (+10:30) on 5 April 2026 at 15:00Z the day before.
  expect(windowState(window('45 1 * * *', 0.1, 'Australia/Lord_Howe'), new Date('2026-04-04T15:15:00Z'))).toBe('open');
  // Santiago skips 00:00 to 01:00 on 6 September 2026 (04:00Z).
  expect(windowState(window('15 0 * * *', 0.1, 'America/Santiago'), new Date('2026-09-06T04:15:00Z'))).toBe('open');
});

test.each([window('nonsense', 1), window('0 0 * * *', 1, 'Mars/Olympus'), window('0 0 * * *', 0), window('0 0 * * *', Number.NaN)])('what cannot be read is neither open nor shut: %j', (given) => {
  expect(windowState(given, new Date('2026-03-02T00:00:00Z'))).toBe('unreadable');
});
