import { describe, expect, test } from 'vitest';
import { poll } from '../../../../src/cluster/write/poll.ts';

const signal = new AbortController().signal;

describe('asking again', () => {
  const asking = async (answerAt: number, withinMs: number): Promise<{ readonly answer: string | undefined; readonly pauses: readonly number[] }> => {
    const pauses: number[] = [];
    let asked = 0;
    const ask = (): Promise<string | undefined> => {
      asked += 1;
      return Promise.resolve(asked === answerAt ? 'there' : undefined);
    };
    const pause = (delayMs: number): Promise<void> => Promise.resolve(void pauses.push(delayMs));
    return { answer: await poll(ask, { withinMs, pause, signal }), pauses };
  };

  test.each([
    [1, 1000, 'there', []],
    [3, 1000, 'there', [50, 100]],
    [9, 300, undefined, [50, 100, 150]],
    [7, 5000, 'there', [50, 100, 200, 400, 800, 1000]],
  ])('answered the %i. time, within %i ms: %s', async (answerAt, withinMs, answer, pauses) => {
    expect(await asking(answerAt, withinMs)).toEqual({ answer, pauses });
  });
});
