import { describe, expect, test } from 'vitest';
import { SetpointError, type ErrorCode } from '../../../src/model/index.ts';
import { createReferences, type Reference } from '../../../src/reconcile/index.ts';
import { manualClock } from '../../support/manual-clock.ts';

const { signal } = new AbortController();
const main: Reference = { repository: 'r', revision: 'main' };
const pollMs = 60_000;

function scene() {
  const clock = manualClock();
  const it = { clock, head: 'c1', fails: false, failure: 'RepositoryUnreachable' as ErrorCode, asked: 0, takesMs: 0, moved: [] as string[], late: [] as string[] };
  const references = createReferences({
    ...{ pollMs, now: () => clock.now().getTime(), random: clock.random, setTimer: clock.setTimer },
    async resolve() {
      it.asked += 1;
      await (it.takesMs === 0 ? Promise.resolve() : new Promise<void>((end) => clock.setTimer(end, it.takesMs)));
      if (it.fails) throw new SetpointError(it.failure, 'nobody there');
      return it.head;
    },
    onMoved: ({ repository, revision }) => void it.moved.push(`${repository} ${revision}`),
    onLate: ({ revision }) => void it.late.push(revision),
  });
  references.follow([main]);
  return Object.assign(it, { references, commit: async () => (await references.current(main, null, signal)).commit });
}

test('any number of questions at once are one', async () => {
  const it = scene();
  expect(await Promise.all(Array.from({ length: 20 }, () => it.commit()))).toEqual(Array(20).fill('c1'));
  expect(it.asked).toBe(1);
});

test('what is known is not asked for again, but at the poll', async () => {
  const it = scene();
  await it.commit();
  it.head = 'c2';
  expect(await it.commit()).toBe('c1');
  await it.clock.pass(pollMs);
  expect(await it.commit()).toBe('c2');
  expect(it).toMatchObject({ asked: 2, moved: ['r main'] });
});

test('a poll that finds nothing new tells nobody', async () => {
  const it = scene();
  await it.commit();
  await it.clock.pass(5 * pollMs);
  expect(it).toMatchObject({ asked: 6, moved: [] });
});

test('what nobody has asked for is not polled', async () => {
  const it = scene();
  await it.clock.pass(5 * pollMs);
  expect(it.asked).toBe(0);
});

describe('a hint', () => {
  test('asks at once, and the polls after it are rare while hints are right', async () => {
    const it = scene();
    await it.commit();
    it.head = 'c2';
    expect(it.references.hint(({ repository }) => repository === 'r')).toBe(1);
    await it.clock.pass(0);
    expect(await it.commit()).toBe('c2');
    expect(it.moved).toHaveLength(1);
    await it.clock.pass(5 * pollMs);
    expect(it.asked).toBe(2);
    await it.clock.pass(5 * pollMs);
    expect(it.asked).toBe(3);
  });

  test('that gets lost costs a poll, and then polls are frequent again', async () => {
    const it = scene();
    await it.commit();
    it.head = 'c2';
    it.references.hint(() => true);
    await it.clock.pass(0);
    it.head = 'c3';
    await it.clock.pass(10 * pollMs);
    expect(await it.commit()).toBe('c3');
    const { asked } = it;
    await it.clock.pass(3 * pollMs);
    expect(it.asked).toBe(asked + 3);
  });

  test('about another repository asks for nothing', async () => {
    const it = scene();
    await it.commit();
    expect(it.references.hint(({ repository }) => repository === 'other')).toBe(0);
    await it.clock.pass(0);
    expect(it.asked).toBe(1);
  });
});

describe('a server that does not answer', () => {
  test('the first time is an error, and the next one asks anew', async () => {
    const it = scene();
    it.fails = true;
    await expect(it.commit()).rejects.toMatchObject({ code: 'RepositoryUnreachable' });
    it.fails = false;
    expect(await it.commit()).toBe('c1');
  });

  test('the first time is repeated at the usual pace, and tells who needs it once it is answered', async () => {
    const it = scene();
    it.fails = true;
    await expect(it.commit()).rejects.toThrow('nobody there');
    await it.clock.pass(3 * pollMs);
    expect(it).toMatchObject({ asked: 4, moved: [] });
    it.fails = false;
    await it.clock.pass(pollMs);
    expect(it.moved).toEqual(['r main']);
    expect(await it.commit()).toBe('c1');
    expect(it.asked).toBe(5);
  });

  test('the first time is repeated when a hint comes: a branch may be pushed after the Application that names it', async () => {
    const it = scene();
    it.fails = true;
    await expect(it.commit()).rejects.toThrow('nobody there');
    it.fails = false;
    expect(it.references.hint(({ revision }) => revision === 'main')).toBe(1);
    await it.clock.pass(0);
    expect(it).toMatchObject({ asked: 2, moved: ['r main'] });
  });

  test('the first time is told anew when it fails for another reason', async () => {
    const it = scene();
    it.fails = true;
    await expect(it.commit()).rejects.toThrow('nobody there');
    it.failure = 'RevisionNotFound';
    await it.clock.pass(2 * pollMs);
    expect(it.moved).toEqual(['r main']);
  });

  test('after a restart leaves the commit of before, with its trouble', async () => {
    const it = scene();
    it.fails = true;
    expect(await it.references.current(main, 'c0', signal)).toMatchObject({ commit: 'c0', trouble: { code: 'RepositoryUnreachable' } });
  });

  test('after a restart leaves each its own commit of before', async () => {
    const it = scene();
    it.fails = true;
    expect(await it.references.current(main, 'of-one', signal)).toMatchObject({ commit: 'of-one' });
    expect(await it.references.current(main, 'of-another', signal)).toMatchObject({ commit: 'of-another', trouble: { code: 'RepositoryUnreachable' } });
    it.fails = false;
    await it.clock.pass(pollMs);
    expect(await it.references.current(main, 'of-another', signal)).toEqual({ commit: 'c1' });
  });

  test('keeps the last commit, says since when, and that it is back', async () => {
    const it = scene();
    await it.commit();
    it.fails = true;
    await it.clock.pass(3 * pollMs);
    const since = Date.parse('2026-01-01T00:01:00Z');
    expect(await it.references.current(main, null, signal)).toMatchObject({ commit: 'c1', trouble: { since, message: 'nobody there' } });
    expect(it.moved).toHaveLength(3);
    it.fails = false;
    await it.clock.pass(pollMs);
    expect(await it.references.current(main, null, signal)).toEqual({ commit: 'c1' });
    expect(it.moved).toHaveLength(4);
  });
});

