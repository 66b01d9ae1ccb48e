import { expect, test } from 'vitest';
import { sharedCluster } from '../support/test-run/index.ts';
import { waitFor } from '../support/wait-for.ts';
import { configMap, deadlineMs, syncScene } from './sync/scene.ts';

const cluster = sharedCluster();
const pruning = { syncPolicy: { automated: { prune: true } } };
const timeout = 180_000;

test('what is not provably ours stays: a copied mark, a mark that was taken away, another object of the same name', { timeout }, async () => {
  await using at = await syncScene(cluster, Object.fromEntries(['a', 'b', 'c', 'd'].map((name) => [`${name}.yaml`, configMap(name)])));
  const mark = (name: string): string => `setpoint.dev/tracking-id=${at.namespace}/shop:/ConfigMap/${at.namespace}/${name}`;
  const annotate = (...args: readonly string[]): Promise<string> => cluster.kubectl(['annotate', '--overwrite', 'configmap', '-n', at.namespace, ...args]);
  await at.application(pruning);
  const first = await at.start();
  await at.until('shop', 'Synced', deadlineMs);
  await cluster.kubectl(['create', 'configmap', 'stranger', '-n', at.namespace]);
  await annotate('stranger', mark('a'));
  await annotate('b', mark('a'));
  await annotate('c', 'setpoint.dev/tracking-id-');
  expect(await first.stop()).toBe(0);
  await cluster.kubectl(['delete', 'configmap', 'd', '-n', at.namespace]);
  await cluster.kubectl(['create', 'configmap', 'd', '-n', at.namespace, '--from-literal=mode=on']);
  await annotate('d', mark('d'));
  const commit = await at.commit({ 'b.yaml': null, 'c.yaml': null, 'd.yaml': null });
  await at.start();
  await at.synced(commit);
  const { held = [] } = await at.viewWhen('three to be held', ({ held: some = [] }) => some.filter(({ code }) => code === 'NotOurs').length === 3);
  expect(held.map(({ name, why }) => `${name}: ${why}`).toSorted()).toEqual([
    expect.stringContaining('b: it carries the tracking annotation') as string,
    expect.stringContaining('c: it carries no tracking annotation') as string,
    expect.stringContaining('d: somebody deleted it and made it anew') as string,
  ]);
  await at.ask({ prune: true });
  expect(await at.deleted()).toEqual([]);

  await annotate('b', mark('b'));
  await annotate('c', mark('c'));
  await at.look();
  await at.gone('b');
  await at.gone('c');
  expect((await at.deleted()).toSorted()).toEqual(['delete configmaps/b', 'delete configmaps/c']);

  // Applied by us, it is ours again.
  await at.synced(await at.commit({ 'd.yaml': configMap('d', { value: 'new' }) }));
  await at.commit({ 'd.yaml': null });
  await at.gone('d');
  expect(await at.object('configmaps', 'stranger')).toMatchObject({ metadata: { name: 'stranger' } });
});

test('what takes others with it and what says so itself waits for a confirmation, and Prune=false stays for ever', { timeout }, async () => {
  await using parts = new AsyncDisposableStack();
  const option = (text: string): { annotations: Record<string, string> } => ({ annotations: { 'setpoint.dev/sync-options': text } });
  const at = parts.use(await syncScene(cluster, { 'a.yaml': configMap('a'), 'plain.yaml': configMap('plain'), 'never.yaml': configMap('never', option('Prune=false')), 'asks.yaml': configMap('asks', option('Prune=confirm')) }));
  const [extra, group] = [`${at.namespace}-extra`, `${at.namespace}.example.com`];
  parts.defer(async () => void (await cluster.kubectl(['delete', 'namespace', extra, '--ignore-not-found', '--wait=false'])));
  parts.defer(async () => void (await cluster.kubectl(['delete', 'crd', `things.${group}`, '--ignore-not-found', '--wait=false'])));
  const [namespace, definition, claim] = [
    { apiVersion: 'v1', kind: 'Namespace', metadata: { name: extra } },
    {
      apiVersion: 'apiextensions.k8s.io/v1',
      kind: 'CustomResourceDefinition',
      metadata: { name: `things.${group}` },
      spec: { group, scope: 'Namespaced', names: { kind: 'Thing', plural: 'things', singular: 'thing', listKind: 'ThingList' }, versions: [{ name: 'v1', served: true, storage: true, schema: { openAPIV3Schema: { type: 'object' } } }] },
    },
    { apiVersion: 'v1', kind: 'PersistentVolumeClaim', metadata: { name: 'data' }, spec: { accessModes: ['ReadWriteOnce'], storageClassName: 'none', resources: { requests: { storage: '1Gi' } } } },
  ].map((object) => JSON.stringify(object));
  await at.commit({ 'namespace.yaml': namespace ?? '', 'definition.yaml': definition ?? '', 'claim.yaml': claim ?? '' });
  await at.application(pruning);
  await at.start();
  await at.until('shop', 'Synced', deadlineMs);

  await at.commit(Object.fromEntries(['plain', 'never', 'asks', 'namespace', 'definition', 'claim'].map((name) => [`${name}.yaml`, null])));
  await at.gone('plain');
  const { held = [] } = await at.viewWhen('four to wait, one to stay', ({ held: some = [] }) => some.length === 5 && some.every(({ code }) => code.startsWith('Prune')));
  expect(held.map(({ kind, name, code }) => `${kind} ${name} ${code}`).toSorted()).toEqual([
    'ConfigMap asks PruneNeedsConfirmation',
    'ConfigMap never PruneDisabled',
    `CustomResourceDefinition things.${group} PruneNeedsConfirmation`,
    `Namespace ${extra} PruneNeedsConfirmation`,
    'PersistentVolumeClaim data PruneNeedsConfirmation',
  ]);
  await at.ask({ prune: true });
  expect(await at.deleted()).toEqual(['delete configmaps/plain']);

  const { confirm = '' } = await at.heldFor('PruneNeedsConfirmation');
  await at.ask({ approve: [confirm] });
  expect((await at.deleted()).slice(1).toSorted()).toEqual(['delete configmaps/asks', `delete customresourcedefinitions/things.${group}`, `delete namespaces/${extra}`, 'delete persistentvolumeclaims/data']);
  expect(await at.live('never')).toBe('on');
});

