import { describe, expect, test } from 'vitest';
import type { AlertedApplication, AlertedField, AlertedResource, Notification } from '../../../src/model/index.ts';
import { messageOf } from '../../../src/notify/message.ts';
import { digestNotification, exampleNotification, exampleResource, exampleSubject, hostileNotification, resolvedNotification } from '../../support/example-notification.ts';

const about = (changes: Partial<AlertedApplication>, more: Partial<Notification> = {}): Notification => exampleNotification({ subjects: [{ ...exampleSubject, ...changes }], ...more });
const of = (changes: Partial<AlertedResource>, more: Partial<Notification> = {}): Notification => about({ resources: [{ ...exampleResource, ...changes }] }, more);
const two = [exampleResource, { ...exampleResource, name: 'cart' }];
const byController: AlertedField = { display: 'spec.replicas', desired: 3, live: 5, actor: { manager: 'keda-operator', operation: 'Update' } };

describe('the title', () => {
  test.each([
    ['one resource', exampleNotification(), 'checkout in prod: 1 of its resources was changed by hand'],
    ['two resources', about({ resources: two }), 'checkout in prod: 2 of its resources were changed by hand'],
    ['resources that are not listed', about({ truncatedResources: 9 }), 'checkout in prod: 10 of its resources were changed by hand'],
    ['a change by a controller', of({ fields: [byController] }), 'checkout in prod: 1 of its resources was changed in the cluster'],
    ['a change by nobody knows whom', about({ resources: [withoutBy()] }), 'checkout in prod: 1 of its resources was changed in the cluster'],
    ['an application without a namespace', about({ application: { ...exampleSubject.application, namespace: null } }), 'checkout: 1 of its resources was changed by hand'],
    ['a commit that is not live', about({ cause: 'git-ahead' }), 'checkout in prod: 1 of its resources was changed in Git and not in the cluster'],
    ['changes on both sides', about({ cause: 'both' }), 'checkout in prod: 1 of its resources was changed in Git, and otherwise by hand'],
    ['another state of the same drift', about({ resources: two }, { type: 'drift.changed' }), 'checkout in prod: now 2 of its resources are changed by hand'],
    ['a drift that lasts', exampleNotification({ type: 'drift.repeated' }), 'checkout in prod: still 1 of its resources is changed by hand'],
    ['the end of a drift', resolvedNotification(), 'checkout in prod: in sync with Git again'],
    ['a drift that was healed', exampleNotification({ type: 'drift.healed' }), 'checkout in prod: 1 of its resources was changed by hand, and put back'],
    ['a failed sync', about({ cause: null, message: 'web/deploy.yaml: denied' }, { type: 'sync.failed' }), 'checkout in prod: the sync failed: web/deploy.yaml: denied'],
    ['a sync', about({ cause: null }, { type: 'sync.succeeded' }), 'checkout in prod: synced'],
    ['not knowing', about({ cause: null, message: 'Git cannot be reached' }, { type: 'agent.blind' }), 'checkout in prod: the state is not known: Git cannot be reached'],
    ['knowing again', about({ cause: null }, { type: 'agent.recovered' }), 'checkout in prod: the state is known again'],
    ['something else in its own words', about({ cause: null, message: 'keda-operator writes spec.replicas again and again' }), 'checkout in prod: keda-operator writes spec.replicas again and again'],
    ['something without words', about({ cause: null }), 'checkout in prod: something is wrong'],
    ['two applications', exampleNotification({ subjects: [exampleSubject, exampleSubject] }), '2 applications in prod-eu-1: 2 of their resources were changed by hand'],
    ['500 applications', digestNotification(), '500 applications in prod-eu-1: their resources were changed by hand'],
    ['a test', exampleNotification({ type: 'test', subjects: [] }), 'Setpoint: a test of this destination'],
  ])('tells of %s', (_what, notification, title) => {
    expect(messageOf(notification).title).toBe(title);
  });
});

function withoutBy(): AlertedResource {
  const { by: _by, ...rest } = exampleResource;
  return { ...rest, fields: [{ display: 'spec.replicas' }] };
}

