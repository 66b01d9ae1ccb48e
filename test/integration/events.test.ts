import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { createCluster, loadKubeconfig, type Cluster, type Events, type Occurrence } from '../../src/cluster/index.ts';
import type { TestNamespace } from '../support/cluster/test-cluster.ts';
import { startFaultProxy } from '../support/fault-proxy.ts';
import { recordingLog, type RecordingLog } from '../support/recording-log.ts';
import { sharedCluster } from '../support/test-run/index.ts';
import { kubeconfigVia, serverOf } from '../support/watched-cluster.ts';

const admin = sharedCluster();
const signal = new AbortController().signal;
let cluster: Cluster;
let namespace: TestNamespace;

beforeAll(async () => {
  cluster = createCluster(await loadKubeconfig({ file: admin.kubeconfig }));
  namespace = await admin.createNamespace();
});

afterAll(async () => {
  await cluster.close();
  await namespace[Symbol.asyncDispose]();
});

interface Subject {
  readonly events: Events;
  readonly log: RecordingLog;
  /** Lets so many minutes go by. */
  pass(minutes: number): void;
}

function open(on: Cluster = cluster): Subject {
  const log = recordingLog();
  let time = Date.parse('2026-03-01T10:00:00.500Z');
  const events = on.events({ identity: 'setpoint-7d4b9_1', now: () => new Date(time), random: Math.random, log });
  return {
    events,
    log,
    pass(minutes) {
      time += minutes * 60_000;
    },
  };
}

/** About an object that no other test has. */
function drifted(change: Partial<Occurrence> = {}): Occurrence {
  const name = `app-${randomBytes(4).toString('hex')}`;
  const regarding = { apiVersion: 'setpoint.dev/v1alpha1', kind: 'Application', namespace: namespace.name, name, uid: `uid-of-${name}` };
  return { regarding, type: 'Warning', reason: 'OutOfSync', action: 'Compare', note: '2 resources drifted: Deployment web, Service web', ...change };
}

interface StoredEvent {
  readonly metadata: { readonly name: string; readonly namespace: string };
  readonly note: string;
  readonly series?: { readonly count: number; readonly lastObservedTime: string };
}

async function stored({ regarding }: Occurrence): Promise<readonly StoredEvent[]> {
  const { items } = await admin.getJson<{ items: (StoredEvent & { regarding: { name: string } })[] }>('events.events.k8s.io', '-n', regarding.namespace ?? 'default');
  return items.filter((event) => event.regarding.name === regarding.name);
}

/** How often each of them happened, in rising order. */
const counts = (events: readonly StoredEvent[]): readonly number[] => events.map(({ series }) => series?.count ?? 1).toSorted((one, other) => one - other);

async function recordTimes(count: number, { events }: Subject, occurrence: Occurrence): Promise<void> {
  for (let index = 0; index < count; index += 1) await events.record(occurrence, signal);
}

