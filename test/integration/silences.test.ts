import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { createCluster, loadKubeconfig, type Cluster, type Silences } from '../../src/cluster/index.ts';
import type { Silence } from '../../src/model/index.ts';
import type { Rule, TestNamespace } from '../support/cluster/test-cluster.ts';
import { recordingLog } from '../support/recording-log.ts';
import { sharedCluster } from '../support/test-run/index.ts';

const admin = sharedCluster();
const { signal } = new AbortController();
const now = new Date('2026-03-01T12:00:00Z');
let cluster: Cluster;

beforeAll(async () => {
  cluster = createCluster(await loadKubeconfig({ file: admin.kubeconfig }));
});

afterAll(() => cluster.close());

const silence = (id: string, until = '2026-03-01T13:00:00.000Z'): Silence => ({ id, match: { namespaces: ['shop'], labels: { tier: '3' } }, from: '2026-03-01T11:00:00.000Z', until, author: 'ann', reason: 'test' });

async function place(): Promise<TestNamespace> {
  const namespace = await admin.createNamespace();
  onTestFinished(() => namespace[Symbol.asyncDispose]());
  return namespace;
}

const opened = (namespace: string, { from = cluster, log = recordingLog() } = {}): Silences => from.silences({ namespace, log, now: () => now });
const dataIn = async (namespace: string): Promise<Readonly<Record<string, string>>> => (await admin.getJson<{ data?: Record<string, string> }>('configmap', 'setpoint-silences', '-n', namespace)).data ?? {};

test('silences are keys of a ConfigMap that is made with the first of them', async () => {
  const { name } = await place();
  const silences = opened(name);
  expect(await silences.read(signal)).toEqual([]);
  await silences.end('never', signal);
  await silences.add(silence('a'), signal);
  await silences.add(silence('b'), signal);
  expect(await silences.read(signal)).toEqual([silence('a'), silence('b')]);
  const data = await dataIn(name);
  expect(JSON.parse(data['a'] ?? '')).toEqual({ match: silence('a').match, from: silence('a').from, until: silence('a').until, author: 'ann', reason: 'test' });
  await silences.end('a', signal);
  await silences.end('a', signal);
  expect(await silences.read(signal)).toEqual([silence('b')]);
});

test('many who add at once, the ConfigMap not being there yet, lose nothing', async () => {
  const { name } = await place();
  const ids = Array.from({ length: 12 }, (_none, at) => `s${String(at).padStart(2, '0')}`);
  await Promise.all(ids.map((id) => opened(name).add(silence(id), signal)));
  expect((await opened(name).read(signal)).map(({ id }) => id)).toEqual(ids);
});

test('what is over goes with the next that is added; what cannot be understood is skipped with a line in the log, and kept', async () => {
  const { name } = await place();
  const log = recordingLog();
  const silences = opened(name, { log });
  await silences.add(silence('old', now.toISOString()), signal);
  await admin.kubectl(['patch', 'configmap', 'setpoint-silences', '-n', name, '--type=merge', '-p', JSON.stringify({ data: { odd: '{', 'a.note': 'by hand' } })]);
  await silences.add(silence('new'), signal);
  expect((await silences.read(signal)).map(({ id }) => id)).toEqual(['new']);
  expect(Object.keys(await dataIn(name)).toSorted()).toEqual(['a.note', 'new', 'odd']);
  expect(log.lines.map(({ message, fields }) => [message, fields['silence']])).toEqual([
    ['a silence cannot be understood, and has no effect', 'a.note'],
    ['a silence cannot be understood, and has no effect', 'odd'],
  ]);
});

test('there are at most 500', async () => {
  const { name } = await place();
  const { id: _id, ...one } = silence('x');
  const data = Object.fromEntries(Array.from({ length: 501 }, (_none, at) => [`s${at}`, JSON.stringify(one)]));
  await admin.apply(JSON.stringify({ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'setpoint-silences', namespace: name }, data }));
  const log = recordingLog();
  expect(await opened(name, { log }).read(signal)).toHaveLength(500);
  expect(log.lines).toMatchObject([{ message: 'there are too many silences: some have no effect', fields: { count: 501 } }]);
  await expect(opened(name).add(silence('a'), signal)).rejects.toMatchObject({ code: 'Usage', message: expect.stringContaining('500 are the most') as string });
  expect(Object.keys(await dataIn(name))).toHaveLength(501);
});

test.each<[string, readonly string[], (silences: Silences) => Promise<unknown>]>([
  ['get', [], (silences) => silences.read(signal)],
  ['get', [], (silences) => silences.add(silence('a'), signal)],
  ['create', ['get', 'patch'], (silences) => silences.add(silence('a'), signal)],
  ['patch', ['get'], (silences) => silences.end('a', signal)],
])('who may not %s the ConfigMap is told so', async (verb, verbs, use) => {
  const { name } = await place();
  const rules: readonly Rule[] = verbs.length === 0 ? [] : [{ apiGroups: [''], resources: ['configmaps'], verbs }];
  const restricted = createCluster(await loadKubeconfig({ file: await admin.restrictedUser(name, rules) }));
  onTestFinished(() => restricted.close());
  await expect(use(opened(name, { from: restricted }))).rejects.toMatchObject({ code: 'Forbidden', message: expect.stringContaining(`not allowed: ${verb} configmap setpoint-silences in namespace ${name}`) as string });
});

test('in a namespace that is not there nothing can be added, and the error says so', async () => {
  expect(await opened('nowhere').read(signal)).toEqual([]);
  await expect(opened('nowhere').add(silence('a'), signal)).rejects.toMatchObject({ code: 'ClusterError', message: expect.stringContaining('namespaces "nowhere" not found') as string });
});

test('the server says who the user is', async () => {
  const { name } = await place();
  const restricted = createCluster(await loadKubeconfig({ file: await admin.restrictedUser(name, []) }));
  onTestFinished(() => restricted.close());
  expect(await restricted.userName(signal)).toMatch(new RegExp(`^system:serviceaccount:${name}:user-`));
});
