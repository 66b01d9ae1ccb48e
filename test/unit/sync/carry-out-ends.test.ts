import { describe, expect, test } from 'vitest';
import { SetpointError, type Step } from '../../../src/model/index.ts';
import { carryOut, stopping } from '../../../src/sync/index.ts';
import { applyOf, recordingApplier } from './recording-applier.ts';

const signal = new AbortController().signal;
const many = (names: readonly string[], wave = 0): readonly Step[] => names.map((name) => applyOf(name, { wave }));
const configMap = (name: string): string => `/ConfigMap/shop/${name}`;
const applies = (calls: readonly string[]): readonly string[] => calls.filter((call) => call.startsWith('apply'));

describe('fencing', () => {
  const fenced = new SetpointError('NotLeader', 'another agent leads');

  test('is asked for before each write, and ends everything', async () => {
    let asked = 0;
    const mayWrite = (): void => {
      asked += 1;
      if (asked > 2) throw fenced;
    };
    const applier = recordingApplier({ mayWrite });
    await expect(carryOut(many(['a', 'b', 'c', 'd']), applier, { signal, concurrency: 1 })).rejects.toBe(fenced);
    expect(applier.calls).toEqual(['apply a', 'wrote a', 'apply b', 'wrote b']);
  });

  test('what is under way is finished and told before it throws', async () => {
    let isFenced = false;
    const { promise, resolve } = Promise.withResolvers<undefined>();
    const mayWrite = (): void => {
      if (!isFenced) return;
      resolve(undefined);
      throw fenced;
    };
    const answer = (call: string): Promise<undefined> | undefined => {
      if (call === 'apply a') return promise;
      isFenced = true;
      return undefined;
    };
    const applier = recordingApplier({ mayWrite, answer });
    await expect(carryOut(many(['a', 'b', 'c', 'd']), applier, { signal, concurrency: 2 })).rejects.toBe(fenced);
    expect(applier.calls.toSorted()).toEqual(['apply a', 'apply b', 'wrote a', 'wrote b']);
  });

  test('that is found in the midst of a write ends everything too', async () => {
    let isFenced = false;
    const mayWrite = (): void => {
      if (isFenced) throw fenced;
    };
    const answer = (): Promise<never> => {
      isFenced = true;
      return Promise.reject(fenced);
    };
    await expect(carryOut(many(['a']), recordingApplier({ mayWrite, answer }), { signal })).rejects.toBe(fenced);
  });

  test('that is lifted a moment later is none the less the end', async () => {
    let asked = 0;
    const mayWrite = (): void => {
      asked += 1;
      if (asked === 2) throw fenced;
    };
    const applier = recordingApplier({ mayWrite });
    await expect(carryOut(many(['a', 'b', 'c', 'd']), applier, { signal, concurrency: 1 })).rejects.toBe(fenced);
    expect(applies(applier.calls)).toEqual(['apply a']);
  });
});

describe('a signal', () => {
  test('to stop lets the current object be finished, and answers for what was done', async () => {
    const end = new AbortController();
    const seen: boolean[] = [];
    const answer = (call: string, own: AbortSignal): undefined => {
      if (call === 'apply b') end.abort(stopping);
      seen.push(own.aborted);
      return undefined;
    };
    const applier = recordingApplier({ answer });
    const outcomes = await carryOut([...many(['a', 'b', 'c']), ...many(['d'], 1)], applier, { signal: end.signal, concurrency: 1 });
    expect(outcomes.map(({ key }) => key)).toEqual([configMap('a'), configMap('b')]);
    expect(seen).toEqual([false, false]);
    expect(applier.calls).toEqual(['apply a', 'wrote a', 'apply b', 'wrote b']);
  });

  test('to stop that came before the first step leaves nothing to answer for', async () => {
    const applier = recordingApplier();
    expect(await carryOut(many(['a']), applier, { signal: AbortSignal.abort(stopping) })).toEqual([]);
    expect(applier.calls).toEqual([]);
  });

  test('for any other reason ends what is under way, and is thrown', async () => {
    const end = new AbortController();
    const reason = new Error('the lease is lost');
    const answer = (_call: string, own: AbortSignal): Promise<never> => {
      end.abort(reason);
      return Promise.reject(own.reason as Error);
    };
    const applier = recordingApplier({ answer });
    await expect(carryOut(many(['a', 'b']), applier, { signal: end.signal, concurrency: 1 })).rejects.toBe(reason);
    expect(applier.calls).toEqual(['apply a']);
  });

  test('for any other reason is thrown even where the last write went well', async () => {
    const end = new AbortController();
    const reason = new Error('the lease is lost');
    const answer = (): undefined => {
      end.abort(reason);
      return undefined;
    };
    const applier = recordingApplier({ answer });
    await expect(carryOut(many(['a']), applier, { signal: end.signal })).rejects.toBe(reason);
    expect(applier.calls).toEqual(['apply a', 'wrote a']);
  });

  test('that was aborted before is thrown at once', async () => {
    const reason = new Error('over');
    const applier = recordingApplier();
    await expect(carryOut(many(['a']), applier, { signal: AbortSignal.abort(reason) })).rejects.toBe(reason);
    expect(applier.calls).toEqual([]);
  });
});