describe('an Event', () => {
  test('says what happened to what, and who says so', async () => {
    const occurrence = drifted();
    const { events, log } = open();
    await events.record(occurrence, signal);
    expect(log.lines).toEqual([]);
    expect(await stored(occurrence)).toEqual([
      expect.objectContaining({
        regarding: occurrence.regarding,
        type: 'Warning',
        reason: 'OutOfSync',
        action: 'Compare',
        note: occurrence.note,
        eventTime: '2026-03-01T10:00:00.500000Z',
        reportingController: 'setpoint.dev/agent',
        reportingInstance: 'setpoint-7d4b9_1',
      }),
    ]);
  });

  test('is among those that kubectl shows for the object', async () => {
    const occurrence = drifted();
    await open().events.record(occurrence, signal);
    const shown = await admin.kubectl(['get', 'events', '-n', namespace.name, '--field-selector', `involvedObject.uid=${occurrence.regarding.uid}`]);
    expect(shown).toContain('2 resources drifted: Deployment web, Service web');
  });

  test.each([
    ['with a usual name', 'Namespace', 'v1', () => `ns-${randomBytes(4).toString('hex')}`],
    ['with a name that no Event may have', 'ClusterRole', 'rbac.authorization.k8s.io/v1', () => `system:node:${randomBytes(4).toString('hex')}`],
    ['with a very long name', 'ClusterRole', 'rbac.authorization.k8s.io/v1', () => `${'a'.repeat(240)}${randomBytes(4).toString('hex')}`],
  ])('about an object of the whole cluster %s is in the namespace default', async (_, kind, apiVersion, name) => {
    const occurrence = drifted({ regarding: { apiVersion, kind, name: name() } });
    const { events, log } = open();
    await events.record(occurrence, signal);
    expect(log.lines).toEqual([]);
    const [event, ...others] = await stored(occurrence);
    expect(others).toEqual([]);
    expect(event?.metadata.namespace).toBe('default');
    await admin.kubectl(['delete', 'events.events.k8s.io', event?.metadata.name ?? '', '-n', 'default']);
  });

  test.each([
    ['letters', 'x'],
    ['signs of several bytes', '√€😀'],
  ])('has a note of at most 1024 bytes, cut between %s', async (_, sign) => {
    const occurrence = drifted({ note: sign.repeat(2000) });
    const { events, log } = open();
    await events.record(occurrence, signal);
    expect(log.lines).toEqual([]);
    const [event] = await stored(occurrence);
    const note = event?.note ?? '';
    expect(Buffer.byteLength(note)).toBeLessThanOrEqual(1024);
    expect(Buffer.byteLength(note)).toBeGreaterThan(1015);
    expect(note).not.toContain('\uFFFD');
    expect(note.endsWith('…')).toBe(true);
  });
});

describe('what is said again', () => {
  test('is counted in the same Event', async () => {
    const occurrence = drifted();
    const subject = open();
    await recordTimes(2, subject, occurrence);
    subject.pass(9);
    await recordTimes(1, subject, occurrence);
    subject.pass(9);
    await recordTimes(1, subject, occurrence);
    expect(subject.log.lines).toEqual([]);
    const [event, ...others] = await stored(occurrence);
    expect(others).toEqual([]);
    expect(event?.series).toEqual({ count: 4, lastObservedTime: '2026-03-01T10:18:00.500000Z' });
  });

  test('all at once is counted in one Event, in few requests', async () => {
    const occurrence = drifted();
    const audit = await admin.auditLog();
    const { events } = open();
    await Promise.all(Array.from({ length: 50 }, () => events.record(occurrence, signal)));
    expect(counts(await stored(occurrence))).toEqual([50]);
    const about = (await audit.events()).filter(({ objectRef }) => objectRef?.resource === 'events' && objectRef.name?.startsWith(occurrence.regarding.name) === true);
    expect(about.length).toBeLessThanOrEqual(3);
  });

  test('after more than ten minutes is an Event of its own', async () => {
    const occurrence = drifted();
    const subject = open();
    await recordTimes(2, subject, occurrence);
    subject.pass(11);
    await recordTimes(1, subject, occurrence);
    expect(counts(await stored(occurrence))).toEqual([1, 2]);
  });

  test('after somebody deleted the Event is written anew', async () => {
    const occurrence = drifted();
    const subject = open();
    await recordTimes(2, subject, occurrence);
    const [event] = await stored(occurrence);
    await admin.kubectl(['delete', 'events.events.k8s.io', event?.metadata.name ?? '', '-n', namespace.name]);
    await recordTimes(1, subject, occurrence);
    expect(counts(await stored(occurrence))).toEqual([3]);
    expect(subject.log.lines).toEqual([]);
  });

  test.each<[string, Partial<Occurrence>]>([
    ['note', { note: '3 resources drifted' }],
    ['reason', { reason: 'Unknown' }],
    ['type', { type: 'Normal' }],
  ])('with another %s is another Event', async (_, change) => {
    const occurrence = drifted();
    const subject = open();
    await recordTimes(2, subject, occurrence);
    await recordTimes(1, subject, { ...occurrence, ...change });
    expect(counts(await stored(occurrence))).toEqual([1, 2]);
  });
});