test('an Application that was renamed takes over what it applied under its old name, and takes nothing from one that is there', { timeout }, async () => {
  await using at = await syncScene(cluster, { 'a.yaml': configMap('a') });
  await at.repository.commit({ 'apps/old/a.yaml': configMap('a') });
  const mark = async (): Promise<string | undefined> => (await at.object('configmaps', 'a'))?.metadata.annotations?.['setpoint.dev/tracking-id'];
  await at.declare('old', { syncPolicy: { automated: {} } });
  await at.start();
  await at.until('old', 'Synced', deadlineMs);

  const adopting = { syncPolicy: { automated: {}, syncOptions: ['Adopt=true'] } };
  await at.application(adopting);
  await at.commit({ 'a.yaml': configMap('a', { value: 'new' }) });
  expect(await at.heldFor('Shared')).toMatchObject({ name: 'a', why: expect.stringContaining(`the application ${at.namespace}/old applied it too`) as string });
  expect(await mark()).toContain(`${at.namespace}/old:`);

  await cluster.kubectl(['delete', 'sp', 'old', '-n', at.namespace]);
  await at.synced(await at.commit({ 'a.yaml': configMap('a', { value: 'newer' }) }));
  expect(await mark()).toBe(`${at.namespace}/shop:/ConfigMap/${at.namespace}/a`);
  expect(await at.live('a')).toBe('newer');
});

test('what one commit moves to another application is never missing: it stays, and becomes a part of that one when it says so', { timeout }, async () => {
  await using at = await syncScene(cluster, { 'a.yaml': configMap('a'), 'b.yaml': configMap('b') });
  await at.repository.commit({ 'apps/other/z.yaml': configMap('z') });
  await at.declare('other', pruning);
  await at.application(pruning);
  await at.start();
  await at.until('other', 'Synced', deadlineMs);
  await at.until('shop', 'Synced', deadlineMs);
  const before = await at.object('configmaps', 'b');

  await at.repository.commit({ 'apps/shop/a.yaml': configMap('a', { value: 'new' }), 'apps/shop/b.yaml': null, 'apps/other/b.yaml': configMap('b') });
  await at.look();
  expect(await at.heldFor('DeclaredElsewhere')).toMatchObject({ name: 'b', why: expect.stringContaining(`the application ${at.namespace}/other declares it, too`) as string });
  expect(await at.live('a')).toBe('new');

  await at.repository.commit({ 'apps/other/b.yaml': configMap('b', { annotations: { 'setpoint.dev/adopt': `${at.namespace}/shop` } }) });
  await at.look();
  const taken = await waitFor(async () => {
    const object = await at.object('configmaps', 'b');
    return object?.metadata.annotations?.['setpoint.dev/tracking-id']?.startsWith(`${at.namespace}/other:`) === true ? object : undefined;
  }, { what: 'b to be a part of other', deadlineMs });
  expect(taken.metadata.uid).toBe(before?.metadata.uid);
  await at.look();
  const { operation } = await at.viewWhen('nothing to be held', ({ held = [], operation: last }) => held.length === 0 && last?.state === 'succeeded');
  expect(operation).toMatchObject({ state: 'succeeded' });
  expect(await at.deleted()).toEqual([]);
});
