import { describe, expect, test } from 'vitest';
import { createScene, swift } from './scene.ts';

describe('keeping it', () => {
  test('it is renewed every two seconds, with one request, for as long as it lasts', async () => {
    const { pass, join } = createScene();
    const one = join('one');
    await pass(600);
    expect(one.sent.slice(0, 5)).toEqual(['0 read', '0.02 create', '2.04 update', '4.04 update', '6.04 update']);
    expect(one.sent).toHaveLength(301);
    expect(one.told).toEqual(['0.04 observed one', '0.04 elected 1']);
  });

  test('it counts from before the renewal was sent', async () => {
    const { pass, join } = createScene();
    const one = join('one');
    await pass(1);
    one.requests({ arrivesIn: 2_000, answeredIn: 2_000 });
    // Sent at 2.04, answered at 6.04.
    await pass(5.2);
    expect(one.election.state()).toEqual({ type: 'leader', epoch: 1, validUntil: 5_000_000 + 2_040 + 13_000 });
  });

  test.each([
    ['just before its time is up', 12.999, true],
    ['when its time is up', 13, false],
  ])('a process that wakes %s knows whether it may write before any timer has fired', async (_, seconds, expected) => {
    const { world, pass, join } = createScene();
    const one = join('one');
    await pass(0.04);
    one.process.pauseFor(60_000);
    await world.runUntil(20 + seconds * 1000);
    expect(one.election.mayWrite()).toBe(expected);
    expect(one.election.state().type).toBe(expected ? 'leader' : 'standby');
    expect(one.told).toEqual(['0.04 observed one', '0.04 elected 1']);
  });

  test('a process that slept through its lease has lost it, to whoever leads meanwhile', async () => {
    const { pass, join } = createScene();
    const one = join('one');
    await pass(1);
    const two = join('two');
    one.process.pauseFor(40_000);
    await pass(45);
    expect(one.told.slice(2)).toEqual(['41 lost expired', '41.02 observed two']);
    expect(one.fence()?.aborted).toBe(true);
    expect(two.election.state()).toMatchObject({ type: 'leader', epoch: 2 });
  });

  test('a renewal whose answer comes after the lease has run out does not bring it back', async () => {
    const { pass, join } = createScene();
    const one = join('one');
    await pass(2.05);
    // The renewal of 2.04 is on its way; its answer waits for the process to wake up.
    one.process.pauseFor(30_000);
    await pass(30.5);
    expect(one.told.filter((line) => line.includes('lost'))).toEqual(['32.05 lost expired']);
  });

  test('a renewal that was carried out and whose answer was lost costs nothing', async () => {
    const { pass, join } = createScene();
    const one = join('one');
    await pass(1);
    one.requests({ arrivesIn: 10, cutIn: 20 });
    await pass(2);
    one.requests(swift);
    await pass(60);
    expect(one.sent.slice(2, 7)).toEqual(['2.04 update', '4.04 update', '4.06 read', '4.08 update', '6.04 update']);
    expect(one.told).toEqual(['0.04 observed one', '0.04 elected 1']);
  });

  test('somebody who changes a label costs one reading', async () => {
    const { server, pass, join } = createScene();
    const one = join('one');
    await pass(1);
    server.edit({});
    await pass(60);
    expect(one.sent.filter((line) => line.includes('read'))).toEqual(['0 read', '2.06 read']);
    expect(one.told).toEqual(['0.04 observed one', '0.04 elected 1']);
  });

  test('somebody who changes how long it lasts is overruled', async () => {
    const { server, pass, join } = createScene();
    join('one');
    await pass(1);
    server.edit({ durationSeconds: 3600 });
    await pass(2);
    expect(server.read()).toMatchObject({ holder: 'one', durationSeconds: 15 });
  });

  test('a clock on the wall that stands still looks like no dead holder', async () => {
    const { pass, join } = createScene();
    const one = join('one', { time: () => new Date(0) });
    const two = join('two', { time: () => new Date(0) });
    await pass(120);
    expect(one.election.mayWrite()).toBe(true);
    expect(two.told.filter((line) => line.includes('elected'))).toEqual([]);
  });

  test('a server that gets slower, up to 5 seconds, and quicker again costs at most one change', async () => {
    const { world, pass, join } = createScene();
    const candidates = ['one', 'two', 'three'].map((name) => join(name));
    const oneWay = (): number => 1_245 * (1 - Math.cos(world.time / 10_000));
    for (const { requests } of candidates) requests(() => ({ arrivesIn: oneWay(), answeredIn: oneWay() }));
    await pass(600);
    const terms = candidates.flatMap(({ told }) => told.filter((line) => line.includes('elected')));
    expect(terms.length).toBeGreaterThanOrEqual(1);
    expect(terms.length).toBeLessThanOrEqual(2);
  });
});

describe('losing it', () => {
  test.each([
    ['is cut each time', { cutIn: 20 }],
    ['is never answered', {}],
    ['is carried out and never answered', { arrivesIn: 10 }],
  ])('a holder whose request %s gives up before others may take the lease', async (_, fate) => {
    const { pass, join } = createScene();
    const one = join('one');
    await pass(2.2);
    one.requests(fate);
    await pass(11.7);
    expect(one.election.mayWrite()).toBe(true);
    expect(one.fence()?.aborted).toBe(false);
    await pass(0.5);
    // The last renewal was sent at 2.04; the next was due at 4.04 and tried for 10 seconds.
    expect(one.told.slice(2)).toEqual(['14.04 lost expired']);
    expect(one.election.mayWrite()).toBe(false);
    expect(one.fence()?.aborted).toBe(true);
    expect(one.fence()?.reason).toMatchObject({ message: 'this agent no longer leads (term 1: expired)' });
  });

  test('after an outage with nobody else about, the same one leads again under the next epoch, once its last writes have had their time', async () => {
    const { pass, join } = createScene();
    const one = join('one');
    await pass(1);
    one.requests({ cutIn: 20 });
    await pass(11.1);
    one.requests(swift);
    await pass(30);
    expect(one.told.filter((line) => !line.includes('observed'))).toEqual(['0.04 elected 1', '12.02 lost expired', '14.06 elected 2']);
  });

  test('a lease that somebody took all the same is lost at the next renewal', async () => {
    const { server, pass, join } = createScene();
    const one = join('one');
    await pass(1);
    server.edit({ holder: 'somebody', transitions: 9 });
    await pass(2);
    expect(one.told.slice(2)).toEqual(['2.08 observed somebody', '2.08 lost taken']);
    expect(one.election.state()).toEqual({ type: 'standby', holder: 'somebody' });
  });

  test('a lease that somebody deletes is lost, and made anew a lease later under the next epoch', async () => {
    const { server, pass, join } = createScene();
    const candidates = [join('one'), join('two')];
    await pass(1);
    server.remove();
    await pass(14);
    expect(server.read()).toBeUndefined();
    expect(candidates.map(({ election }) => election.mayWrite())).toEqual([false, false]);
    await pass(5);
    expect(server.read()).toMatchObject({ transitions: 2 });
    expect(candidates.filter(({ election }) => election.mayWrite())).toHaveLength(1);
  });
});
