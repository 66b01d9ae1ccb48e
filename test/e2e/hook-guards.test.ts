import { expect, test } from 'vitest';
import { sharedCluster } from '../support/test-run/index.ts';
import { waitFor } from '../support/wait-for.ts';
import { configMap, deadlineMs, syncScene } from './sync/scene.ts';
import { endJob } from './sync/waves.ts';

const cluster = sharedCluster();
const automated = { syncPolicy: { automated: {} } };
const timeout = 180_000;

const claim = (annotations: Readonly<Record<string, string>> = {}): string =>
  `${JSON.stringify({ apiVersion: 'v1', kind: 'PersistentVolumeClaim', metadata: { name: 'data', annotations }, spec: { accessModes: ['ReadWriteOnce'], storageClassName: 'none', resources: { requests: { storage: '1Gi' } } } })}\n`;

const migrate = `${JSON.stringify({
  apiVersion: 'batch/v1',
  kind: 'Job',
  metadata: { name: 'migrate', annotations: { 'setpoint.dev/hook': 'PreSync' } },
  spec: { backoffLimit: 0, template: { spec: { restartPolicy: 'Never', schedulerName: 'nobody', containers: [{ name: 'work', image: 'registry.example.com/work:1' }] } } },
})}\n`;

interface Named {
  readonly metadata: { readonly uid: string; readonly annotations?: Readonly<Record<string, string>> };
}

test('a claim that becomes a hook keeps its data until exactly that one is confirmed', { timeout }, async () => {
  await using at = await syncScene(cluster, { 'a.yaml': configMap('a'), 'claim.yaml': claim() });
  const uidOf = async (): Promise<string> => (await cluster.getJson<Named>('pvc', 'data', '-n', at.namespace)).metadata.uid;
  await at.application(automated);
  await at.start();
  await at.until('shop', 'Synced', deadlineMs);
  const first = await uidOf();

  await at.synced(await at.commit({ 'a.yaml': configMap('a', { value: 'new' }), 'claim.yaml': claim({ 'helm.sh/hook': 'pre-install,pre-upgrade' }) }));
  const { operation } = await at.viewWhen('the end of the sync', ({ operation: last, history = [] }) => last?.endedAt !== undefined && history.length === 2);
  expect(operation).toMatchObject({ state: 'succeeded', message: expect.stringContaining('the data on its volume would be lost with it') as string });
  expect(await at.live('a')).toBe('new');
  expect(await at.deleted()).toEqual([]);

  const asked = await at.ask();
  const hold = asked.held?.find(({ code }) => code === 'PruneNeedsConfirmation');
  expect(hold).toMatchObject({ name: 'data' });
  expect(await uidOf()).toBe(first);

  // Nobody gives the new one a volume, so the sync that makes it does not end.
  const asking = at.ask({ approve: [hold?.confirm ?? ''] }).catch(() => undefined);
  await waitFor(async () => (await uidOf().catch(() => first)) !== first, { what: 'the claim to be made anew', deadlineMs });
  expect(await at.deleted()).toEqual(['delete persistentvolumeclaims/data']);
  await cluster.kubectl(['annotate', 'sp', 'shop', '-n', at.namespace, `setpoint.dev/terminate=${(await at.view()).operation?.id ?? ''}`]);
  await asking;
});

test('a hook of another application is neither deleted nor replaced, and one of an earlier release without a mark is', { timeout }, async () => {
  await using at = await syncScene(cluster, { 'a.yaml': configMap('a'), 'migrate.yaml': migrate });
  await at.repository.commit({ 'apps/other/b.yaml': configMap('b'), 'apps/other/migrate.yaml': migrate });
  const job = (): Promise<Named> => cluster.getJson<Named>('job', 'migrate', '-n', at.namespace);
  await at.declare('other', automated);
  await at.start();
  await endJob(at, 'migrate', 'Succeeded');
  await at.until('other', 'Synced', deadlineMs);
  const theirs = await job();
  expect(theirs.metadata.annotations).toMatchObject({ 'setpoint.dev/tracking-id': `${at.namespace}/other:batch/Job/${at.namespace}/migrate` });

  await at.application(automated);
  const { why, confirm } = await at.heldFor('NotOurs');
  expect(why).toContain(`the application ${at.namespace}/other made it`);
  expect(confirm).toMatch(/^hook-/);
  await at.viewWhen('the sync to fail', ({ operation }) => operation?.state === 'failed');
  expect((await job()).metadata.uid).toBe(theirs.metadata.uid);
  expect(await at.deleted()).toEqual([]);

  // As the releases before marks left it: the run alone says whose it is.
  await cluster.kubectl(['annotate', 'job', 'migrate', '-n', at.namespace, 'setpoint.dev/tracking-id-']);
  await at.repository.commit({ 'apps/other/b.yaml': configMap('b', { value: 'new' }) });
  await at.refresh('other');
  await waitFor(async () => (await job().catch(() => theirs)).metadata.uid !== theirs.metadata.uid, { what: 'their hook to be made anew', deadlineMs });
  await endJob(at, 'migrate', 'Succeeded');
  await waitFor(async () => (await at.live('b')) === 'new', { what: 'their sync to go on', deadlineMs });
});
