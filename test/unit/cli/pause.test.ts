import { expect, test } from 'vitest';
import { exitCodeOfVerdicts } from '../../../src/cli/exit-code.ts';
import { pauseFrom, type PauseFlags } from '../../../src/cli/pause.ts';
import { hasSeen } from '../../../src/cli/refresh.ts';
import type { Verdict } from '../../../src/model/index.ts';

const now = new Date('2026-03-01T12:00:00Z');

test.each<[string, Pick<PauseFlags, 'until' | 'for' | 'reason'>, string | undefined]>([
  ['no end', {}, undefined],
  ['a while', { for: '1h30m' }, '2026-03-01T13:30:00.000Z'],
  ['an end', { until: '2026-03-01T13:00:00Z' }, '2026-03-01T13:00:00.000Z'],
  ['an end elsewhere', { until: '2026-03-01T14:00+01:00' }, '2026-03-01T13:00:00.000Z'],
])('a pause with %s', (_name, flags, until) => {
  expect(pauseFrom({ ...flags, reason: 'x' }, now)).toEqual({ until, reason: 'x' });
});

test.each([
  [{ until: 'tomorrow' }, '--until wants a time with its zone'],
  [{ until: '2026-03-01 13:00' }, '--until wants a time with its zone'],
  [{ until: '' }, 'got nothing'],
  [{ until: '2026-03-01T12:00:00Z' }, '--until wants a time to come'],
  [{ for: '0s' }, '--for wants more than nothing'],
  [{ for: '99999999h' }, 'an end before the year 10000'],
  [{ for: '9999999999h' }, 'an end before the year 10000'],
  [{ for: 'long' }, 'a duration such as 30s, 5m or 1h30m is wanted'],
])('%j is refused', (flags, message) => {
  expect(() => pauseFrom(flags, now)).toThrow(message);
});

const wish = '2026-03-01T12:00:00.000Z';

test.each([
  [null, false],
  ['', false],
  ['2026-03-01T11:59:59.999Z', false],
  ['something else', false],
  [wish, true],
  // Argo CD's annotation stands behind ours.
  [`${wish} hard`, true],
  ['2026-03-01T12:00:05.000Z', true],
])('an agent that has answered %j has seen the wish: %s', (observed, seen) => {
  expect(hasSeen(observed, wish)).toBe(seen);
});

const synced: Verdict = { status: 'Synced' };
const drifted: Verdict = { status: 'OutOfSync', cause: 'live-changed' };
const unknown: Verdict = { status: 'Unknown', code: 'NotObserved', message: '' };

test.each<[number, readonly Verdict[]]>([
  [0, [synced, synced]],
  [1, [synced, drifted]],
  [1, [drifted, unknown]],
  [3, [synced, unknown]],
  [3, []],
])('%i is the exit code of %j', (code, verdicts) => {
  expect(exitCodeOfVerdicts(verdicts)).toBe(code);
});
