import { describe, expect, test } from 'vitest';
import { createScene, swift } from './scene.ts';

describe('giving it back', () => {
  test('who stops ends the term first, then releases, and the next one need not wait', async () => {
    const { server, pass, join } = createScene();
    const one = join('one');
    await pass(1);
    const two = join('two');
    await pass(5);
    const stopped = one.election.stop();
    expect(one.election.mayWrite()).toBe(false);
    expect(one.fence()?.aborted).toBe(true);
    await pass(0.1);
    await stopped;
    expect(server.read()).toMatchObject({ holder: '', durationSeconds: 1, transitions: 1 });
    await pass(2.4);
    expect(one.told.slice(2)).toEqual(['6 lost stopped', '6.04 observed nobody']);
    expect(two.election.state()).toMatchObject({ type: 'leader', epoch: 2 });
    const { length } = one.sent;
    await pass(60);
    expect(one.sent).toHaveLength(length);
  });

  test('a renewal that is under way when we stop does not keep the lease', async () => {
    const { server, pass, join } = createScene();
    const one = join('one');
    await pass(2.035);
    one.requests({ arrivesIn: 15, answeredIn: 15 });
    await pass(0.01);
    expect(one.sent.at(-1)).toBe('2.04 update');
    void one.election.stop();
    await pass(1);
    expect(server.read()).toMatchObject({ holder: '' });
  });

  test('a lease that may have become ours is given back too', async () => {
    const { server, pass, join } = createScene();
    const one = join('one');
    one.requests((operation) => (operation === 'create' ? { arrivesIn: 10 } : swift));
    await pass(1);
    expect(server.read()).toMatchObject({ holder: 'one' });
    void one.election.stop();
    await pass(1);
    expect(server.read()).toMatchObject({ holder: '' });
    expect(one.told.filter((line) => line.includes('elected'))).toEqual([]);
  });

  test('who never tried to take it sends nothing when it stops', async () => {
    const { pass, join } = createScene();
    join('one');
    await pass(1);
    const two = join('two');
    await pass(1);
    const { length } = two.sent;
    await two.election.stop();
    expect(two.sent).toHaveLength(length);
  });

  test('somebody else’s lease is not given back', async () => {
    const { server, pass, join } = createScene();
    const one = join('one');
    await pass(1);
    server.edit({ holder: 'somebody', transitions: 9 });
    const stopped = one.election.stop();
    await pass(1);
    await stopped;
    expect(server.read()).toMatchObject({ holder: 'somebody' });
  });

  test('a server that does not answer holds nobody up for long, and people are told', async () => {
    const { pass, join } = createScene();
    const one = join('one');
    await pass(1);
    one.requests({});
    const stopped = one.election.stop().then(() => 'stopped');
    await pass(5.1);
    expect(await Promise.race([stopped, pass(0).then(() => 'not yet')])).toBe('stopped');
    expect(one.log.lines.at(-1)).toMatchObject({ level: 'warn', message: 'lease not released' });
  });

  test('to stop twice is to stop once', async () => {
    const { pass, join } = createScene();
    const one = join('one');
    await pass(1);
    expect(one.election.stop()).toBe(one.election.stop());
    await pass(1);
    expect(one.sent.filter((line) => line.includes('update'))).toEqual(['1.02 update']);
  });
});