describe('a line', () => {
  const place = 'Deployment prod/checkout  spec.replicas';
  test.each([
    ['both values, who and since when', exampleNotification(), `${place}  git 3 → live 5  by kubectl (scale) since 10:40 UTC (6 min)`],
    ['a value that only Git has', of({ fields: [{ display: 'spec.replicas', desired: 3 }] }), `${place}  git 3 → live (none)  by kubectl since 10:40 UTC (6 min)`],
    ['a value that only the cluster has', of({ fields: [{ display: 'spec.replicas', live: '5' }] }), `${place}  git (none) → live "5"  by kubectl since 10:40 UTC (6 min)`],
    ['no values where none are known', of({ fields: [{ display: 'spec.replicas' }] }), `${place}  by kubectl since 10:40 UTC (6 min)`],
    ['what became of a resource without fields', of({ change: 'missing', fields: [] }), 'Deployment prod/checkout  missing  by kubectl since 10:40 UTC (6 min)'],
    ['a resource of the whole cluster', of({ namespace: '', kind: 'ClusterRole', change: 'missing', fields: [] }), 'ClusterRole checkout  missing  by kubectl since 10:40 UTC (6 min)'],
    ['when it was put back', of({ correctedAt: '2026-11-16T10:41:12Z' }), `${place}  git 3 → live 5  by kubectl (scale) since 10:40 UTC (1 min), put back 10:41 UTC`],
    ['when it was over', of({ endedAt: '2026-11-16T10:44:12Z' }), `${place}  git 3 → live 5  by kubectl (scale) from 10:40 UTC to 10:44 UTC (4 min)`],
    ['from when it was where it is over', resolvedNotification(), `${place}  git 3 → live 5  by kubectl (scale) from 10:40 UTC`],
  ])('has %s', (_what, notification, line) => {
    expect(messageOf(notification).lines).toEqual([line]);
  });

  test('says what the application says of itself, all of it', () => {
    const message = `the repository cannot be reached: ${'reason '.repeat(50)}`;
    expect(messageOf(about({ cause: null, message, resources: [] }, { type: 'agent.blind' })).lines).toEqual([message]);
  });

  test('never has bare signs for more and less', () => {
    expect(messageOf(exampleNotification()).lines.join('\n')).not.toMatch(/^\s*[+-]/m);
  });
});

describe('all lines', () => {
  test('are bounded, and the last one counts the rest', () => {
    const resources = Array.from({ length: 10_000 }, (_, at) => ({ ...exampleResource, name: `web-${at}` }));
    const { lines } = messageOf(about({ resources, truncatedResources: 5 }));
    expect(lines.length).toBe(39);
    expect(lines.at(-1)).toBe('and 9967 more resources');
  });

  test('of a few applications have a heading each and the beginning of what they are about', () => {
    const subject = { ...exampleSubject, resources: Array.from({ length: 9 }, () => exampleResource) };
    const { lines } = messageOf(exampleNotification({ subjects: [subject, subject] }));
    expect(lines.length).toBe(10);
    expect(lines.slice(0, 2)).toEqual(['checkout in prod: 9 of its resources were changed by hand', '  Deployment prod/checkout  spec.replicas  git 3 → live 5  by kubectl (scale) since 10:40 UTC (6 min)']);
    expect(lines[4]).toBe('  and 6 more resources');
  });

  test('count the fields of a resource for which there is no room', () => {
    const fields = Array.from({ length: 10 }, (_, at) => ({ display: `spec.field${at}` }));
    const subject = { ...exampleSubject, resources: [{ ...exampleResource, fields }] };
    const { lines } = messageOf(exampleNotification({ subjects: [subject, subject] }));
    expect(lines.slice(1, 4).map((line) => line.trim().slice(0, 40))).toEqual(['Deployment prod/checkout  spec.field0  b', 'Deployment prod/checkout  spec.field1  b', 'and 8 more fields of it']);
  });

  test('of many applications are one for each, as many as there is room for', () => {
    const { lines } = messageOf(digestNotification(60));
    expect(lines.length).toBe(40);
    expect([lines[0], lines.at(-1)]).toEqual(['shop-0 in prod: 1 of its resources was changed by hand', 'and 461 more applications']);
  });
});

describe('the next step', () => {
  test.each([
    ['of a drift', exampleNotification(), ['setpoint diff checkout -n prod --plan', 'setpoint sync checkout -n prod']],
    ['without a namespace', about({ application: { ...exampleSubject.application, namespace: null } }), ['setpoint diff checkout --plan', 'setpoint sync checkout']],
    ['of not knowing', exampleNotification({ type: 'agent.blind' }), ['setpoint status checkout -n prod', 'setpoint doctor']],
    ['of what is over', resolvedNotification(), ['setpoint history checkout -n prod']],
    ['of many', digestNotification(), ['setpoint status -A']],
    ['of a name that a shell would run', about({ application: { ...exampleSubject.application, name: '$(reboot)' } }), []],
    ['of a namespace that a shell would run', about({ application: { ...exampleSubject.application, namespace: 'a; reboot' } }), []],
    ['of a name that is an option', about({ application: { ...exampleSubject.application, name: '--help' } }), []],
    ['of a test', exampleNotification({ type: 'test', subjects: [] }), []],
  ])('%s', (_what, notification, next) => {
    expect(messageOf(notification).next).toEqual(next);
  });
});

test.each([
  ['something firing', exampleNotification(), 'cluster prod-eu-1, rule drift (warning), since 10:40 UTC (6 min)', false],
  ['something resolved', resolvedNotification(), 'cluster prod-eu-1, rule drift (warning), from 10:40 UTC to 10:52 UTC (12 min)', true],
])('the summary of %s says where, by which rule and since when', (_what, notification, summary, isResolved) => {
  expect(messageOf(notification)).toMatchObject({ summary, isResolved, severity: 'warning' });
});

test('whatever names and values hold, a message is bounded and plain', () => {
  const { title, summary, lines, next } = messageOf(hostileNotification());
  expect([title.length <= 200, summary.length <= 300, lines.length <= 40, lines.every((line) => line.length <= 500), next.length <= 3]).toEqual([true, true, true, true, true]);
  expect([title, summary, ...lines, ...next].filter((text) => /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u.test(text))).toEqual([]);
});
