import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { createPause } from '../../../../src/cluster/watch/pause.ts';

beforeEach(() => {
  vi.useFakeTimers();
});

afterEach(() => {
  vi.useRealTimers();
});

const never = new AbortController().signal;

async function durationOf(work: Promise<void>, act: () => void = () => undefined): Promise<number> {
  const since = performance.now();
  let ended: number | undefined;
  void work.then(() => (ended = performance.now()));
  await vi.advanceTimersByTimeAsync(1000);
  act();
  await vi.advanceTimersByTimeAsync(100_000);
  return (ended ?? Number.POSITIVE_INFINITY) - since;
}

describe('a pause', () => {
  test('lasts as long as was asked for', async () => {
    expect(await durationOf(createPause().wait(5000, never))).toBe(5000);
  });

  test('can be shortened, and not made longer', async () => {
    const pause = createPause();
    expect(await durationOf(pause.wait(5000, never), () => pause.shorten(500))).toBe(1500);
    expect(await durationOf(pause.wait(5000, never), () => pause.shorten(50_000))).toBe(5000);
    pause.shorten(1);
    expect(await durationOf(pause.wait(5000, never))).toBe(5000);
  });

  test('is not put off by being shortened again and again', async () => {
    const pause = createPause();
    expect(
      await durationOf(pause.wait(50_000, never), () => {
        pause.shorten(500);
        setTimeout(() => pause.shorten(500), 400);
      }),
    ).toBe(1500);
  });

  test('ends when it is told to', async () => {
    const stop = new AbortController();
    expect(await durationOf(createPause().wait(5000, stop.signal), () => stop.abort())).toBe(1000);
    expect(await durationOf(createPause().wait(5000, stop.signal))).toBe(0);
  });
});
