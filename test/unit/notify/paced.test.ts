import { describe, expect, test } from 'vitest';
import type { Destination } from '../../../src/model/index.ts';
import { paced } from '../../../src/notify/paced.ts';
import { exampleNotification } from '../../support/example-notification.ts';

function createScene() {
  const sent: string[] = [];
  const timers: { readonly callback: () => void; readonly delayMs: number }[] = [];
  const inner: Destination = {
    name: 'team',
    send: ({ id }) => {
      sent.push(id);
      return Promise.resolve({ type: 'sent' });
    },
    close: () => Promise.resolve(),
  };
  const destination = paced(inner, {
    perSecond: 4,
    setTimer: (callback, delayMs) => {
      timers.push({ callback, delayMs });
      return () => undefined;
    },
  });
  const send = (id: string, signal = new AbortController().signal) => destination.send(exampleNotification({ id }), signal);
  return { sent, timers, send };
}

/** Lets everything that is due happen. */
const settled = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

describe('a destination that is asked four times a second', () => {
  test('is asked at once, then after a quarter of a second each, in order', async () => {
    const { sent, timers, send } = createScene();
    const all = ['a', 'b', 'c'].map((id) => send(id));
    await settled();
    expect([sent, timers.map(({ delayMs }) => delayMs)]).toEqual([['a'], [250]]);
    timers[0]?.callback();
    await settled();
    expect(sent).toEqual(['a', 'b']);
    timers[1]?.callback();
    expect(await Promise.all(all)).toEqual([{ type: 'sent' }, { type: 'sent' }, { type: 'sent' }]);
  });

  test('is not asked by who was stopped while waiting, and who waits behind takes the turn', async () => {
    const { sent, timers, send } = createScene();
    const stop = new AbortController();
    await send('a');
    const [stopped, behind] = [send('b', stop.signal), send('c')];
    stop.abort();
    expect(await stopped).toEqual({ type: 'retry', why: 'team was not asked: sending was stopped' });
    await settled();
    expect(sent).toEqual(['a']);
    timers[0]?.callback();
    expect(await behind).toEqual({ type: 'sent' });
    expect(sent).toEqual(['a', 'c']);
  });
});
