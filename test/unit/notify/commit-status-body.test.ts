import { expect, test } from 'vitest';
import type { CommitStatusConfig, Notification, NotificationType } from '../../../src/model/index.ts';
import { statusBody } from '../../../src/notify/commit-status-body.ts';
import { messageOf } from '../../../src/notify/message.ts';
import { exampleNotification, exampleSubject } from '../../support/example-notification.ts';

function bodyOf(notification: Notification, config: Partial<CommitStatusConfig> = {}): object {
  return statusBody({ provider: 'github', ...config }, notification, messageOf(notification));
}

test.each<[NotificationType, string]>([
  ['drift.firing', 'failure'],
  ['drift.changed', 'failure'],
  ['drift.repeated', 'failure'],
  ['sync.failed', 'failure'],
  ['agent.blind', 'failure'],
  ['drift.resolved', 'success'],
  ['drift.healed', 'success'],
  ['sync.succeeded', 'success'],
  ['agent.recovered', 'success'],
  ['test', 'success'],
])('%s is a %s', (type, state) => {
  expect(bodyOf(exampleNotification({ type }))).toMatchObject({ state });
});

test.each([
  ['github', { state: 'failure', context: 'setpoint/prod/checkout' }],
  ['gitea', { state: 'failure', context: 'setpoint/prod/checkout' }],
  ['gitlab', { state: 'failed', name: 'setpoint/prod/checkout' }],
] as const)('%s has its own words', (provider, expected) => {
  expect(bodyOf(exampleNotification(), { provider })).toMatchObject(expected);
});

test.each([
  ['setpoint', 'prod', 'setpoint/prod/checkout'],
  ['setpoint', null, 'setpoint/checkout'],
  ['setpoint-eu', 'prod', 'setpoint-eu/prod/checkout'],
])('with the context %s and the namespace %s it is called %s', (context, namespace, called) => {
  const subject = { ...exampleSubject, application: { ...exampleSubject.application, namespace } };
  expect(bodyOf(exampleNotification({ subjects: [subject] }), { context })).toMatchObject({ context: called });
});

test('the description is cut at 140 characters', () => {
  const subject = { ...exampleSubject, application: { ...exampleSubject.application, name: 'a'.repeat(200), namespace: 'b'.repeat(200) } };
  expect(bodyOf(exampleNotification({ subjects: [subject] }))).toHaveProperty('description', expect.stringMatching(/^.{139}…$/));
});
