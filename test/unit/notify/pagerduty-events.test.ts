import { expect, test } from 'vitest';
import type { Notification, NotificationType, Severity } from '../../../src/model/index.ts';
import { messageOf } from '../../../src/notify/message.ts';
import { pagerDutyEvents, type PagerDutyEvent } from '../../../src/notify/pagerduty-events.ts';
import { digestNotification, exampleNotification, exampleSubject, resolvedNotification } from '../../support/example-notification.ts';

const eventsOf = (notification: Notification): readonly PagerDutyEvent[] => pagerDutyEvents(notification, messageOf).events;
const keysOf = (notification: Notification): readonly string[] => eventsOf(notification).map(({ event_action: action, dedup_key: key }) => `${action} ${key}`);

const { id } = exampleSubject.alert;

test.each<[NotificationType, string]>([
  ['drift.firing', `trigger ${id}`],
  ['drift.changed', `trigger ${id}`],
  ['drift.repeated', `trigger ${id}`],
  ['agent.blind', `trigger ${id}`],
  ['sync.failed', `trigger ${id}`],
  ['drift.resolved', `resolve ${id}`],
  ['drift.healed', `resolve ${id}`],
  ['sync.succeeded', `resolve ${id}`],
  ['agent.recovered', `resolve ${id}`],
])('%s is %s', (type, expected) => {
  expect(keysOf(exampleNotification({ type }))).toEqual([expected]);
});

test.each<Severity>(['info', 'warning', 'critical'])('%s is as severe there', (severity) => {
  expect(eventsOf(exampleNotification({ rule: { name: 'drift', severity } }))).toMatchObject([{ payload: { severity } }]);
});

test('of several applications each is an incident, and what is over resolves its own', () => {
  const over = { ...exampleSubject, alert: { ...exampleSubject.alert, id: 'drf_over', endedAt: '2026-11-16T10:45:00Z' } };
  const firing = { ...exampleSubject, alert: { ...exampleSubject.alert, id: 'drf_firing' } };
  expect(keysOf(exampleNotification({ subjects: [firing, over, exampleSubject] }))).toEqual(['resolve drf_over', 'trigger drf_firing', `trigger ${id}`]);
});

test.each([
  ['ten applications are ten incidents', { ...digestNotification(10), truncatedSubjects: 0 }, 10],
  ['eleven are one', { ...digestNotification(11), truncatedSubjects: 0 }, 1],
  ['500 are one', digestNotification(), 1],
  ['three and eight that are only counted are one', { ...digestNotification(3), truncatedSubjects: 8 }, 1],
])('%s', (_name, notification, count) => {
  expect(eventsOf(notification).length).toBe(count);
});

test('one incident of many has the key of the notification', () => {
  expect(keysOf(digestNotification())).toEqual(['trigger evt_01JC8Z9K7Q0000000000000000']);
});

test('the incident of many is known by that key afterwards, that of one by none', () => {
  expect(pagerDutyEvents(digestNotification(), messageOf).ref).toBe('evt_01JC8Z9K7Q0000000000000000');
  expect(pagerDutyEvents(exampleNotification(), messageOf).ref).toBe('own');
});

test.each([
  ['repeated while some of them last', digestNotification(), ['trigger evt_first'], 'evt_first'],
  ['repeated when only one of them is left', exampleNotification({ type: 'drift.repeated' }), ['trigger evt_first'], 'evt_first'],
  ['resolved when the last of them is over', resolvedNotification(), ['resolve evt_first'], 'own'],
])('the incident of many is %s', (_name, notification, keys, ref) => {
  const told = { ...notification, ref: 'evt_first' };
  expect([keysOf(told), pagerDutyEvents(told, messageOf).ref]).toEqual([keys, ref]);
});

test('those that are only counted are told of, also where all that are listed are over', () => {
  const notification = exampleNotification({ subjects: resolvedNotification().subjects, truncatedSubjects: 2 });
  expect(keysOf(notification)).toEqual([`resolve ${id}`, 'trigger evt_01JC8Z9K7Q0000000000000000']);
  expect(keysOf({ ...notification, ref: 'evt_first' })).toEqual(['trigger evt_first']);
});

test.each(['own', 'C012/17.2', 'evt_ x', ''])('%j is no key of such an incident', (ref) => {
  expect(keysOf(exampleNotification({ ref }))).toEqual([`trigger ${id}`]);
});

test('many that are over resolve each its own', () => {
  const notification = { ...digestNotification(12), type: 'drift.resolved' as const };
  expect(keysOf(notification)).toEqual(notification.subjects.map(({ alert }) => `resolve ${alert.id}`));
});

test('a test is an incident, also without an application', () => {
  expect(keysOf(exampleNotification({ type: 'test', subjects: [] }))).toEqual(['trigger evt_01JC8Z9K7Q0000000000000000']);
});

test('the source is the cluster, the namespace and the application', () => {
  const bare = { ...exampleSubject, application: { ...exampleSubject.application, namespace: null } };
  expect(eventsOf(exampleNotification())).toMatchObject([{ payload: { source: 'prod-eu-1/prod/checkout', component: 'checkout', group: 'prod' } }]);
  expect(eventsOf(exampleNotification({ subjects: [bare] }))).toMatchObject([{ payload: { source: 'prod-eu-1/checkout', group: 'prod-eu-1' } }]);
});

test('what resolves says nothing else', () => {
  expect(eventsOf(resolvedNotification())).toEqual([{ event_action: 'resolve', dedup_key: id }]);
});
