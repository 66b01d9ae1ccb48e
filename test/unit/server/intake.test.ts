import { describe, expect, test } from 'vitest';
import { SetpointError } from '../../../src/model/index.ts';
import { deliver, openIntake, senderOf } from './open-intake.ts';

const sender = senderOf('GitHub');
const again = { result: 'unavailable', reason: 'it cannot be dealt with now: send it again', headers: { 'retry-after': '10' } };
const settle = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

describe('when a hint is not taken', () => {
  test('the sender is told to come again, and then it counts', async () => {
    const failing = [true, true, false];
    const { hints, log, take } = openIntake(sender, {
      onHint() {
        if (failing.shift() === true) throw new SetpointError('QueueUnavailable', 'the queue is full');
      },
    });
    expect([await take(deliver(sender)), await take(deliver(sender)), await take(deliver(sender)), await take(deliver(sender))]).toMatchObject([again, again, { result: 'accepted' }, { result: 'duplicate' }]);
    expect(hints).toHaveLength(1);
    expect(log.lines[0]).toEqual({ level: 'error', message: 'a webhook was not passed on', fields: { receiver: 'fleet', reason: 'the queue is full' } });
  });

  test('what an error of someone else says is not logged', async () => {
    const { log, take } = openIntake(sender, { onHint: () => Promise.reject(new TypeError('canary')) });
    expect(await take(deliver(sender))).toEqual(again);
    expect(log.lines.map(({ fields }) => fields)).toEqual([{ receiver: 'fleet', reason: 'TypeError' }]);
  });

  test('nobody waits for it longer than 5 seconds', async () => {
    let aborted = false;
    const { clock, hints, take } = openIntake(sender, {
      onHint: (_hint, signal) =>
        new Promise((_resolve, reject) => {
          signal.addEventListener('abort', () => {
            aborted = true;
            reject(new Error('aborted'));
          });
        }),
    });
    const answer = take(deliver(sender));
    await settle();
    clock.advance(4_999);
    await settle();
    expect(aborted).toBe(false);
    clock.advance(1);
    expect(await answer).toEqual(again);
    expect(aborted).toBe(true);
    expect(hints).toEqual([]);
    expect(clock.timers()).toBe(0);
  });

  test('a copy that came meanwhile shares its fate', async () => {
    const first = Promise.withResolvers<void>();
    let calls = 0;
    const { hints, take } = openIntake(sender, {
      onHint() {
        calls += 1;
        return first.promise;
      },
    });
    const both = [take(deliver(sender)), take(deliver(sender))];
    await settle();
    expect(calls).toBe(1);
    first.reject(new Error('down'));
    expect(await Promise.all(both)).toEqual([again, again]);
    expect(hints).toEqual([]);
  });
});

test('a copy that came meanwhile is no second hint', async () => {
  const first = Promise.withResolvers<void>();
  const { hints, take } = openIntake(sender, { onHint: () => first.promise });
  const both = [take(deliver(sender)), take(deliver(sender))];
  first.resolve();
  expect((await Promise.all(both)).map(({ result }) => result)).toEqual(['accepted', 'duplicate']);
  expect(hints).toHaveLength(1);
});

test('a delivery that was refused is not remembered: nobody can spend the id of another', async () => {
  const { hints, take } = openIntake(sender);
  expect(await take(deliver(sender, { secret: 'guessed' }))).toMatchObject({ result: 'unauthorized' });
  expect(await take(deliver(sender))).toEqual({ result: 'accepted' });
  expect(hints).toHaveLength(1);
});

test('two receivers may get the same delivery: GitHub gives all hooks of an event one id', async () => {
  const one = openIntake(sender);
  const other = openIntake(sender);
  await one.take(deliver(sender));
  expect(await other.take(deliver(sender))).toEqual({ result: 'accepted' });
});

test('after an hour a delivery is new again', async () => {
  const { clock, take } = openIntake(sender);
  await take(deliver(sender));
  clock.advance(3_599_999);
  expect(await take(deliver(sender))).toMatchObject({ result: 'duplicate' });
  clock.advance(1);
  expect(await take(deliver(sender))).toEqual({ result: 'accepted' });
});

