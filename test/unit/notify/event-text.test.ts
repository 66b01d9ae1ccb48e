import { describe, expect, test } from 'vitest';
import type { AlertedResource, JsonObject, Notification, NotificationType } from '../../../src/model/index.ts';
import { cloudEvent, type CloudEvent, type EventSubject } from '../../../src/notify/cloud-event.ts';
import { eventText } from '../../../src/notify/event-text.ts';
import { digestNotification, exampleNotification, exampleResource, exampleSubject, hostileNotification, hostileText, resolvedNotification } from '../../support/example-notification.ts';

const whole = { hasPatches: true, resources: 100, subjects: 100 };
const eventOf = (notification: Notification, source?: string): CloudEvent => JSON.parse(eventText(notification, source)) as CloudEvent;
const subjectOf = (notification: Notification): EventSubject => eventOf(notification).data as unknown as EventSubject;
const withResources = (resources: readonly AlertedResource[], truncatedResources = 0): Notification => exampleNotification({ subjects: [{ ...exampleSubject, resources, truncatedResources }] });

describe('an event', () => {
  test('says where it is from, and what it is about', () => {
    expect(eventOf(exampleNotification())).toMatchObject({ specversion: '1.0', id: 'evt_01JC8Z9K7Q0000000000000000', source: 'setpoint://prod-eu-1', type: 'dev.setpoint.drift.firing.v1', subject: 'prod/checkout', time: '2026-11-16T10:46:12Z', datacontenttype: 'application/json' });
    expect(eventOf(exampleNotification(), 'https://setpoint.example.com/clusters/prod-eu-1').source).toBe('https://setpoint.example.com/clusters/prod-eu-1');
    expect(eventOf(exampleNotification({ cluster: 'a b/ü' })).source).toBe('setpoint://a%20b%2F%C3%BC');
  });

  test.each([
    ['drift.firing', 'firing', 'new'],
    ['drift.changed', 'firing', 'changed'],
    ['drift.repeated', 'firing', 'repeated'],
    ['drift.resolved', 'resolved', 'resolved'],
    ['drift.healed', 'resolved', 'healed'],
    ['sync.failed', 'firing', 'new'],
    ['sync.succeeded', 'resolved', 'resolved'],
    ['agent.blind', 'firing', 'new'],
    ['agent.recovered', 'resolved', 'resolved'],
    ['test', 'test', 'test'],
  ] satisfies [NotificationType, string, string][])('of type %s is %s, %s', (type, status, reason) => {
    expect(eventOf(exampleNotification({ type }))).toMatchObject({ type: `dev.setpoint.${type}.v1`, data: { status, reason } });
  });

  test('of one application has it in its data', () => {
    expect(eventOf(resolvedNotification()).data).toMatchObject({
      status: 'resolved',
      cause: 'live-changed',
      episode: { id: 'drf_01JC8Z9K7Q0000000000000001', endedAt: '2026-11-16T10:52:12Z' },
      application: { namespace: 'prod', name: 'checkout', labels: { team: 'payments' } },
      resources: [{ kind: 'Deployment', change: 'modified', fields: [{ desired: 3, live: 5, actor: { manager: 'kubectl', subresource: 'scale', operation: 'Update', time: null } }], patch: [{ op: 'replace', path: '/spec/replicas', value: 3 }] }],
      truncatedResources: 0,
    });
  });

  test('of several has them in a list, and counts', () => {
    const { data, ...rest } = eventOf(digestNotification());
    expect(rest).not.toHaveProperty('subject');
    expect(data).toMatchObject({ truncatedSubjects: 480, counts: { applications: 500, resources: 20 } });
    expect((data as unknown as { subjects: readonly EventSubject[] }).subjects.length).toBe(20);
  });

  test('of the first of several is one of several still', () => {
    expect(eventOf(digestNotification(1)).data).toMatchObject({ subjects: [{ application: { name: 'shop-0' } }], truncatedSubjects: 499 });
  });

  test('of several rules tells the rule of each', () => {
    const rule = { name: 'contested', severity: 'critical' as const };
    expect(eventOf(exampleNotification({ subjects: [exampleSubject, { ...exampleSubject, rule }] })).data).toMatchObject({ rule: { name: 'drift' }, subjects: [{ cause: 'live-changed' }, { rule }] });
  });

  test('tells when a resource was in order again', () => {
    expect(subjectOf(withResources([{ ...exampleResource, endedAt: '2026-11-16T10:44:12Z' }])).resources[0]).toMatchObject({ endedAt: '2026-11-16T10:44:12Z' });
  });

  test('does not tell who may read the repository', () => {
    const revision = { ...exampleSubject.revision, repo: 'https://bot:s3cr3t@git.example.com/shop/deploy.git' };
    expect(subjectOf(exampleNotification({ subjects: [{ ...exampleSubject, revision }] })).revision.repo).toBe('https://git.example.com/shop/deploy.git');
  });

  test('has integers that a double cannot hold', () => {
    const text = eventText(withResources([{ ...exampleResource, fields: [{ display: 'spec.x', live: 12345678901234567890n }] }]), undefined);
    expect(text).toContain('"live":12345678901234567890');
  });
});

