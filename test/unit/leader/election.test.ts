import { describe, expect, test } from 'vitest';
import { createScene, swift, type SceneCandidate } from './scene.ts';

const nothing = {};

describe('taking the lease', () => {
  test('the first makes it and leads; the next one stands by and knows who leads', async () => {
    const { server, world, pass, join } = createScene();
    const one = join('one');
    await pass(1);
    const two = join('two');
    await pass(1);
    expect(server.read()).toMatchObject({ holder: 'one', transitions: 1, durationSeconds: 15, acquireTime: '2027-01-15T08:00:00.020Z' });
    expect(one.told).toEqual(['0.04 observed one', '0.04 elected 1']);
    expect(one.election.state()).toMatchObject({ type: 'leader', epoch: 1 });
    expect(two.told).toEqual(['1.02 observed one']);
    expect(two.election.state()).toEqual({ type: 'standby', holder: 'one' });
    expect([one, two].map(({ election }) => election.mayWrite())).toEqual([true, false]);
    expect(world.time).toBe(2_000);
  });

  test('of two that come at the same moment one leads', async () => {
    const { pass, join } = createScene();
    const both = [join('one'), join('two')];
    await pass(60);
    expect(both.map(({ told }) => told.filter((line) => line.includes('elected')))).toEqual([['0.04 elected 1'], []]);
  });

  test('one that nobody has touched for the whole lease is taken, with the next epoch', async () => {
    const { pass, join } = createScene();
    const one = join('one');
    await pass(1);
    const two = join('two');
    await pass(9.5);
    one.process.kill();
    await pass(30);
    // The last renewal was sent at 10.04 and seen at 11.12; 15 seconds later two reads and writes it.
    expect(two.told).toEqual(['1.02 observed one', '26.16 observed two', '26.16 elected 2']);
  });

  test('what a slow reading brings counts from when it was there, not from when it was asked for', async () => {
    const { pass, join } = createScene();
    const one = join('one');
    await pass(1);
    const two = join('two');
    await pass(1);
    two.requests({ arrivesIn: 4_000, answeredIn: 900 });
    await pass(4.5);
    // Its last renewal was sent at 6.04; the reading of 3.02 arrives at 7.02 and is answered at 7.92.
    one.process.kill();
    two.requests(swift);
    await pass(30);
    expect(two.sent.slice(0, 3)).toEqual(['1 read', '3.02 read', '9.92 read']);
    expect(two.told.at(-1)).toBe('22.96 elected 2');
  });

  test('the clock on the wall of the holder does not matter', async () => {
    const { pass, join } = createScene();
    join('ahead', { time: () => new Date('2199-01-01T00:00:00Z') });
    await pass(1);
    const behind = join('behind', { time: () => new Date('1999-01-01T00:00:00Z') });
    await pass(120);
    expect(behind.told).toEqual(['1.02 observed ahead']);
  });

  test('one that says that it is held for longer is left alone for longer', async () => {
    const { pass, join } = createScene();
    const one = join('one', { timing: { leaseMs: 60_000, renewMs: 10_000, retryMs: 2_000 } });
    await pass(0.1);
    one.process.kill();
    const two = join('two');
    await pass(59);
    expect(two.election.mayWrite()).toBe(false);
    await pass(2);
    expect(two.election.mayWrite()).toBe(true);
  });

  test('somebody who changes a label keeps no dead holder alive', async () => {
    const { server, world, pass, join } = createScene();
    const one = join('one');
    await pass(1);
    one.process.kill();
    const two = join('two');
    const touch = (): void => {
      server.edit({});
      world.in(700, touch);
    };
    touch();
    await pass(20);
    expect(two.told.at(-1)).toMatch(/elected 2$/);
  });

  test('one with our own name is somebody else’s when this process did not write it', async () => {
    const { pass, join } = createScene();
    const before = join('pod-0');
    await pass(5);
    before.process.kill();
    const after = join('pod-0');
    await pass(14);
    expect(after.election.mayWrite()).toBe(false);
    await pass(3);
    expect(after.told.at(-1)).toMatch(/elected 2$/);
  });

  test('when the answer to taking it is lost, it is taken again under the next epoch without waiting for it to run out', async () => {
    const { server, pass, join } = createScene();
    const one = join('one');
    one.requests((operation) => (operation === 'create' ? { arrivesIn: 10, cutIn: 50 } : swift));
    await pass(5);
    expect(one.told.filter((line) => line.includes('elected'))).toEqual(['2.11 elected 2']);
    expect(server.read()).toMatchObject({ holder: 'one', transitions: 2 });
  });

  test('an answer that comes after we gave up on it makes no leader', async () => {
    const { pass, join } = createScene();
    const one = join('one');
    one.requests((operation) => (operation === 'create' ? { arrivesIn: 10, answeredIn: 6_000 } : nothing));
    await pass(60);
    expect(one.told).toEqual([]);
    expect(one.election.mayWrite()).toBe(false);
  });

  test.each([
    [0, ['0 read', '2.02 read', '4.04 read']],
    [1, ['0 read', '2.52 read', '5.04 read']],
  ])('looks are spread by chance: %d', async (chance, expected) => {
    const { pass, join } = createScene();
    join('one');
    await pass(0.1);
    const two = join('two', { random: () => chance });
    await pass(6);
    expect(two.sent.slice(0, 3).map((line) => shifted(line, -0.1))).toEqual(expected);
  });
});

describe('telling people', () => {
  test('an outage is told once, and its end', async () => {
    const { pass, join } = createScene();
    const one = join('one');
    one.requests({ cutIn: 5 });
    await pass(60);
    one.requests(swift);
    await pass(5);
    expect(messages(one)).toEqual(['warn lease cannot be used', 'info lease can be used again', 'info became the leader']);
  });

  test('who leads and why no longer is in the log', async () => {
    const { pass, join } = createScene();
    const one = join('one');
    await pass(1);
    const stopped = one.election.stop();
    await pass(1);
    await stopped;
    expect(one.log.lines.map(({ message, fields }) => ({ message, ...fields }))).toEqual([
      { message: 'became the leader', identity: 'one', epoch: 1 },
      { message: 'no longer the leader', identity: 'one', epoch: 1, reason: 'stopped' },
      { message: 'lease released', epoch: 1 },
    ]);
  });
});

describe('misuse', () => {
  test('an election is started once', async () => {
    const { join } = createScene();
    const one = join('one');
    expect(() => one.election.start()).toThrow('An election is started once.');
  });

  test('nobody is no candidate', () => {
    expect(() => createScene().join('')).toThrow('needs an identity');
  });

  test('a timing that cannot be kept is refused', () => {
    expect(() => createScene().join('one', { timing: { leaseMs: 10_000, renewMs: 10_000, retryMs: 2_000 } })).toThrow('cannot be kept');
  });
});

function messages({ log }: SceneCandidate): readonly string[] {
  return log.lines.map(({ level, message }) => `${level} ${message}`);
}

function shifted(line: string, seconds: number): string {
  const [time = '', ...rest] = line.split(' ');
  return [Math.round((Number(time) + seconds) * 1000) / 1000, ...rest].join(' ');
}
