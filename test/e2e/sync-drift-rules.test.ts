import { expect, test } from 'vitest';
import { sharedCluster } from '../support/test-run/index.ts';
import { waitFor } from '../support/wait-for.ts';
import { writeAs } from '../support/write-as.ts';
import { syncScene, type SyncScene } from './sync/scene.ts';

const cluster = sharedCluster();
const timeout = 180_000;
const deadlineMs = 60_000;
const file = (data: Readonly<Record<string, string>>): string => `${JSON.stringify({ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'a' }, data })}\n`;
const git = { healed: 'git', told: 'git', ignored: 'git' };

const edit = (at: SyncScene, data: Readonly<Record<string, string>>): Promise<void> => writeAs(cluster, 'kubectl-edit', { path: `/api/v1/namespaces/${at.namespace}/configmaps/a`, patch: { data } });

test.each([
  ['Heal', [{ mode: 'Alert', kind: 'ConfigMap', jsonPointers: ['/data/told'] }, { mode: 'Ignore', kind: 'ConfigMap', paths: ['data.ignored'] }]],
  ['Alert', [{ mode: 'Heal', kind: 'ConfigMap', jsonPointers: ['/data/healed'] }]],
])('where the mode is %s, rules have the last word about single fields, and new commits about all', { timeout }, async (mode, rules) => {
  await using at = await syncScene(cluster, { 'a.yaml': file(git) });
  await at.application({ syncPolicy: { automated: {} }, drift: { mode, rules } });
  await at.start();
  await at.until('shop', 'Synced', deadlineMs);

  await edit(at, { healed: 'by hand', told: 'by hand', ignored: 'by hand' });
  await waitFor(async () => (await at.object('configmaps', 'a'))?.data?.['healed'] === 'git', { what: 'the heal', deadlineMs });
  const view = await at.viewWhen('the end', ({ operation }) => operation?.type === 'heal' && operation.endedAt !== undefined);
  expect(view).toMatchObject({ operation: { state: 'succeeded', done: { applied: 1, failed: 0 } }, sync: { status: 'OutOfSync', cause: 'live-changed' } });
  expect((await at.object('configmaps', 'a'))?.data).toEqual({ healed: 'git', told: 'by hand', ignored: 'by hand' });
  const written = await at.written();
  expect(written).toHaveLength(2);
  await at.look();
  await at.viewWhen('a look', ({ observedRefresh }) => observedRefresh === 'look-1');
  expect(await at.written()).toEqual(written);

  const commit = await at.commit({ 'a.yaml': file({ ...git, told: 'new', ignored: 'new' }) });
  await at.synced(commit);
  expect((await at.object('configmaps', 'a'))?.data).toEqual({ healed: 'git', told: 'new', ignored: 'new' });
});

const selecting = (selector: Readonly<Record<string, string>>, port: number): string => `${JSON.stringify({ apiVersion: 'v1', kind: 'Service', metadata: { name: 'a' }, spec: { selector, ports: [{ port }], sessionAffinity: 'None' } })}\n`;
const shared = { app: 'web', slot: 'blue' };
const byHand = { sessionAffinity: 'ClientIP', selector: { slot: 'blue' } };

test.each([
  ['what a rule leaves', { drift: { mode: 'Heal', rules: [{ mode: 'Alert', kind: 'Service', paths: ['spec.selector.slot'] }] } }, 'OutOfSync'],
  ['what may differ', { drift: { mode: 'Heal' }, ignoreDifferences: [{ kind: 'Service', paths: ['spec.selector.slot'] }] }, 'Synced'],
])('%s of a value that is replaced whole stays when the rest of the object is put back', { timeout }, async (_name, spec, status) => {
  await using at = await syncScene(cluster, { 'a.yaml': selecting({ app: 'web' }, 80) });
  await at.application({ syncPolicy: { automated: {} }, ...spec });
  await at.start();
  await at.until('shop', 'Synced', deadlineMs);

  await writeAs(cluster, 'kubectl-edit', { path: `/api/v1/namespaces/${at.namespace}/services/a`, patch: { spec: byHand } });
  await waitFor(async () => (await at.object('services', 'a'))?.spec?.sessionAffinity === 'None', { what: 'the heal', deadlineMs });
  await at.viewWhen('the end', ({ operation, sync }) => operation?.type === 'heal' && operation.endedAt !== undefined && sync?.status === status);
  expect((await at.object('services', 'a'))?.spec?.selector).toEqual(shared);
});

test('what may differ of a value that is replaced whole stays when a commit changes another field', { timeout }, async () => {
  await using at = await syncScene(cluster, { 'a.yaml': selecting({ app: 'web' }, 80) });
  await at.application({ syncPolicy: { automated: {} }, ignoreDifferences: [{ kind: 'Service', paths: ['spec.selector.slot'] }] });
  await at.start();
  await at.until('shop', 'Synced', deadlineMs);

  await writeAs(cluster, 'kubectl-edit', { path: `/api/v1/namespaces/${at.namespace}/services/a`, patch: { spec: { selector: { slot: 'blue' } } } });
  await at.synced(await at.commit({ 'a.yaml': selecting({ app: 'web' }, 81) }));
  expect((await at.object('services', 'a'))?.spec).toMatchObject({ selector: shared, ports: [{ port: 81 }] });
});
