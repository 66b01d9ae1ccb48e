import { expect, test } from 'vitest';
import { withUndelivered } from '../../../src/alert/index.ts';
import type { Condition } from '../../../src/model/index.ts';
import { createScene, minutes, type Scene } from './alert-scene.ts';

const other: Condition = { type: 'Synced', status: 'False', reason: 'LiveChanged', message: '', lastTransitionTime: '2026-11-16T10:00:00Z' };

/** An alert for two destinations of which one takes nothing. */
function failing() {
  const scene = createScene({ destinations: ['chat', 'pager'] });
  scene.rules = scene.rules.map((rule) => ({ ...rule, forMs: 0, groupWaitMs: 0, destinations: ['chat', 'pager'] }));
  scene.fate = ({ destination }) => (destination === 'chat' ? { type: 'retry', why: 'HTTP 500' } : { type: 'sent' });
  scene.drift('web', ['a']);
  return { scene, conditions: (before: readonly Condition[]) => withUndelivered(before, scene.alertsOf('web'), { rules: scene.rules, destinations: ['chat', 'pager'], now: new Date(scene.now()) }) };
}

test('what a destination has not taken for fifteen minutes is a condition until it has', () => {
  const { scene, conditions } = failing();
  scene.pass(14 * minutes);
  const early = [other];
  expect(conditions(early)).toBe(early);
  scene.pass(1 * minutes);
  const named = conditions(early);
  expect(named).toEqual([other, { type: 'AlertsNotDelivered', status: 'True', reason: 'DestinationFails', message: 'chat has not taken what was to be told at 2026-11-16T10:00:00.000Z: HTTP 500', lastTransitionTime: '2026-11-16T10:15:00Z' }]);
  scene.pass(5 * minutes);
  expect(conditions(named)).toBe(named);
  scene.fate = () => ({ type: 'sent' });
  scene.pass(60 * minutes);
  expect(conditions(named)).toEqual([other]);
});

test.each([
  ['a destination that is no longer there', (scene: Scene) => ({ rules: scene.rules, destinations: ['pager'] })],
  ['a destination that the rule no longer tells', (scene: Scene) => ({ rules: scene.rules.map((rule) => ({ ...rule, destinations: ['pager'] })), destinations: ['chat', 'pager'] })],
  ['a rule that is no longer there', () => ({ rules: [], destinations: ['chat', 'pager'] })],
])('what %s has not taken is no condition any more, though it still fires', (_what, telling) => {
  const { scene, conditions } = failing();
  scene.pass(20 * minutes);
  const named = conditions([other]);
  expect(named).toHaveLength(2);
  expect(withUndelivered(named, scene.alertsOf('web'), { ...telling(scene), now: new Date(scene.now()) })).toEqual([other]);
});
