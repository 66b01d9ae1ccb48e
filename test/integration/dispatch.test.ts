import { expect, test } from 'vitest';
import type { AlertSink, SentRequest } from '../support/alert-sink.ts';
import { dispatchScene, driftRule, minutes, seconds } from './dispatch/scene.ts';

interface Event {
  readonly id: string;
  readonly type: string;
  readonly subject?: string;
  readonly time: string;
  readonly data: {
    readonly rule: { readonly severity: string };
    readonly counts?: { readonly applications: number };
    readonly subjects?: readonly unknown[];
    readonly resources?: readonly { readonly fields: readonly { readonly live?: number }[] }[];
  };
}

const eventIn = ({ json }: SentRequest): Event => json as Event;
const kind = ({ type }: Event): string => type.replace(/^dev\.setpoint\.(.*)\.v1$/, '$1');
const kinds = ({ requests }: AlertSink): readonly string[] => requests.map(eventIn).map(kind);
const drifted = { cause: 'live-changed' } as const;

test('a drift that lasts shorter than the rule asks for is on record, and nobody is told of it', async () => {
  await using at = await dispatchScene({ rules: [driftRule({ forMs: 5 * minutes })], applications: ['web'], destinations: { hook: 'webhook' } });
  await at.look('web', drifted);
  await at.pass(4 * minutes);
  await at.look('web');
  await at.pass(30 * minutes);
  expect(at.sink('hook').requests).toEqual([]);
  const { episodes, alerts } = await at.status('web');
  expect(episodes).toMatchObject([{ cause: 'live-changed', openedAt: '2026-01-01T00:00:00.000Z', closedAt: '2026-01-01T00:04:00.000Z' }]);
  expect(alerts).toEqual([]);

  await at.look('web', drifted);
  await at.pass(5 * minutes - 1);
  expect(at.sink('hook').requests).toEqual([]);
  await at.pass(1);
  expect(kinds(at.sink('hook'))).toEqual(['drift.firing']);
});

test('a deploy from Git is told to nobody, and drift that comes on top of it is', async () => {
  await using at = await dispatchScene({ rules: [driftRule()], applications: ['web'], destinations: { hook: 'webhook' } });
  await at.look('web', { cause: 'git-ahead' });
  await at.pass(60 * minutes);
  await at.look('web');
  await at.pass(60 * minutes);
  expect(at.sink('hook').requests).toEqual([]);
  expect((await at.status('web')).episodes).toHaveLength(1);
  await at.look('web', { cause: 'both' });
  await at.pass(1 * seconds);
  expect(kinds(at.sink('hook'))).toEqual(['drift.firing']);
});

test('drifts that are healed within a second are one informational digest', async () => {
  const names = ['api', 'db', 'web'];
  const rule = driftRule({ forMs: 5 * minutes, groupWaitMs: 30 * seconds, groupIntervalMs: 5 * minutes, sendHealed: true });
  await using at = await dispatchScene({ rules: [rule], applications: names, destinations: { hook: 'webhook' } });
  for (const name of names) await at.look(name, drifted);
  await at.pass(700);
  for (const name of names) await at.look(name, { isCorrected: true });
  await at.pass(60 * minutes);
  const sent = at.sink('hook').requests.map(eventIn);
  expect(sent).toMatchObject([{ type: 'dev.setpoint.drift.healed.v1', data: { rule: { severity: 'info' }, counts: { applications: 3 } } }]);
});

test('a drift that toggles every 200 ms for a minute is at most one firing and one resolved in a window', async () => {
  const windowMs = 10 * seconds;
  await using at = await dispatchScene({ rules: [driftRule({ groupIntervalMs: windowMs })], applications: ['web'], destinations: { hook: 'webhook' } });
  for (let toggles = 0; toggles < 300; toggles += 1) {
    await at.look('web', toggles % 2 === 0 ? drifted : {});
    await at.pass(200);
  }
  await at.pass(5 * minutes);
  const sent = at.sink('hook').requests.map(eventIn);
  const windows = Map.groupBy(sent, ({ time }) => Math.floor(Date.parse(time) / windowMs));
  for (const [, some] of windows) {
    expect(some.filter((event) => kind(event) === 'drift.resolved').length).toBeLessThanOrEqual(1);
    expect(some.filter((event) => kind(event) !== 'drift.resolved').length).toBeLessThanOrEqual(1);
  }
  expect(sent.length).toBeGreaterThan(1);
  expect(sent.length).toBeLessThanOrEqual(8);
  expect(kinds(at.sink('hook')).at(0)).toBe('drift.firing');
  expect(kinds(at.sink('hook')).at(-1)).toBe('drift.resolved');
  expect((await at.status('web')).alerts).toHaveLength(1);
});

test('500 applications that drift at once are one digest for each destination, and their end is another', async () => {
  const names = Array.from({ length: 500 }, (_, index) => `app-${index}`);
  const rule = driftRule({ groupWaitMs: 30 * seconds, groupIntervalMs: 5 * minutes, destinations: ['hook', 'chat'] });
  await using at = await dispatchScene({ rules: [rule], applications: names, destinations: { hook: 'webhook', chat: 'slack' } });
  for (const name of names) await at.look(name, drifted);
  await at.pass(4 * minutes);
  expect(at.sink('hook').requests.map(eventIn)).toMatchObject([{ type: 'dev.setpoint.drift.firing.v1', data: { counts: { applications: 500 } } }]);
  expect(at.sink('chat').requests).toHaveLength(1);
  expect(at.sink('chat').requests[0]?.body).toContain('500 applications');
  for (const name of names) await at.look(name);
  await at.pass(10 * minutes);
  expect(kinds(at.sink('hook'))).toEqual(['drift.firing', 'drift.resolved']);
  expect(at.sink('chat').requests.map(({ path }) => path)).toEqual(['/chat.postMessage', '/chat.update', '/chat.postMessage']);
}, 60_000);

test('Slack gets no more than one message a second, while another destination gets them all at once', async () => {
  const names = Array.from({ length: 8 }, (_, index) => `app-${index}`);
  await using at = await dispatchScene({ rules: [driftRule({ destinations: ['hook', 'chat'] })], applications: names, destinations: { hook: 'webhook', chat: 'slack' } });
  for (const name of names) await at.look(name, drifted);
  await at.pass(1 * seconds);
  expect(at.sink('hook').requests).toHaveLength(8);
  await at.pass(20 * seconds);
  const left = at.leftAt('chat');
  expect(left).toHaveLength(8);
  expect(Math.min(...left.slice(1).map((time, index) => time - (left[index] ?? 0)))).toBeGreaterThanOrEqual(1000);
  expect(left.at(-1)).toBeLessThan(8 * seconds);
});

test('what is silenced is not sent, and is when the silence ends and it still fires', async () => {
  await using at = await dispatchScene({ rules: [driftRule()], applications: ['over', 'still'], destinations: { hook: 'webhook' } });
  at.silences = [{ id: 'night', match: {}, from: at.now().toISOString(), until: new Date(at.now().getTime() + 60 * minutes).toISOString(), author: 'ann', reason: 'a move' }];
  await at.look('over', drifted);
  await at.look('still', drifted);
  await at.pass(30 * minutes);
  await at.look('over');
  await at.pass(30 * minutes - 1);
  expect(at.sink('hook').requests).toEqual([]);
  await at.pass(1 * minutes);
  expect(at.sink('hook').requests.map(eventIn).map((event) => `${kind(event)} ${event.subject}`)).toEqual(['drift.firing still']);
});
