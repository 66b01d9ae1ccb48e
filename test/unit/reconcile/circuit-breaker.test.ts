import { describe, expect, test } from 'vitest';
import { SetpointError } from '../../../src/model/index.ts';
import { createBreakers, type Breakers } from '../../../src/reconcile/circuit-breaker.ts';

const start = Date.parse('2026-03-01T12:00:00.000Z');
const down = (): Promise<never> => Promise.reject(new SetpointError('RepositoryUnreachable', 'git.example.com is down'));
const up = (): Promise<string> => Promise.resolve('answer');
const notThere = (): Promise<never> => Promise.reject(new SetpointError('RevisionNotFound', 'there is no branch x'));
const isOutage = (error: unknown): boolean => error instanceof SetpointError && error.code === 'RepositoryUnreachable';

interface Subject {
  readonly breakers: Breakers;
  wait(this: void, ms: number): void;
  fail(this: void, times: number): Promise<void>;
}

function createSubject(random: () => number = () => 1): Subject {
  let time = start;
  const breakers = createBreakers({ now: () => new Date(time), random, isOutage, openAfter: 5, baseMs: 1_000, maxMs: 10_000 });
  return {
    breakers,
    wait(ms) {
      time += ms;
    },
    async fail(times) {
      for (let count = 0; count < times; count += 1) {
        await expect(breakers.run('git', down)).rejects.toThrow('git.example.com is down');
      }
    },
  };
}

/** Work that lasts until it is told how it ends, and how often it was begun. */
function heldWork() {
  const { promise, resolve, reject } = Promise.withResolvers<string>();
  let begun = 0;
  const work = (): Promise<string> => {
    begun += 1;
    return promise;
  };
  return { work, resolve, reject, begun: () => begun };
}

const refused = { code: 'RepositoryUnreachable', message: expect.stringContaining('git is left alone') as unknown };

describe('a closed breaker', () => {
  test('lets everything through, results and errors as they are', async () => {
    const { breakers } = createSubject();
    await expect(breakers.run('git', up)).resolves.toBe('answer');
    await expect(breakers.run('git', notThere)).rejects.toMatchObject({ code: 'RevisionNotFound' });
    expect(breakers.state('git')).toEqual({ type: 'closed', failures: 0 });
  });

  test('counts failures in a row', async () => {
    const { breakers, fail } = createSubject();
    await fail(4);
    expect(breakers.state('git')).toEqual({ type: 'closed', failures: 4 });
    await expect(breakers.run('git', up)).resolves.toBe('answer');
    await fail(4);
    expect(breakers.state('git')).toEqual({ type: 'closed', failures: 4 });
  });

  test('takes an error that is no outage for an answer', async () => {
    const { breakers, fail } = createSubject();
    await fail(4);
    await expect(breakers.run('git', notThere)).rejects.toThrow('there is no branch x');
    expect(breakers.state('git')).toEqual({ type: 'closed', failures: 0 });
  });

  test('learns nothing from work that was called off', async () => {
    const { breakers, fail } = createSubject();
    await fail(4);
    const signal = AbortSignal.abort(new Error('closing'));
    await expect(breakers.run('git', down, signal)).rejects.toThrow('is down');
    await expect(breakers.run('git', notThere, signal)).rejects.toThrow('no branch');
    expect(breakers.state('git')).toEqual({ type: 'closed', failures: 4 });
  });

  test('opens when calls that were begun together all fail', async () => {
    const { breakers } = createSubject();
    const calls = Array.from({ length: 20 }, () => breakers.run('git', down));
    const outcomes = await Promise.allSettled(calls);
    expect(outcomes.every(({ status }) => status === 'rejected')).toBe(true);
    expect(breakers.state('git')).toMatchObject({ type: 'open', failures: 5 });
  });
});

