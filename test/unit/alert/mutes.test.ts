import { describe, expect, test } from 'vitest';
import { activeMutes, mutedBy } from '../../../src/alert/index.ts';
import type { MuteWindow, Silence } from '../../../src/model/index.ts';
import { createScene, exampleRule, hours, minutes, start, type Scene } from './alert-scene.ts';

const weekend: MuteWindow = { name: 'weekend', cron: '0 18 * * 5', durationMs: 60 * hours, timezone: 'Europe/Berlin', match: {} };

describe('a mute window', () => {
  test.each<[string, Partial<MuteWindow>, string, string | undefined]>([
    ['is shut before it begins', {}, '2026-11-13T16:59:59.999Z', undefined],
    ['begins at its time in its zone', {}, '2026-11-13T17:00:00.000Z', '2026-11-16T05:00:00.000Z'],
    ['lasts as long as it says', {}, '2026-11-16T04:59:59.999Z', '2026-11-16T05:00:00.000Z'],
    ['is over then', {}, '2026-11-16T05:00:00.000Z', undefined],
    ['begins an hour earlier in summer', {}, '2026-07-10T16:00:00.000Z', '2026-07-13T04:00:00.000Z'],
    ['lasts as long when clocks are put forward meanwhile', {}, '2026-03-30T04:59:00.000Z', '2026-03-30T05:00:00.000Z'],
    ['lasts as long when clocks are put back meanwhile', {}, '2026-10-26T03:59:00.000Z', '2026-10-26T04:00:00.000Z'],
    ['begins when the hour is over that clocks skip', { cron: '30 2 * * *', durationMs: 1 * hours }, '2026-03-29T01:00:00.000Z', '2026-03-29T02:00:00.000Z'],
    ['begins once in the hour that clocks show twice', { cron: '30 2 * * *', durationMs: 30 * minutes }, '2026-10-25T01:30:00.000Z', undefined],
    ['begins the first time that clocks show it', { cron: '30 2 * * *', durationMs: 30 * minutes }, '2026-10-25T00:30:00.000Z', '2026-10-25T01:00:00.000Z'],
    ['begins again while it lasts, and lasts on', { cron: '0 * * * *', durationMs: 90 * minutes, timezone: 'UTC' }, '2026-11-13T17:10:00.000Z', '2026-11-13T18:30:00.000Z'],
    ['mutes nothing where its times cannot be read', { cron: 'now and then' }, '2026-11-14T12:00:00.000Z', undefined],
    ['mutes nothing where its zone cannot be', { timezone: 'Mars/Olympus' }, '2026-11-14T12:00:00.000Z', undefined],
  ])('%s', (_name, changes, at, until) => {
    const [active] = activeMutes({ muteWindows: [{ ...weekend, ...changes }] }, new Date(at));
    expect(active?.mute.until).toBe(until);
  });
});

const at = (ms: number): string => new Date(start + ms).toISOString();
const silence = (from: number, until: number, match: Silence['match'] = {}): Silence => ({ id: 's1', match, from: at(from), until: at(until), author: 'ada', reason: 'an upgrade' });

function tell(silences: readonly Silence[], happens: (scene: Scene) => void): Scene {
  const scene = createScene();
  scene.silences = silences;
  happens(scene);
  return scene;
}

describe('what is silenced', () => {
  test.each<[string, readonly Silence[], (scene: Scene) => void, readonly string[]]>([
    ['is told when the silence ends, if it still fires', [silence(0, 1 * hours)], (s) => { s.drift('web', ['a']); s.pass(2 * hours); }, ['3600 chat drift.firing web']],
    ['is never told when it was over before', [silence(0, 1 * hours)], (s) => { s.drift('web', ['a']); s.pass(30 * minutes); s.end('web', 'a'); s.pass(9 * hours); }, []],
    ['is told when the silence has not begun', [silence(1 * hours, 2 * hours)], (s) => { s.drift('web', ['a']); s.pass(10 * minutes); }, ['330 chat drift.firing web']],
    ['is told to be over after the silence where it was told to fire before', [silence(10 * minutes, 1 * hours)], (s) => { s.drift('web', ['a']); s.pass(30 * minutes); s.end('web', 'a'); s.pass(2 * hours); }, ['330 chat drift.firing web', '3600 chat drift.resolved web']],
    ['is told anew when it comes back', [silence(0, 1 * hours)], (s) => { s.drift('web', ['a']); s.pass(58 * minutes); s.end('web', 'a'); s.pass(3 * minutes); s.drift('web', ['a']); s.pass(1 * hours); }, ['3960 chat drift.firing web']],
    ['is what matches only', [silence(0, 9 * hours, { applications: ['shop'] })], (s) => { s.drift('web', ['a']); s.pass(1 * hours); }, ['330 chat drift.firing web']],
    ['is of the rules that are named only', [silence(0, 9 * hours, { rules: ['blind'] })], (s) => { s.drift('web', ['a']); s.pass(1 * hours); }, ['330 chat drift.firing web']],
    ['is of the rule that is named', [silence(0, 9 * hours, { rules: ['drift'] })], (s) => { s.drift('web', ['a']); s.pass(1 * hours); }, []],
    ['is not the rest of what an alert is about', [silence(0, 9 * hours, { fields: ['spec.replicas'] })], (s) => { s.drift('web', ['a']); s.drift('web', ['b'], { path: '/spec/paused' }); s.pass(1 * hours); }, ['330 chat drift.firing web']],
    ['may be silenced by several together', [silence(0, 9 * hours, { fields: ['spec.replicas'] }), silence(0, 8 * hours, { fields: ['spec.paused'] })], (s) => { s.drift('web', ['a']); s.drift('web', ['b'], { path: '/spec/paused' }); s.pass(1 * hours); }, []],
  ])('%s', (_name, silences, happens, told) => {
    expect(tell(silences, happens).lines()).toEqual(told);
  });

  test('says who wanted it, why, and until when the first of them lasts', () => {
    const silences = [silence(0, 9 * hours, { fields: ['spec.replicas'] }), { ...silence(0, 8 * hours, { fields: ['spec.paused'] }), id: 's2', author: 'bob' }];
    const scene = tell(silences, (s) => { s.drift('web', ['a']); s.drift('web', ['b'], { path: '/spec/paused' }); s.pass(10 * minutes); });
    const found = scene.alertsOf('web').map((alert) => mutedBy(alert, scene.place('web'), activeMutes({ silences }, new Date(scene.now()))));
    expect(found).toEqual([{ type: 'silence', id: 's2', author: 'bob', reason: 'an upgrade', until: at(8 * hours) }]);
  });
});

test('a mute window holds back what fires in it and lets go of it at its end', () => {
  const nightly: MuteWindow = { name: 'night', cron: '0 11 * * *', durationMs: 1 * hours, timezone: 'UTC', match: { labels: { tier: '3' } } };
  const scene = createScene({ rules: [exampleRule()], applications: ['web', 'shop'], muteWindows: [nightly], describe: (id) => ({ labels: { tier: id === 'web' ? '3' : '1' } }) });
  scene.pass(61 * minutes);
  scene.drift('web', ['a']);
  scene.drift('shop', ['a']);
  scene.pass(3 * hours);
  expect(scene.lines()).toEqual(['3990 chat drift.firing shop', '7200 chat drift.firing web']);
});
