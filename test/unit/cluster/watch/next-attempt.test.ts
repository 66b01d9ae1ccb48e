import { describe, expect, test } from 'vitest';
import { nextAttempt, type AttemptEnd, type Progress } from '../../../../src/cluster/watch/next-attempt.ts';
import { backoffMs, defaultPacing } from '../../../../src/cluster/watch/pacing.ts';
import type { WatchFailure } from '../../../../src/cluster/watch/watch-failure.ts';

const at = (position: string | undefined, failures = 0, silences = 0): Progress => ({ position, failures, silences });
const next = (progress: Progress, end: AttemptEnd, random = 0.5): ReturnType<typeof nextAttempt> => nextAttempt(progress, end, { pacing: defaultPacing, random: () => random });
const failure = (more: Partial<WatchFailure> = {}): WatchFailure => ({ state: 'retrying', code: 'ClusterError', message: '', heard: 'nothing', ...more });

describe('the time before another attempt', () => {
  test.each([
    [1, 0, 0],
    [1, 0.5, 400],
    [2, 0.5, 800],
    [3, 0.999, 3197],
    [6, 0.5, 12_800],
    [7, 0.5, 15_000],
    [5000, 0.5, 15_000],
  ])('after %i failures, by a chance of %f, is %i ms', (failures, random, expected) => {
    expect(backoffMs(defaultPacing.backoff, failures, () => random)).toBe(expected);
  });
});

describe('after', () => {
  test.each<[string, Progress, AttemptEnd, Progress, number]>([
    ['a list, it is watched from there', at(undefined, 2), { type: 'listed', resourceVersion: '7' }, at('7', 2), 0],
    ['a watch that ended, it goes on at once', at('7', 2, 1), { type: 'closed', healthy: true }, at('7'), 0],
    ['a watch that ended as soon as it began, it waits', at('7', 2), { type: 'closed', healthy: false }, at('7', 3), 1600],
    ['silence on a watch that had worked, it goes on', at('7', 0, 1), { type: 'silent', healthy: true }, at('7'), 0],
    ['silence from the start, it goes on once', at('7'), { type: 'silent', healthy: false }, at('7', 0, 1), 0],
    ['silence again, it is listed', at('7', 0, 1), { type: 'silent', healthy: false }, at(undefined), 0],
    ['a version that is gone, it is listed at once', at('7', 4), { type: 'expired', healthy: true }, at(undefined, 1), 0],
    ['a version that is gone again, it waits first', at('7', 1), { type: 'expired', healthy: false }, at(undefined, 2), 800],
    ['something unreadable, it is listed, and not at once', at('7'), { type: 'unreadable' }, at(undefined, 1), 400],
    ['a cut, it goes on from there', at('7', 3), { type: 'failed', healthy: true, failure: failure() }, at('7', 1), 400],
    ['cut after cut, it waits longer', at('7', 3), { type: 'failed', healthy: false, failure: failure() }, at('7', 4), 3200],
    ['a long outage, it still goes on from there', at('7', 99), { type: 'failed', healthy: false, failure: failure() }, at('7', 100), 15_000],
    ['a request to wait, it waits for longer than that', at('7'), { type: 'failed', healthy: false, failure: failure({ retryAfterMs: 3000 }) }, at('7', 1), 3400],
    ['a request to wait for days, it asks before', at('7'), { type: 'failed', healthy: false, failure: failure({ retryAfterMs: 9e9 }) }, at('7', 1), 300_400],
    ['the fifth refusal in a row, it is listed', at('7', 4), { type: 'failed', healthy: false, failure: failure({ heard: 'answer' }) }, at(undefined, 5), 6400],
    ['a refusal of the right, it tries again much later, from the start', at('7', 4), { type: 'failed', healthy: false, failure: failure({ state: 'forbidden' }) }, at(undefined), 300_000],
    ['a kind that is gone, likewise', at('7', 4), { type: 'failed', healthy: false, failure: failure({ state: 'not-served' }) }, at(undefined), 300_000],
  ])('%s', (_name, before, end, progress, delayMs) => {
    expect(next(before, end)).toEqual({ progress, delayMs });
  });
});