describe('secrets', () => {
  test('are read for each delivery, so that they can be changed', async () => {
    let secrets = ['old'];
    const { take } = openIntake(sender, { secrets: async () => secrets });
    expect(await take(deliver(sender, { secret: 'old', id: '1' }))).toEqual({ result: 'accepted' });
    secrets = ['new'];
    expect(await take(deliver(sender, { secret: 'old', id: '2' }))).toMatchObject({ result: 'unauthorized' });
    expect(await take(deliver(sender, { secret: 'new', id: '3' }))).toEqual({ result: 'accepted' });
  });

  test.each([
    ['none', () => Promise.resolve([])],
    ['an empty one', () => Promise.resolve([''])],
    ['a blank one', () => Promise.resolve([' \n'])],
    ['a signing key of nothing', () => Promise.resolve(['whsec_'])],
    ['an error', () => Promise.reject(new Error('canary'))],
  ])('where there is %s nothing is believed', async (_name, secrets) => {
    const { hints, log, take } = openIntake(sender, { secrets });
    expect(await take(deliver(sender, { secret: '' }))).toEqual(again);
    expect(hints).toEqual([]);
    expect(log.lines.map(({ level, message }) => [level, message])).toEqual([['error', 'the secret of a webhook receiver cannot be read']]);
    expect(JSON.stringify(log.lines)).not.toContain('canary');
  });

  test('are waited for no longer than 2 seconds', async () => {
    const { clock, take } = openIntake(sender, { secrets: () => new Promise(() => undefined) });
    const answer = take(deliver(sender));
    await settle();
    clock.advance(2_000);
    expect(await answer).toEqual(again);
  });

  test('more than two are not tried', async () => {
    const { take } = openIntake(sender, { secrets: async () => ['one', 'two', 'three'] });
    expect(await take(deliver(sender, { secret: 'three' }))).toMatchObject({ result: 'unauthorized' });
  });
});

test('refusals are logged once a minute, with their number and nothing of what was sent', async () => {
  const { clock, log, take } = openIntake(sender);
  const forged = deliver(sender, { secret: 'canary', body: '{"canary":true}', id: 'canary' });
  for (let count = 0; count < 25; count += 1) await take(forged);
  clock.advance(60_000);
  await take(forged);
  const message = 'webhooks were refused because their signature or secret is wrong';
  expect(log.lines).toEqual([
    { level: 'warn', message, fields: { receiver: 'fleet', refusals: 1 } },
    { level: 'warn', message, fields: { receiver: 'fleet', refusals: 25 } },
  ]);
});

describe('a receiver for one repository', () => {
  test.each(['https://github.com/acme/fleet', 'git@github.com:Acme/Fleet.git'])('%s hears of it', async (repository) => {
    const { hints, take } = openIntake(sender, { repository });
    expect(await take(deliver(sender))).toEqual({ result: 'accepted' });
    expect(hints.map(({ repositories }) => repositories)).toEqual([['github.com/acme/fleet']]);
  });

  test('hears of no other', async () => {
    const { hints, take } = openIntake(sender, { repository: 'https://github.com/acme/other' });
    expect(await take(deliver(sender))).toEqual({ result: 'ignored', reason: 'the receiver is for another repository' });
    expect(hints).toEqual([]);
  });
});

describe('a receiver for one reference', () => {
  const several = senderOf('Bitbucket Server');

  test.each([
    ['main', ['refs/heads/main']],
    ['refs/heads/main', ['refs/heads/main']],
    ['v7', ['refs/tags/v7']],
  ])('%s: of those that moved it hears of %j', async (reference, references) => {
    const { hints, take } = openIntake(several, { reference });
    expect(await take(deliver(several))).toEqual({ result: 'accepted' });
    expect(hints.map((hint) => hint.references)).toEqual([references]);
  });

  test.each(['live', 'refs/tags/main', 'refs/heads/v7'])('%s: it hears of no other', async (reference) => {
    const { hints, take } = openIntake(several, { reference });
    expect(await take(deliver(several))).toEqual({ result: 'ignored', reason: 'the receiver is for another reference' });
    expect(hints).toEqual([]);
  });
});

test('a repository without an address that can be read matches nothing, least of all everything', async () => {
  const { hints, take } = openIntake(sender);
  const repository = { html_url: 'https://.*/.*', clone_url: '.*::', ssh_url: 'https://github.com/' };
  expect(await take(deliver(sender, { payload: { ...sender.sample, repository } }))).toEqual({ result: 'ignored', reason: 'the repository has no address that can be read' });
  expect(hints).toEqual([]);
});
