import { expect, test } from 'vitest';
import type { SendOutcome } from '../../../src/model/index.ts';
import { dispatchScene } from './scene.ts';

test('what is sent is on record before it is, and that it was sent afterwards', async () => {
  const at = dispatchScene(['web']);
  let claimed: unknown;
  at.answer = async () => {
    claimed = at.alerts('web')[0]?.deliveries['hook'];
    return { type: 'sent', ref: 'C1/1.0' };
  };
  at.drift('web');
  await at.clock.pass(1000);
  expect(claimed).toMatchObject({ told: 0, claim: { notification: at.sent[0]?.id, attempts: 0 } });
  expect(at.alerts('web')[0]?.deliveries['hook']).toEqual({ told: 1, toldAt: expect.any(String), toldState: 'firing', ref: 'C1/1.0' });
  expect(at.said).toEqual(['sent hook']);
});

test('what is told is as old as the message, however long that is on its way', async () => {
  const at = dispatchScene(['web']);
  const began: string[] = [];
  at.answer = () =>
    new Promise((resolve) => {
      began.push(at.clock.now().toISOString());
      at.clock.setTimer(() => resolve({ type: 'sent' }), 10_000);
    });
  at.drift('web');
  await at.clock.pass(20_000);
  expect(at.alerts('web')[0]?.deliveries['hook']).toMatchObject({ told: 1, toldAt: began[0] });
});

test('what is not on record is not sent, whoever queued it', async () => {
  const at = dispatchScene(['web']);
  at.drift('web');
  await at.clock.pass(1000);
  for (const key of ['evt_unknown', at.sent[0]?.id ?? '', '*']) await at.queue.add(key);
  await at.clock.pass(1000);
  expect(at.sent).toHaveLength(1);
});

test('a notification that waits for its next try is not sent sooner because somebody queued it', async () => {
  const at = dispatchScene(['web']);
  at.answer = async () => ({ type: 'retry', why: 'busy' });
  at.drift('web');
  await at.clock.pass(1000);
  await at.queue.add(at.sent[0]?.id ?? '');
  await at.clock.pass(1000);
  expect(at.sent).toHaveLength(1);
  expect(at.alerts('web')[0]?.deliveries['hook']?.claim).toMatchObject({ attempts: 1, error: 'busy' });
  await at.clock.pass(10_000);
  expect(at.sent.map(({ id }) => id)).toEqual([at.sent[0]?.id, at.sent[0]?.id]);
});

test('a destination that throws is one that failed', async () => {
  const at = dispatchScene(['web']);
  at.answer = () => Promise.reject(new Error('a bug'));
  at.drift('web');
  await at.clock.pass(1000);
  expect(at.said).toEqual(['failed hook a bug']);
  expect(at.alerts('web')[0]?.deliveries['hook']?.claim).toMatchObject({ attempts: 1, error: 'a bug' });
});

test('nothing is sent while another process may be at it', async () => {
  const at = dispatchScene(['web']);
  at.mayWrite = () => {
    throw new Error('the lease is not held');
  };
  at.drift('web');
  await at.clock.pass(60_000);
  expect(at.sent).toEqual([]);
  at.mayWrite = () => undefined;
  await at.clock.pass(60_000);
  expect(at.sent).toHaveLength(1);
});

test('what cannot be written is not sent, is named, and is sent when it can be', async () => {
  const at = dispatchScene(['api', 'web']);
  at.beforeWrite = (id) => (id === 'web' ? Promise.reject(new Error('disk full')) : Promise.resolve());
  at.drift('api', 'web');
  await at.clock.pass(5000);
  expect(at.sent.map(({ subjects }) => subjects[0]?.application.name)).toEqual(['api']);
  expect(at.said).toContain('alerts were not recorded: disk full');
  at.beforeWrite = () => Promise.resolve();
  await at.clock.pass(5000);
  expect(at.sent.map(({ subjects }) => subjects[0]?.application.name)).toEqual(['api', 'web']);
});

test('what cannot be queued is named, and queued when it can be', async () => {
  const at = dispatchScene(['web']);
  at.beforeAdd = () => Promise.reject(new Error('no Redis'));
  at.drift('web');
  await at.clock.pass(5000);
  expect(at.sent).toEqual([]);
  expect(at.said).toContain('a notification was not queued: no Redis');
  at.beforeAdd = () => Promise.resolve();
  await at.clock.pass(5000);
  expect(at.sent).toHaveLength(1);
});

