import { expect, test } from 'vitest';
import { createHeldIdentity, type Granted } from '../../../../src/cluster/auth/held-identity.ts';

/** A clock that a test turns, and a login server that counts what it grants. */
function setUp(lifetimeMs: number | undefined) {
  let at = 0;
  let granted = 0;
  let isAway = false;
  const grant = async (): Promise<Granted<string>> => {
    await Promise.resolve();
    if (isAway) throw new Error('away');
    granted += 1;
    return { value: `token-${granted}`, expiresAt: lifetimeMs === undefined ? undefined : at + lifetimeMs };
  };
  return {
    identity: createHeldIdentity(grant, () => at),
    granted: () => granted,
    advance: (seconds: number) => {
      at += seconds * 1000;
    },
    goAway: (away: boolean) => {
      isAway = away;
    },
  };
}

const hour = 3_600_000;

test('many who ask at once share one grant', async () => {
  const { identity, granted } = setUp(hour);
  const answers = await Promise.all(Array.from({ length: 20 }, () => identity()));
  expect(new Set(answers)).toEqual(new Set(['token-1']));
  expect(granted()).toBe(1);
});

test('it is renewed a minute before its end, not earlier', async () => {
  const { identity, advance } = setUp(hour);
  expect(await identity()).toBe('token-1');
  advance(3539);
  expect(await identity()).toBe('token-1');
  advance(2);
  expect(await identity()).toBe('token-2');
});

test('what has no end is kept until the server refuses it', async () => {
  const { identity, advance } = setUp(undefined);
  expect(await identity()).toBe('token-1');
  advance(1_000_000);
  expect(await identity()).toBe('token-1');
  expect(await identity('token-1')).toBe('token-2');
});

test('many whose token was refused share one grant, and who comes late gets what the others got', async () => {
  const { identity, granted } = setUp(hour);
  await identity();
  expect(new Set(await Promise.all(Array.from({ length: 20 }, () => identity('token-1'))))).toEqual(new Set(['token-2']));
  expect(await identity('token-1')).toBe('token-2');
  expect(granted()).toBe(2);
});

test('one that ends within a minute is not renewed for each request', async () => {
  const { identity, granted, advance } = setUp(30_000);
  for (let second = 0; second < 14; second += 1) {
    await identity();
    advance(1);
  }
  expect(granted()).toBe(1);
});

test('a failed renewal changes nothing while the old one is good, and is not tried for each request', async () => {
  const { identity, advance, goAway, granted } = setUp(hour);
  await identity();
  goAway(true);
  advance(3550);
  expect(await identity()).toBe('token-1');
  goAway(false);
  expect(await identity()).toBe('token-1');
  advance(11);
  expect(await identity()).toBe('token-2');
  expect(granted()).toBe(2);
});

test('a failed renewal is told when the old one has ended or was refused', async () => {
  const { identity, advance, goAway } = setUp(hour);
  await identity();
  goAway(true);
  await expect(identity('token-1')).rejects.toThrow('away');
  advance(3601);
  await expect(identity()).rejects.toThrow('away');
});

test('a failure is not kept', async () => {
  const { identity, goAway } = setUp(hour);
  goAway(true);
  await expect(identity()).rejects.toThrow('away');
  goAway(false);
  expect(await identity()).toBe('token-1');
});