describe('too much', () => {
  test('about one object is left out, 25 at once and one every five minutes; others are not concerned', async () => {
    const occurrence = drifted();
    const other = drifted();
    const subject = open();
    const say = (number: number): Promise<void> => subject.events.record({ ...occurrence, note: `note ${number}` }, signal);
    for (let number = 1; number <= 40; number += 1) await say(number);
    expect(await stored(occurrence)).toHaveLength(25);
    await recordTimes(1, subject, other);
    expect(await stored(other)).toHaveLength(1);
    subject.pass(5);
    await say(41);
    await say(42);
    const notes = (await stored(occurrence)).map(({ note }) => note);
    expect(notes).toHaveLength(26);
    expect(notes).toContain('note 41');
    expect(subject.log.lines).toEqual([]);
  });

  test('is counted all the same, and told when there is room', async () => {
    const occurrence = drifted();
    const subject = open();
    await recordTimes(40, subject, occurrence);
    expect(counts(await stored(occurrence))).toEqual([25]);
    subject.pass(6);
    await recordTimes(1, subject, occurrence);
    expect(counts(await stored(occurrence))).toEqual([41]);
  });

  test('to remember is forgotten: after a thousand others it is an Event of its own again', async () => {
    const occurrence = drifted();
    const subject = open();
    await recordTimes(2, subject, occurrence);
    await Promise.all(Array.from({ length: 1024 }, () => subject.events.record(drifted(), signal)));
    await recordTimes(1, subject, occurrence);
    expect(counts(await stored(occurrence))).toEqual([1, 2]);
  });
});

describe('what goes wrong', () => {
  test('is told once a minute and thrown never', async () => {
    const restricted = createCluster(await loadKubeconfig({ file: await admin.restrictedUser(namespace.name, []) }));
    onTestFinished(() => restricted.close());
    const subject = open(restricted);
    const note = 'a note that stays out of the log';
    for (let count = 0; count < 3; count += 1) await subject.events.record(drifted({ note }), signal);
    expect(subject.log.lines).toEqual([
      { level: 'warn', message: 'event not written', fields: expect.objectContaining({ event: 'OutOfSync', kind: 'Application', code: 'Forbidden' }) },
    ]);
    expect(subject.log.lines[0]?.fields['reason']).toContain(`not allowed: create events.events.k8s.io in namespace ${namespace.name}`);
    subject.pass(1.1);
    await subject.events.record(drifted({ note }), signal);
    expect(subject.log.lines).toHaveLength(2);
    expect(JSON.stringify(subject.log.lines)).not.toContain(note);
  });

  test('on the way there is told too', async () => {
    const { hostname, port } = await serverOf(admin);
    const proxy = await startFaultProxy({ host: hostname, port: Number(port) });
    const cutOff = createCluster(await loadKubeconfig({ file: await kubeconfigVia(admin, proxy.port) }));
    onTestFinished(async () => {
      await cutOff.close();
      await proxy.stop();
    });
    await proxy.refuse();
    const { events, log } = open(cutOff);
    await events.record(drifted(), signal);
    expect(log.lines.map(({ fields }) => fields['code'])).toEqual(['ClusterUnreachable']);
  });

  test('because nobody wants it any more is not told', async () => {
    const { events, log } = open();
    const occurrence = drifted();
    await events.record(occurrence, AbortSignal.abort());
    expect(log.lines).toEqual([]);
    expect(await stored(occurrence)).toEqual([]);
  });

  test('the first time does not keep the next from being written', async () => {
    const { events } = open();
    const occurrence = drifted();
    await events.record(occurrence, AbortSignal.abort());
    await events.record(occurrence, signal);
    expect(counts(await stored(occurrence))).toEqual([2]);
  });
});
