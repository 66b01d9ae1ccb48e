import { expect, test } from 'vitest';
import { answers, type SentRequest } from '../support/alert-sink.ts';
import { dispatchScene, driftRule, minutes, seconds } from './dispatch/scene.ts';

interface Event {
  readonly id: string;
  readonly type: string;
  readonly subject: string;
}

const eventIn = ({ json }: SentRequest): Event => json as Event;
const told = (request: SentRequest): string => `${eventIn(request).type.split('.').at(-2)} ${eventIn(request).subject}`;
const drifted = { cause: 'live-changed' } as const;
const both = { rules: [driftRule({ destinations: ['hook', 'other'] })], destinations: { hook: 'webhook', other: 'webhook' } } as const;

test('a sink that is down for 20 minutes, over restarts: all is told afterwards, in order, and nobody else waits', async () => {
  const names = ['api', 'db', 'web'];
  await using at = await dispatchScene({ ...both, applications: names });
  at.sink('hook').answerWith(answers.unavailable);
  const sizes: number[] = [];
  for (let minute = 0; minute < 20; minute += 1) {
    const isDrift = minute % 2 === 0;
    for (const name of names) await at.look(name, isDrift ? { ...drifted, live: minute } : {});
    const before = at.sink('other').requests.length;
    await at.pass(2 * seconds);
    expect(at.sink('other').requests.length - before).toBe(3);
    if (minute % 5 === 3) await at.restart();
    await at.pass(58 * seconds);
    sizes.push(JSON.stringify((await at.status('web')).alerts).length);
  }
  expect(at.sink('hook').requests.length).toBeGreaterThan(names.length);
  // So far each message was refused, and a retry is the same message.
  expect(new Set(at.sink('hook').requests.map(eventIn).map(({ id }) => id)).size).toBe(names.length);
  expect(Math.max(...sizes)).toBeLessThan(2 * (sizes[1] ?? 0));

  at.sink('hook').answerWith({ status: 200 });
  const failed = at.sink('hook').requests.length;
  await at.pass(60 * minutes);
  for (const name of names) {
    const after = at.sink('hook').requests.slice(failed).filter((request) => eventIn(request).subject === name);
    // What was first to be told, under its first id, and then how it ended.
    expect(after.map(told)).toEqual([`firing ${name}`, `resolved ${name}`]);
    expect(eventIn(after[0] as SentRequest).id).toBe(at.sink('hook').requests.slice(0, failed).map(eventIn).find(({ subject }) => subject === name)?.id);
    expect(at.sink('other').requests.filter((request) => eventIn(request).subject === name)).toHaveLength(20);
  }
  expect(new Set(at.sink('other').requests.map(eventIn).map(({ id }) => id)).size).toBe(60);
});

test('a destination that answers 410 is disabled and named, and the others go on', async () => {
  await using at = await dispatchScene({ ...both, applications: ['web', 'api'] });
  at.sink('hook').answerWith({ status: 410 });
  await at.look('web', drifted);
  await at.pass(1 * minutes);
  expect(at.disabled()).toEqual(['hook']);
  expect(at.said).toContain('gone hook');
  expect((await at.status('web')).alerts).toMatchObject([{ deliveries: { hook: { dead: { error: expect.stringContaining('410') } }, other: { told: 1 } } }]);
  await at.look('api', drifted);
  await at.look('web');
  await at.pass(60 * minutes);
  expect(at.sink('hook').requests).toHaveLength(1);
  expect(at.sink('other').requests.map(told)).toEqual(['firing web', 'firing api', 'resolved web']);
});

test('a dead letter that is asked for again goes out under the same id, once for each time it is asked for', async () => {
  await using at = await dispatchScene({ rules: [driftRule()], applications: ['web'], destinations: { hook: 'webhook' } });
  at.sink('hook').answerNext({ status: 400 });
  await at.look('web', drifted);
  await at.pass(60 * minutes);
  const [first] = at.sink('hook').requests.map(eventIn);
  expect(at.sink('hook').requests).toHaveLength(1);
  const dead = (await at.status('web')).alerts[0]?.deliveries['hook']?.dead;
  expect(dead).toMatchObject({ notification: first?.id, error: expect.stringContaining('400') });

  at.ask('web', { replay: { id: 'first', notifications: [first?.id ?? ''] } });
  await at.pass(1 * minutes);
  expect(at.sink('hook').requests.map(eventIn).map(({ id }) => id)).toEqual([first?.id, first?.id]);
  expect((await at.status('web')).answeredReplay).toBe('first');
  expect((await at.status('web')).alerts[0]?.deliveries['hook']).toMatchObject({ told: 1, toldState: 'firing' });
  expect((await at.status('web')).alerts[0]?.deliveries['hook']?.dead).toBeUndefined();
  await at.restart();
  await at.pass(60 * minutes);
  expect(at.sink('hook').requests).toHaveLength(2);
});

test('Retry-After is waited for, and no longer', async () => {
  await using at = await dispatchScene({ rules: [driftRule()], applications: ['web'], destinations: { hook: 'webhook' } });
  at.sink('hook').answerNext(answers.limited(90));
  await at.look('web', drifted);
  await at.pass(89 * seconds);
  expect(at.sink('hook').requests).toHaveLength(1);
  await at.pass(2 * seconds);
  expect(at.sink('hook').requests).toHaveLength(2);
});
