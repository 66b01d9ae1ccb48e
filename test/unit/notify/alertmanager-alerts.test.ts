import { expect, test } from 'vitest';
import type { AlertedApplication, Notification, NotificationType } from '../../../src/model/index.ts';
import { alertmanagerAlerts, type PostableAlert } from '../../../src/notify/alertmanager-alerts.ts';
import { messageOf } from '../../../src/notify/message.ts';
import { digestNotification, exampleNotification, exampleSubject, resolvedNotification } from '../../support/example-notification.ts';

const alertsOf = (notification: Notification): readonly PostableAlert[] => alertmanagerAlerts(notification, messageOf);

function only(notification: Notification): PostableAlert {
  const [alert, ...others] = alertsOf(notification);
  if (alert === undefined || others.length > 0) throw new Error(`one alert was wanted, there are ${others.length}`);
  return alert;
}

const withAlert = (changes: Partial<AlertedApplication['alert']>): readonly AlertedApplication[] => [{ ...exampleSubject, alert: { ...exampleSubject.alert, ...changes } }];

test.each<NotificationType>(['drift.changed', 'drift.repeated', 'drift.resolved'])('%s has the labels of what fired, as they are the identity', (type) => {
  expect(only(exampleNotification({ type, id: 'evt_other', at: '2026-11-17T10:46:12Z' })).labels).toEqual(only(exampleNotification()).labels);
});

test.each([
  ['drift', 'SetpointDrift'],
  ['git-stuck', 'SetpointGitStuck'],
  ['on call / EU', 'SetpointOnCallEU'],
  ['***', 'Setpoint'],
])('the rule %s gives the name %s', (name, alertname) => {
  expect(only(exampleNotification({ rule: { name, severity: 'info' } })).labels).toMatchObject({ alertname, rule: name, severity: 'info' });
});

test('what fires ends a week later, so that a repeat comes before', () => {
  expect(only(exampleNotification())).toMatchObject({ startsAt: '2026-11-16T10:40:12Z', endsAt: '2026-11-23T10:46:12.000Z' });
});

test.each<[string, Notification, string, string]>([
  ['it was resolved', resolvedNotification(), '2026-11-16T10:40:12Z', '2026-11-16T10:52:12Z'],
  ['it is told as resolved and nobody says when', exampleNotification({ type: 'drift.resolved' }), '2026-11-16T10:40:12Z', '2026-11-16T10:46:12Z'],
  ['it was healed', exampleNotification({ type: 'drift.healed' }), '2026-11-16T10:40:12Z', '2026-11-16T10:46:12Z'],
  ['it ended before it started, by the clock', exampleNotification({ subjects: withAlert({ endedAt: '2026-11-16T10:40:00Z' }) }), '2026-11-16T10:40:00Z', '2026-11-16T10:40:00Z'],
])('it is over where %s', (_name, notification, startsAt, endsAt) => {
  expect(only(notification)).toMatchObject({ startsAt, endsAt });
});

test('in a digest of several rules each alert has the labels of its own rule', () => {
  const subject = { ...exampleSubject, rule: exampleNotification().rule };
  expect(only(exampleNotification({ rule: { name: 'blind, drift', severity: 'critical' }, subjects: [subject] })).labels).toEqual(only(exampleNotification()).labels);
});

test('what is over is told so also among others that are not', () => {
  const [over] = resolvedNotification().subjects;
  const alerts = alertsOf(exampleNotification({ subjects: [exampleSubject, ...(over === undefined ? [] : [over])] }));
  expect(alerts.map(({ annotations, endsAt }) => [annotations['summary'], endsAt])).toEqual([
    ['checkout in prod: 1 of its resources was changed by hand', '2026-11-23T10:46:12.000Z'],
    ['checkout in prod: in sync with Git again', '2026-11-16T10:52:12Z'],
  ]);
});

test('an application without a namespace has no label for it', () => {
  expect(only(exampleNotification({ subjects: [{ ...exampleSubject, application: { ...exampleSubject.application, namespace: null } }] })).labels).not.toHaveProperty('namespace');
});

test('each application is an alert of its own, with its own words', () => {
  const alerts = alertsOf({ ...digestNotification(3), truncatedSubjects: 0 });
  expect(alerts.map(({ labels, annotations }) => [labels['application'], annotations['summary']])).toEqual(
    ['shop-0', 'shop-1', 'shop-2'].map((name) => [name, `${name} in prod: 1 of its resources was changed by hand`]),
  );
});

test('those that are only counted are one alert, which ends by itself', () => {
  expect(alertsOf(digestNotification(3)).at(-1)).toMatchObject({
    labels: { alert_id: 'evt_01JC8Z9K7Q0000000000000000' },
    annotations: { summary: expect.stringContaining('500 applications in prod-eu-1') },
    endsAt: '2026-11-17T10:46:12.000Z',
  });
  expect(alertsOf({ ...digestNotification(3), type: 'drift.resolved' }).length).toBe(3);
});

test('a test is an alert of five minutes', () => {
  expect(only(exampleNotification({ type: 'test', subjects: [] }))).toMatchObject({ startsAt: '2026-11-16T10:46:12Z', endsAt: '2026-11-16T10:51:12.000Z' });
});

test.each([
  ['https://user:s3cret@git.example.com/shop/deploy.git?x=1', 'https://git.example.com/shop/deploy.git'],
  ['git@git.example.com:shop/deploy.git', undefined],
  ['/srv/git/deploy', undefined],
])('%s leads to %s', (repo, generatorURL) => {
  const subject = { ...exampleSubject, revision: { ...exampleSubject.revision, repo } };
  expect(only(exampleNotification({ subjects: [subject] })).generatorURL).toBe(generatorURL);
});