test('somebody who asks by chance makes the polls neither rarer nor more frequent', async () => {
  const it = scene();
  await it.commit();
  it.head = 'c2';
  await it.references.ask(main);
  expect(await it.commit()).toBe('c2');
  await it.clock.pass(3 * pollMs);
  expect(it.asked).toBe(5);
});

describe('how often a reference is polled', () => {
  const every = (...polls: readonly (number | undefined)[]) => polls.map((ms) => ({ ...main, pollMs: ms }));

  test.each([
    { who: 'nobody says', wanted: every(undefined), asked: 6 },
    { who: 'one wants it rarely', wanted: every(6 * pollMs), asked: 1 },
    { who: 'one wants it often', wanted: every(pollMs / 6), asked: 36 },
    { who: 'several want it', wanted: every(6 * pollMs, pollMs / 2, undefined), asked: 12 },
    { who: 'one wants it rarely and one does not say', wanted: every(6 * pollMs, undefined), asked: 6 },
  ])('$who: $asked times in six intervals of the agent', async ({ wanted, asked }) => {
    const it = scene();
    it.references.follow(wanted);
    await it.commit();
    await it.clock.pass(6 * pollMs);
    expect(it.asked - 1).toBe(asked);
  });

  test('changes with who wants it, and not by being asked to follow it once more', async () => {
    const it = scene();
    await it.commit();
    await it.clock.pass(pollMs / 2);
    it.references.follow(every(undefined));
    await it.clock.pass(pollMs / 2);
    expect(it.asked).toBe(2);
    it.references.follow(every(pollMs / 6));
    await it.clock.pass(pollMs);
    expect(it.asked).toBe(8);
  });

  test('is as usual while Git does not answer, however patient those are who want it', async () => {
    const it = scene();
    it.references.follow(every(60 * pollMs));
    await it.commit();
    it.fails = true;
    await it.references.ask(main);
    await it.clock.pass(3 * pollMs);
    expect(it.asked).toBe(5);
  });
});

test('a reference that nobody uses any more is polled no longer', async () => {
  const it = scene();
  await it.commit();
  it.references.follow([]);
  await it.clock.pass(5 * pollMs);
  expect(it.asked).toBe(1);
  expect(it.clock.timers()).toBe(0);
});