test('what was sent and could not be put on record is recorded later, and not sent again', async () => {
  const at = dispatchScene(['web']);
  at.answer = async () => {
    at.beforeWrite = () => Promise.reject(new Error('disk full'));
    return { type: 'sent' };
  };
  at.drift('web');
  await at.clock.pass(5000);
  expect(at.alerts('web')[0]?.deliveries['hook']?.claim?.notification).toBe(at.sent[0]?.id);
  at.beforeWrite = () => Promise.resolve();
  await at.clock.pass(60_000);
  expect(at.sent).toHaveLength(1);
  expect(at.said.filter((line) => line === 'sent hook')).toHaveLength(1);
  expect(at.alerts('web')[0]?.deliveries['hook']).toMatchObject({ told: 1, toldState: 'firing' });
});

test('what is over while it is being put on record is not told as something that fires', async () => {
  const at = dispatchScene(['web']);
  at.beforeWrite = async () => {
    at.beforeWrite = () => Promise.resolve();
    at.end('web');
  };
  at.drift('web');
  await at.clock.pass(60_000);
  expect(at.sent.filter(({ type }) => type === 'drift.firing')).toEqual([]);
  expect(at.alerts('web').every(({ deliveries }) => deliveries['hook']?.claim === undefined)).toBe(true);
});

test('what is noticed many times within a moment is written once before it is sent', async () => {
  const at = dispatchScene(['web']);
  await at.clock.pass(1000);
  at.drift('web');
  for (let times = 0; times < 100; times += 1) at.dispatcher.noticed('web');
  await at.clock.pass(1000);
  expect(at.sent).toHaveLength(1);
  expect(at.writes()).toBe(2);
});

test('a notification is described by what is known when it is sent', async () => {
  const at = dispatchScene(['web']);
  at.beforeAdd = () => Promise.reject(new Error('no Redis'));
  at.drift('web');
  await at.clock.pass(500);
  at.end('web');
  await at.clock.pass(500);
  at.beforeAdd = () => Promise.resolve();
  await at.clock.pass(5000);
  expect(at.sent[0]?.subjects[0]?.alert.endedAt).toEqual(expect.any(String));
});

test('a destination that is gone is told nothing more', async () => {
  const at = dispatchScene(['api', 'web']);
  at.answer = async () => ({ type: 'gone', why: 'it answered 410' });
  at.drift('web');
  await at.clock.pass(1000);
  at.drift('api');
  await at.clock.pass(60_000);
  expect(at.dispatcher.disabled()).toEqual(['hook']);
  expect(at.sent).toHaveLength(1);
  expect(at.said).toEqual(['failed hook it answered 410', 'gone hook it answered 410']);
});

test('a stop lets what is being sent end, so that it is not sent a second time', async () => {
  const at = dispatchScene(['web']);
  const { promise, resolve } = Promise.withResolvers<SendOutcome>();
  let isCutOff = false;
  at.answer = (_notification, signal) => {
    signal.addEventListener('abort', () => (isCutOff = true));
    return promise;
  };
  at.drift('web');
  await at.clock.pass(1000);
  const stopped = at.dispatcher.stop();
  await at.clock.pass(1000);
  expect(isCutOff).toBe(false);
  resolve({ type: 'sent' });
  await at.clock.pass(1000);
  await stopped;
  expect(at.alerts('web')[0]?.deliveries['hook']).toMatchObject({ told: 1, toldState: 'firing' });
});

test('a stop does not wait for ever: what is cut off stays on record, and a timer is left behind by nothing', async () => {
  const at = dispatchScene(['web']);
  at.answer = (_notification, signal) => new Promise((resolve) => signal.addEventListener('abort', () => resolve({ type: 'retry', why: 'stopped' })));
  at.drift('web');
  await at.clock.pass(1000);
  const stopped = at.dispatcher.stop();
  await at.clock.pass(10_000);
  await stopped;
  expect(at.alerts('web')[0]?.deliveries['hook']).toMatchObject({ told: 0, claim: { notification: at.sent[0]?.id, attempts: 0 } });
  expect(at.clock.timers()).toBe(0);
});