describe('an event that would be too large', () => {
  const many = Array.from({ length: 60 }, (_, at) => ({ ...exampleResource, name: `web-${at}` }));

  test('loses its patches first', () => {
    const patch = [{ op: 'replace' as const, path: '/data/a', value: 'x'.repeat(30_000) }];
    const { resources, truncatedResources } = subjectOf(withResources([{ ...exampleResource, patch }]));
    expect(resources).toEqual([{ ...resources[0], name: 'checkout' }]);
    expect(resources[0]).not.toHaveProperty('patch');
    expect(truncatedResources).toBe(0);
  });

  test('then resources from its end, which are counted', () => {
    const text = eventText(withResources([...many, ...many], 7), undefined);
    const { resources, truncatedResources } = subjectOf(withResources([...many, ...many], 7));
    expect(Buffer.byteLength(text)).toBeLessThanOrEqual(20_000);
    expect(resources.length).toBeGreaterThan(20);
    expect(resources.map(({ name }) => name)).toEqual(many.slice(0, resources.length).map(({ name }) => name));
    expect(truncatedResources).toBe(127 - resources.length);
  });

  test('has as many resources as fit', () => {
    const { resources } = subjectOf(withResources(many));
    const one = JSON.stringify(cloudEvent(withResources(many), undefined, { ...whole, hasPatches: false, resources: resources.length + 1 }));
    expect(Buffer.byteLength(one)).toBeGreaterThan(20_000);
  });

  test('then subjects', () => {
    const revision = { ...exampleSubject.revision, path: 'p'.repeat(3_000) };
    const subjects = Array.from({ length: 20 }, () => ({ ...exampleSubject, revision }));
    const text = eventText(exampleNotification({ subjects }), undefined);
    const { data } = JSON.parse(text) as { data: { subjects: unknown[]; truncatedSubjects: number } };
    expect(Buffer.byteLength(text)).toBeLessThanOrEqual(20_000);
    expect(data.subjects.length).toBeGreaterThan(3);
    expect(data.truncatedSubjects).toBe(20 - data.subjects.length);
  });

  test('has no values that are large, and says so', () => {
    const { resources } = subjectOf(withResources([{ ...exampleResource, fields: [{ display: 'data.a', desired: { a: ['x'.repeat(5_000)] }, live: 'y' }] }]));
    expect(resources[0]?.fields).toEqual([{ display: 'data.a', valuesLeftOut: true }]);
  });

  test('counts bytes and not characters', () => {
    const text = eventText(withResources(Array.from({ length: 60 }, () => ({ ...exampleResource, name: '日'.repeat(200) }))), undefined);
    expect(Buffer.byteLength(text)).toBeLessThanOrEqual(20_000);
    expect(text.length).toBeLessThan(15_000);
  });
});

test('hostile names are in it exactly, by the numbers of their signs where those steer', () => {
  const text = eventText(hostileNotification(), undefined);
  expect(Buffer.byteLength(text)).toBeLessThanOrEqual(20_000);
  expect(text).not.toMatch(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u);
  expect((JSON.parse(text) as { data: { application: JsonObject } }).data.application['name']).toBe(hostileText.slice(0, 253));
});