describe('Git that takes its time', () => {
  test('is not waited for by looks, and asks for others when it answers', async () => {
    const it = scene();
    it.takesMs = 60_000;
    await Promise.all([expect(it.commit()).rejects.toThrow('r has not said yet where main is'), it.clock.pass(6_000)]);
    await expect(it.references.current(main, 'c0', signal)).rejects.toThrow('has not said yet');
    expect(it).toMatchObject({ asked: 1, moved: [], late: ['main'] });
    await it.clock.pass(60_000);
    expect(it).toMatchObject({ asked: 1, moved: ['r main'] });
    expect(await it.commit()).toBe('c1');
  });

  test('is told of when it fails in the end, too', async () => {
    const it = scene();
    [it.takesMs, it.fails] = [20_000, true];
    await Promise.all([expect(it.commit()).rejects.toThrow('has not said yet'), it.clock.pass(20_000)]);
    expect(it.moved).toEqual(['r main']);
  });

  test('and what it failed with is what looks are told then, until the next poll', async () => {
    const it = scene();
    [it.takesMs, it.fails] = [20_000, true];
    await Promise.all([expect(it.commit()).rejects.toThrow('has not said yet'), it.clock.pass(20_000)]);
    await expect(it.commit()).rejects.toThrow('nobody there');
    expect(await it.references.current(main, 'c0', signal)).toMatchObject({ commit: 'c0', trouble: { code: 'RepositoryUnreachable' } });
    expect(it.asked).toBe(1);
    it.fails = false;
    await it.clock.pass(pollMs + 30_000);
    expect(it).toMatchObject({ asked: 2, moved: ['r main', 'r main'] });
    expect(await it.commit()).toBe('c1');
  });

  test('is asked no more often than it is polled, however often looks come, and as often where it was to be asked rarely', async () => {
    const it = scene();
    it.references.follow([{ ...main, pollMs: 60 * pollMs }]);
    [it.takesMs, it.fails] = [20_000, true];
    await Promise.all([expect(it.commit()).rejects.toThrow('has not said yet'), it.clock.pass(20_000)]);
    for (let look = 0; look < 60; look += 1) {
      await expect(it.commit()).rejects.toThrow('nobody there');
      await it.clock.pass(10_000);
    }
    expect(it.asked).toBeGreaterThan(5);
    expect(it.asked).toBeLessThan(12);
  });

  test('is not waited for by a takeover either', async () => {
    const it = scene();
    await it.commit();
    it.takesMs = 30_000;
    it.references.doubt();
    await Promise.all([expect(it.commit()).rejects.toThrow('has not said yet'), it.clock.pass(6_000)]);
    await it.clock.pass(30_000);
    expect(it.moved).toEqual(['r main']);
  });

  test('holds nobody up who knows the commit already', async () => {
    const it = scene();
    await it.commit();
    it.takesMs = 30_000;
    await it.clock.pass(pollMs + 10_000);
    expect(await it.commit()).toBe('c1');
    expect(it).toMatchObject({ asked: 2, late: [] });
  });
});

describe('what is in doubt', () => {
  test('is so no longer when Git answers a question that was on its way when the doubt came up', async () => {
    const it = scene();
    it.fails = true;
    await expect(it.commit()).rejects.toThrow('nobody there');
    const look = it.references.current(main, 'c0', signal);
    void it.references.ask(main);
    await Promise.resolve();
    [it.fails, it.takesMs, it.head] = [false, 1000, 'c2'];
    expect((await look).commit).toBe('c0');
    await it.clock.pass(2000);
    expect(it.moved).toContain('r main');
    expect((await it.references.current(main, 'c0', signal)).commit).toBe('c2');
  });

  test('is asked for by who needs it next, and polled as before', async () => {
    const it = scene();
    await it.commit();
    it.head = 'c2';
    it.references.doubt();
    expect(await Promise.all([it.commit(), it.commit()])).toEqual(['c2', 'c2']);
    expect(await it.commit()).toBe('c2');
    expect(it.asked).toBe(2);
    it.head = 'c3';
    await it.clock.pass(pollMs);
    expect(await it.commit()).toBe('c3');
  });

  test.each([
    ['another agent saw it last', 'other', 'other'],
    ['we saw it before', 'c1', 'c2'],
    ['nothing is on record', null, 'c2'],
  ])('while the server does not answer, is what is on record or what we know: %s', async (_what, onRecord, wanted) => {
    const it = scene();
    await it.commit();
    it.head = 'c2';
    await it.clock.pass(pollMs);
    it.fails = true;
    it.references.doubt();
    const answer = { commit: wanted, trouble: { code: 'RepositoryUnreachable' } };
    expect(await it.references.current(main, onRecord, signal)).toMatchObject(answer);
    expect(await it.references.current(main, onRecord, signal)).toMatchObject(answer);
    expect(it.asked).toBe(3);
    [it.fails, it.head] = [false, 'c3'];
    await it.clock.pass(pollMs);
    expect(await it.references.current(main, onRecord, signal)).toEqual({ commit: 'c3' });
  });

  test('has been in trouble for as long as it has', async () => {
    const it = scene();
    await it.commit();
    it.fails = true;
    await it.clock.pass(pollMs);
    const { trouble } = await it.references.current(main, 'c1', signal);
    await it.clock.pass(pollMs / 2);
    it.references.doubt();
    expect((await it.references.current(main, 'c1', signal)).trouble?.since).toBe(trouble?.since);
  });

  test('is asked for again at the usual pace where Git does not answer, though polls were rare', async () => {
    const it = scene();
    await it.commit();
    it.head = 'c2';
    it.references.hint(() => true);
    await it.clock.pass(1);
    it.references.doubt();
    it.fails = true;
    await it.commit();
    it.fails = false;
    await it.clock.pass(1.2 * pollMs);
    expect(await it.references.current(main, null, signal)).toEqual({ commit: 'c2' });
  });

  test('is not settled by an answer that was under way', async () => {
    const it = scene();
    await it.commit();
    const early = it.references.ask(main);
    await Promise.resolve();
    expect(it.asked).toBe(2);
    it.references.doubt();
    await early;
    it.head = 'c2';
    expect(await it.commit()).toBe('c2');
  });

  test('is nothing that was never known', async () => {
    const it = scene();
    it.references.doubt();
    expect(await it.commit()).toBe('c1');
    expect(it.asked).toBe(1);
  });
});
