import { expect, test } from 'vitest';
import type { NotificationType } from '../../../src/model/index.ts';
import { singleSubject } from '../../../src/notify/single-subject.ts';
import { digestNotification, exampleNotification, exampleSubject } from '../../support/example-notification.ts';

const over = { ...exampleSubject, alert: { ...exampleSubject.alert, endedAt: '2026-11-16T10:45:00Z' } };

test.each<[NotificationType, NotificationType]>([
  ['drift.firing', 'drift.resolved'],
  ['drift.changed', 'drift.resolved'],
  ['drift.repeated', 'drift.resolved'],
  ['drift.healed', 'drift.healed'],
  ['sync.failed', 'sync.succeeded'],
  ['agent.blind', 'agent.recovered'],
  ['test', 'test'],
])('what is over in %s is told as %s, and what lasts as it is', (type, expected) => {
  const notification = exampleNotification({ type });
  expect(singleSubject(notification, over).type).toBe(expected);
  expect(singleSubject(notification, exampleSubject).type).toBe(type);
});

test('it is about that application alone', () => {
  expect(singleSubject(digestNotification(), exampleSubject)).toMatchObject({ id: 'evt_01JC8Z9K7Q0000000000000000', subjects: [exampleSubject], truncatedSubjects: 0 });
});

test('the rule is its own where that is known', () => {
  const rule = { name: 'blind', severity: 'critical' } as const;
  expect(singleSubject(exampleNotification(), { ...exampleSubject, rule }).rule).toEqual(rule);
  expect(singleSubject(exampleNotification({ rule }), exampleSubject).rule).toEqual(rule);
});