describe('an open breaker', () => {
  test('refuses at once, with the code of the last failure and since when, in the same words for as long as it lasts', async () => {
    const { breakers, fail, wait } = createSubject();
    await fail(1);
    wait(60_000);
    await fail(4);
    const { work, begun } = heldWork();
    await expect(breakers.run('git', work)).rejects.toMatchObject({
      name: 'SetpointError',
      code: 'RepositoryUnreachable',
      message: 'git is left alone for a while: all has failed since 2026-03-01T12:00:00.000Z. The last failure: git.example.com is down',
    });
    expect(begun()).toBe(0);
    expect(breakers.state('git')).toEqual({
      type: 'open',
      since: new Date(start),
      failures: 5,
      code: 'RepositoryUnreachable',
      reason: 'git.example.com is down',
      openedAt: new Date(start + 60_000),
      retryAt: new Date(start + 61_000),
    });
  });

  test('does not concern other names', async () => {
    const { breakers, fail } = createSubject();
    await fail(5);
    await expect(breakers.run('other', up)).resolves.toBe('answer');
    expect(breakers.state('other')).toEqual({ type: 'closed', failures: 0 });
    await expect(breakers.run('git', up)).rejects.toMatchObject(refused);
  });

  test.each([
    [0, 500],
    [0.5, 750],
    [0.999_999, 1_000],
  ])('waits between half and all of the limit: chance %d', async (chance, waitMs) => {
    const { breakers, fail, wait } = createSubject(() => chance);
    await fail(5);
    wait(waitMs - 1);
    await expect(breakers.run('git', up)).rejects.toMatchObject(refused);
    wait(1);
    await expect(breakers.run('git', up)).resolves.toBe('answer');
  });

  test('waits twice as long after each probe that fails, up to a limit', async () => {
    const { breakers, fail, wait } = createSubject();
    await fail(5);
    for (const waitMs of [1_000, 2_000, 4_000, 8_000, 10_000, 10_000]) {
      wait(waitMs - 1);
      await expect(breakers.run('git', up)).rejects.toMatchObject(refused);
      wait(1);
      await fail(1);
    }
    wait(10_000);
    await expect(breakers.run('git', up)).resolves.toBe('answer');
    await fail(5);
    expect(breakers.state('git')).toMatchObject({ failures: 5 });
    wait(1_000);
    await expect(breakers.run('git', up)).resolves.toBe('answer');
  });

  test('closes when a call that was under way before is answered', async () => {
    const { breakers, fail } = createSubject();
    const slow = heldWork();
    const call = breakers.run('git', slow.work);
    await fail(5);
    slow.resolve('late');
    await expect(call).resolves.toBe('late');
    expect(breakers.state('git')).toEqual({ type: 'closed', failures: 0 });
  });

  test('is not opened anew by a call that was under way before', async () => {
    const { breakers, fail, wait } = createSubject();
    const slow = heldWork();
    const call = breakers.run('git', slow.work);
    await fail(5);
    const before = breakers.state('git');
    wait(500);
    slow.reject(new SetpointError('RepositoryUnreachable', 'late'));
    await expect(call).rejects.toThrow('late');
    expect(breakers.state('git')).toEqual(before);
  });

  test('is not kept open by a clock that is set back', async () => {
    const { breakers, fail, wait } = createSubject();
    await fail(5);
    wait(-3_600_000);
    await expect(breakers.run('git', up)).resolves.toBe('answer');
  });

  test('gives an error of another make the code Internal', async () => {
    const breakers = createBreakers({ now: () => new Date(start), random: () => 0, isOutage: () => true, openAfter: 1 });
    await expect(breakers.run('git', () => Promise.reject(new Error('ECONNREFUSED')))).rejects.toThrow('ECONNREFUSED');
    await expect(breakers.run('git', up)).rejects.toMatchObject({ code: 'Internal' });
  });
});

describe('a breaker that is due', () => {
  test('lets exactly one through, and the others when that one is answered', async () => {
    const { breakers, fail, wait } = createSubject();
    await fail(5);
    wait(1_000);
    const probe = heldWork();
    const probing = breakers.run('git', probe.work);
    const others = await Promise.allSettled(Array.from({ length: 10 }, () => breakers.run('git', probe.work)));
    expect(others.map(({ status }) => status)).toEqual(Array.from({ length: 10 }, () => 'rejected'));
    expect(probe.begun()).toBe(1);
    expect(breakers.state('git')).toMatchObject({ type: 'probing', startedAt: new Date(start + 1_000) });
    await expect(breakers.run('git', up)).rejects.toThrow('git is left alone for a while');
    probe.resolve('back');
    await expect(probing).resolves.toBe('back');
    await expect(breakers.run('git', up)).resolves.toBe('answer');
    expect(breakers.state('git')).toEqual({ type: 'closed', failures: 0 });
  });

  test('closes when the probe gets an error that is no outage', async () => {
    const { breakers, fail, wait } = createSubject();
    await fail(5);
    wait(1_000);
    await expect(breakers.run('git', notThere)).rejects.toThrow('there is no branch x');
    expect(breakers.state('git')).toEqual({ type: 'closed', failures: 0 });
  });

  test('is probed by the next one when the probe was called off', async () => {
    const { breakers, fail, wait } = createSubject();
    await fail(5);
    wait(1_000);
    const aborted = AbortSignal.abort(new Error('closing'));
    await expect(breakers.run('git', down, aborted)).rejects.toThrow('is down');
    expect(breakers.state('git')).toMatchObject({ type: 'open', failures: 5 });
    await expect(breakers.run('git', up)).resolves.toBe('answer');
  });
});
